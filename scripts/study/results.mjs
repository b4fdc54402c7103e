// What the study measures of a run, from the suites of the JSON report.

/** Kinds of coverage: those of the study, section 3.2. */
export const KINDS = ["instructions", "branches", "events", "calls"];

/**
 * Returns the covered and total numbers of all contracts together, by kind. A contract may be in several suites; the
 * one that covers most of it counts.
 */
export function coverageOf(suites) {
  const best = new Map();
  for (const { harvey } of Object.values(suites)) {
    for (const [id, counts] of Object.entries(harvey?.contracts ?? {})) {
      const known = best.get(id);
      const merged = KINDS.map((kind) => [kind, [Math.max(counts[kind][0], known?.[kind][0] ?? 0), counts[kind][1]]]);
      best.set(id, Object.fromEntries(merged));
    }
  }
  const sum = (kind, place) => [...best.values()].reduce((total, counts) => total + counts[kind][place], 0);
  return Object.fromEntries(KINDS.map((kind) => [kind, [sum(kind, 0), sum(kind, 1)]]));
}

/** Returns the calls made, and the sequences and calls that were kept for different paths. */
export function sizeOf(suites) {
  const stats = Object.values(suites).map(({ harvey }) => harvey?.stats).filter(Boolean);
  const sum = (of) => stats.reduce((total, one) => total + of(one), 0);
  return { calls: sum((one) => one.calls), kept: sum((one) => one.suite[0]), keptCalls: sum((one) => one.suite[1]) };
}
