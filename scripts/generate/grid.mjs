// Generates grids with walls. Calls move a position on the grid. One field has an item behind a guard. Half of the
// grids have a handler that bounds its arguments to the range of the grid.
import { guard } from "./guards.mjs";

const MOVES = [
  ["north", 0, 1],
  ["east", 1, 0],
  ["south", 0, -1],
  ["west", -1, 0],
];

function walls(random, size) {
  return Array.from({ length: 4 }, () => ({ x: random.between(1, size - 1), y: random.between(1, size - 1) }));
}

/** Returns the shortest way to each reachable field, by `x,y`, with a breadth-first search. */
function shortestWays(size, reach, blocked) {
  const ways = new Map([["0,0", []]]);
  const walled = new Set(blocked.map(({ x, y }) => `${x},${y}`));
  for (const [field, way] of ways) {
    const [x, y] = field.split(",").map(Number);
    MOVES.forEach(([, dx, dy], direction) => {
      for (let distance = 1; distance <= reach; distance += 1) {
        const next = [x + dx * distance, y + dy * distance];
        const inside = Math.min(...next) >= 0 && Math.max(...next) < size;
        const key = next.join(",");
        if (inside && !walled.has(key) && !ways.has(key)) ways.set(key, [...way, { direction, distance }]);
      }
    });
  }
  return ways;
}

export function grid(random, name) {
  const [size, reach] = [random.between(16, 60), random.between(3, 7)];
  const hidden = walls(random, size);
  const depth = random.between(2, 5);
  const far = [...shortestWays(size, reach, hidden)].filter(([, way]) => way.length === depth);
  const [field, moves] = random.pick(far);
  const goal = { x: Number(field.split(",")[0]), y: Number(field.split(",")[1]) };
  const blocked = hidden.map(({ x, y }) => `(x == ${x} && y == ${y})`);
  const guarded = guard(random);
  const handled = random.chance(50);

  const targetCalls = moves.map(({ direction, distance }) => ({
    on: handled ? "handler" : "target",
    call: handled ? `move(${direction}, ${distance})` : `${MOVES[direction][0]}(${distance})`,
  }));
  const dig = { on: handled ? "handler" : "target", call: `dig(${guarded.args.join(", ")})` };
  const moveFunctions = MOVES.map(([fn, dx, dy]) => {
    const [axis, sign] = dx === 0 ? ["y", dy] : ["x", dx];
    const check = sign > 0 ? `${axis} + distance < ${size}` : `distance <= ${axis}`;
    return `    function ${fn}(uint256 distance) external {
        require(distance != 0 && distance <= ${reach}, "no such step");
        require(${check}, "over the edge");
        ${axis} ${sign > 0 ? "+=" : "-="} distance;
        _arrive();
    }`;
  });
  const handler = `

contract ${name}Handler is Bound {
    ${name} internal immutable grid;

    constructor(${name} grid_) {
        grid = grid_;
    }

    function move(uint256 direction, uint256 distance) external {
        direction = _bound(direction, 0, 3);
        distance = _bound(distance, 1, ${reach});
        if (direction == 0) grid.north(distance);
        else if (direction == 1) grid.east(distance);
        else if (direction == 2) grid.south(distance);
        else grid.west(distance);
    }

    function dig(${guarded.params.join(", ")}) external {
        grid.dig(${guarded.params.map((param) => param.split(" ")[1]).join(", ")});
    }
}`;
  return {
    family: "grid",
    guards: [guarded.kind],
    derived: guarded.derived,
    note: `${moves.length} moves to one field of ${size * size}, then a guard.`,
    contracts: `contract ${name} {
    uint256 public x;
    uint256 public y;
    uint256 public visits;
    uint256 public found;

${moveFunctions.join("\n\n")}

    function dig(${guarded.params.join(", ")}) external {
        require(x == ${goal.x} && y == ${goal.y}, "nothing here");
        unchecked {
            if (${guarded.condition}) found += 1;
        }
    }

    /// Behind a wall the walk starts again.
    function _arrive() private {
        if (${blocked.join(" || ")}) (x, y) = (0, 0);
        if (x == ${goal.x} && y == ${goal.y}) visits += 1;
    }
}${handled ? handler : ""}`,
    target: name,
    handler: handled ? `${name}Handler` : undefined,
    properties: [
      { name: "invariant_goalIsNotVisited", assertion: "target.visits() == 0", calls: targetCalls },
      { name: "invariant_nothingIsFound", assertion: "target.found() == 0", calls: [...targetCalls, dig] },
      { name: "invariant_walkStaysInside", assertion: `target.x() < ${size} && target.y() < ${size}` },
      { name: "invariant_findsNeedAVisit", assertion: "target.found() == 0 || target.visits() != 0" },
    ],
  };
}
