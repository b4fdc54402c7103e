// Lists the configurations of forge-harvey that are compared, as values of `--without`.

/** Parts that go beyond the Harvey paper. The paper's configurations lack them all. */
const BEYOND = [
  ...["input-to-state", "dependencies", "random", "prefixes", "values", "calls", "unit-tests", "bandit"],
  ...["adaptive", "curves", "pairs", "solver", "detours"],
];

const WITHOUT = {
  /** Default. */
  full: [],
  // Configurations of the Harvey paper: B is the technique of the paper; A is B without prediction; C is B without
  // iteration; D is A with paths that span all transactions.
  A: [...BEYOND, "prediction"],
  B: BEYOND,
  C: [...BEYOND, "iteration"],
  D: [...BEYOND, "prediction", "demand-driven"],
  "B-demand-driven": [...BEYOND, "demand-driven"],
  // The default without one part.
  "full-prediction": ["prediction"],
  "full-iteration": ["iteration"],
  "full-demand-driven": ["demand-driven"],
  "full-adaptive": ["adaptive"],
  "full-input-to-state": ["input-to-state"],
  "full-dependencies": ["dependencies"],
  "full-random": ["random"],
  "full-prefixes": ["prefixes"],
  "full-mutation": ["mutation"],
  "full-values": ["values"],
  "full-calls": ["calls"],
  "full-unit-tests": ["unit-tests"],
  "full-bandit": ["bandit"],
  "full-curves": ["curves"],
  "full-pairs": ["pairs"],
  "full-solver": ["solver"],
  "full-detours": ["detours"],
  /** Baseline at commit 65d8b56, which has other names of parts: all of it, and long random sequences only. */
  "frozen-full": [],
  "frozen-walks": [
    ...["prediction", "demand-driven", "adaptive", "input-to-state", "dependencies", "pairs", "detours"],
  ],
  /** Random sequences only. */
  random: ["prediction", "demand-driven", "mutation", ...BEYOND.filter((part) => part !== "random")],
};

/** Returns the setting that lets configurations of random sequences spend the whole budget on these. */
export function walks(name) {
  return name === "random" || name === "frozen-walks" ? { FOUNDRY_HARVEY_RANDOM_WALKS: "100" } : {};
}

/** Returns the flags of a configuration. */
export function flags(name) {
  const without = WITHOUT[name];
  if (!without) throw new Error(`no such configuration: ${name}; there are ${Object.keys(WITHOUT).join(", ")}`);
  return without.length > 0 ? ["--without", without.join(",")] : [];
}
