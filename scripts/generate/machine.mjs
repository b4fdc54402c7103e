// Generates state machines. A state machine is a chain of stages. One function with its own guard leads from each
// stage to the next, and some calls lead back. Some machines have a state for each account.
import { guard, word, wordOf } from "./guards.mjs";

const STEPS = ["prime", "charge", "align", "ignite", "seal", "mix", "pour", "stamp", "weigh", "sort", "grind", "rinse"];

/** Effects of a call whose guard does not hold. */
const REFUSALS = [
  (condition, name) => `require(${condition}, "${name}: refused");`,
  (condition, name, stage) => `if (!(${condition})) {\n                ${stage} = 0;\n                return;\n            }`,
];

function step(random, name, index, keyed, guarded, remembers) {
  const stage = keyed ? "stageOf[msg.sender]" : "stage";
  const operator = !keyed && index > 0 && random.chance(25);
  const lines = [`require(${stage} == ${index}, "${name}: wrong stage");`];
  if (operator) lines.push(`require(msg.sender == operator, "${name}: not the operator");`);
  const refuse = random.pick(index === 0 ? REFUSALS.slice(0, 1) : REFUSALS);
  lines.push(`unchecked {\n            ${refuse(guarded.condition, name, stage)}\n        }`);
  if (index === 0 && !keyed) lines.push("operator = msg.sender;");
  if (remembers) lines.push(`memo = ${wordOf(guarded)};`);
  lines.push(`${stage} = ${index + 1};`, `if (deepest < ${index + 1}) deepest = ${index + 1};`, "advances += 1;");
  return `    function ${name}(${guarded.params.join(", ")}) external {\n        ${lines.join("\n        ")}\n    }`;
}

export function machine(random, name) {
  const depth = random.between(2, 6);
  const keyed = random.chance(40);
  const steps = random.some(STEPS, depth);
  const [functions, calls, guards] = [[], [], []];
  let memo;
  steps.forEach((fn, index) => {
    const guarded = guard(random, keyed ? undefined : memo);
    const remembers = !keyed && (index === 0 || random.chance(40));
    functions.push(step(random, fn, index, keyed, guarded, remembers));
    if (remembers) memo = word(guarded);
    guards.push(guarded);
    calls.push({ on: "target", call: `${fn}(${guarded.args.join(", ")})` });
  });
  const stage = keyed ? "stageOf[msg.sender]" : "stage";
  const back = random.between(0, depth - 1);
  functions.push(`    function abort() external {\n        if (${stage} > ${back}) ${stage} = 0;\n    }`);

  const state = keyed
    ? "    mapping(address => uint256) public stageOf;"
    : "    uint256 public stage;\n    address public operator;\n    uint256 public memo;";
  const middle = depth > 2 ? random.between(1, depth - 1) : 1;
  const reached = (level) => ({
    name: `invariant_stage${level}IsNotReached`,
    assertion: `target.deepest() < ${level}`,
    calls: calls.slice(0, level),
  });
  return {
    family: "machine",
    guards: guards.map(({ kind }) => kind),
    derived: guards.flatMap(({ derived }) => derived),
    note: `${depth} stages, each with a guard${keyed ? ", for each account" : ""}.`,
    contracts: `contract ${name} {
${state}
    uint256 public deepest;
    uint256 public advances;

${functions.join("\n\n")}
}`,
    keyed: true,
    target: name,
    properties: [
      reached(middle),
      reached(depth),
      { name: "invariant_advancesAreCounted", assertion: "target.advances() >= target.deepest()" },
      { name: "invariant_noStageBehindTheLast", assertion: `target.deepest() <= ${depth}` },
    ],
  };
}
