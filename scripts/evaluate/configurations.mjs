// The configurations of forge-harvey that are compared, as values of `--without`.

/** What goes beyond the paper on Harvey: its configurations have none of it. */
const BEYOND = [
  ...["input-to-state", "dependencies", "random", "prefixes", "values", "calls", "unit-tests", "bandit"],
  ...["adaptive", "curves", "pairs", "detours"],
];

const WITHOUT = {
  /** The default. */
  full: [],
  // The papers: B is all of theirs; A lacks prediction; C iterates nothing; D is A with paths that span all transactions.
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
  "full-detours": ["detours"],
  /** The baseline at commit 65d8b56, whose names of parts are others: all of it, and without all but long random walks. */
  "frozen-full": [],
  "frozen-walks": [
    ...["prediction", "demand-driven", "adaptive", "input-to-state", "dependencies", "pairs", "detours"],
  ],
  /** Random sequences alone. */
  random: ["prediction", "demand-driven", "mutation", ...BEYOND.filter((part) => part !== "random")],
};

/** Configurations that are nothing but random sequences may spend all on them. */
export function walks(name) {
  return name === "random" || name === "frozen-walks" ? { FOUNDRY_HARVEY_RANDOM_WALKS: "100" } : {};
}

/** The flags of a configuration. */
export function flags(name) {
  const without = WITHOUT[name];
  if (!without) throw new Error(`no such configuration: ${name}; there are ${Object.keys(WITHOUT).join(", ")}`);
  return without.length > 0 ? ["--without", without.join(",")] : [];
}
