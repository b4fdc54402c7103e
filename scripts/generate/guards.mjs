// Generates guards: conditions on the arguments of a call, each with arguments that satisfy it. Their arithmetic
// wraps, so they have to be used in an `unchecked` block.
//
// A guard is { kind, params, condition, args, derived }: the parameters with their types, a Solidity expression over
// them, the satisfying arguments as Solidity expressions, and the values of these that must not occur in the sources.

const WORD = 1n << 256n;

/** Formats a number as a literal. Large numbers get all 64 digits, so that none looks like an address. */
export function literal(value) {
  if (value < 0n) return `-${literal(-value)}`;
  if (value < 1n << 64n) return value.toString().replace(/\B(?=(\d{3})+$)/g, value > 9999n ? "_" : "");
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Draws a constant (small, of 32 bits, or a full word) and a common type that can hold it. */
function constant(random) {
  const [bits, types] = random.pick([
    [10, ["uint16", "uint64", "uint256"]],
    [32, ["uint32", "uint64", "uint256"]],
    [256, ["uint256"]],
  ]);
  return { value: random.bits(bits) | (1n << BigInt(bits - 2)), type: random.pick(types) };
}

const wrap = (value) => ((value % WORD) + WORD) % WORD;
const wide = (type, name) => (type === "uint256" ? name : `uint256(${name})`);

const KINDS = {
  /** The solution is a literal in the source, so a dictionary of constants has it. */
  equal(random) {
    const { value, type } = constant(random);
    return { params: [`${type} a`], condition: `a == ${literal(value)}`, args: [literal(value)], derived: [] };
  },

  linear(random) {
    const { value, type } = constant(random);
    const [factor, offset] = [BigInt(random.between(1, 40) * 2 + 1), BigInt(random.between(1, 9999))];
    const target = wrap(value * factor + offset);
    return {
      params: [`${type} a`],
      condition: `${wide(type, "a")} * ${factor} + ${literal(offset)} == ${literal(target)}`,
      args: [literal(value)],
      derived: [value],
    };
  },

  signed(random) {
    const [value, factor] = [-random.bits(random.pick([12, 31])) - 7n, BigInt(random.between(2, 60))];
    const offset = BigInt(random.between(1, 999));
    return {
      params: ["int64 a"],
      condition: `int256(a) * ${factor} - ${offset} == ${literal(value * factor - offset)}`,
      args: [literal(value)],
      derived: [value],
    };
  },

  quadratic(random) {
    const [value, factor] = [random.bits(random.pick([9, 16, 30])) + 11n, BigInt(random.between(2, 99))];
    return {
      params: ["uint64 a"],
      condition: `uint256(a) * a + uint256(a) * ${factor} == ${literal(value * value + value * factor)}`,
      args: [literal(value)],
      derived: [value],
    };
  },

  masked(random) {
    const [value, mask] = [random.bits(256), random.bits(256)];
    return {
      params: ["bytes32 a"],
      condition: `uint256(a) ^ ${literal(mask)} == ${literal(value ^ mask)}`,
      args: [`bytes32(uint256(${literal(value)}))`],
      derived: [value],
    };
  },

  remainder(random) {
    const modulus = BigInt(random.between(500, 70_000));
    const rest = random.bits(40) % modulus;
    const value = modulus * BigInt(random.between(3, 9)) + rest;
    return {
      params: ["uint256 a"],
      condition: `a % ${literal(modulus)} == ${literal(rest)} && a > ${literal(modulus)}`,
      args: [literal(value)],
      derived: [value],
    };
  },

  window(random) {
    const low = random.bits(random.pick([12, 32, 120])) + 5n;
    const width = BigInt(random.between(3, 400));
    const value = low + 1n + (random.bits(32) % (width - 2n));
    return {
      params: ["uint256 a"],
      condition: `a > ${literal(low)} && a < ${literal(low + width)}`,
      args: [literal(value)],
      derived: [value],
    };
  },

  /** The condition depends on two arguments. One alone cannot satisfy it. */
  pair(random) {
    const [first, second] = [random.bits(24) + 100n, random.bits(24) + 100n];
    const factor = BigInt(random.between(2, 30));
    return {
      params: ["uint64 a", "uint64 b"],
      condition:
        `uint256(a) + uint256(b) * ${factor} == ${literal(first + second * factor)} ` +
        `&& b > ${literal(second - BigInt(random.between(1, 90)))}`,
      args: [literal(first), literal(second)],
      derived: [first, second],
    };
  },
};

/** Returns a condition that depends on a value (`memo`) that the state stores from an earlier call. */
function remembered(random, memo) {
  const [factor, offset] = [BigInt(random.between(1, 12)), BigInt(random.between(1, 9999))];
  const value = wrap(memo * factor + offset);
  return {
    params: ["uint256 a"],
    condition: `a == memo * ${factor} + ${literal(offset)}`,
    args: [literal(value)],
    derived: [value],
  };
}

/** Draws a guard. With `memo`, the value of the state variable of that name, the guard may depend on the variable. */
export function guard(random, memo) {
  const kinds = Object.keys(KINDS);
  const kind = memo !== undefined && random.chance(25) ? "remembered" : random.pick(kinds);
  return { kind, ...(kind === "remembered" ? remembered(random, memo) : KINDS[kind](random)) };
}

/** Returns the value of a guard's first argument as a word, for systems that store it. */
export function word({ args }) {
  const text = args[0].replace(/^bytes32\(uint256\((.*)\)\)$/, "$1").replaceAll("_", "");
  return wrap(text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));
}

/** Returns a Solidity expression for the same word. */
export function wordOf({ params }) {
  const type = params[0].split(" ")[0];
  if (type.startsWith("int")) return "uint256(int256(a))";
  return type === "uint256" ? "a" : "uint256(a)";
}
