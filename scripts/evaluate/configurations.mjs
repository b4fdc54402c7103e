// The configurations of forge-harvey that are compared, as values of `--without`.

/** What goes beyond the papers. */
const BEYOND = ["input-to-state", "dependencies", "walks", "pairs", "detours"];

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
  "full-walks": ["walks"],
  "full-pairs": ["pairs"],
  "full-detours": ["detours"],
};

/** The flags of a configuration. */
export function flags(name) {
  const without = WITHOUT[name];
  if (!without) throw new Error(`no such configuration: ${name}; there are ${Object.keys(WITHOUT).join(", ")}`);
  return without.length > 0 ? ["--without", without.join(",")] : [];
}
