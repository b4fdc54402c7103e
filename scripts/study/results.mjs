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

/** Returns the calls made, the seconds of the search, and the sequences and calls that were kept for different paths. */
export function sizeOf(suites) {
  const stats = statsOf(suites);
  const sum = (of) => stats.reduce((total, one) => total + of(one), 0);
  const kept = { kept: sum((one) => one.suite[0]), keptCalls: sum((one) => one.suite[1]) };
  return { calls: sum((one) => one.calls), seconds: sum((one) => one.seconds), ...kept };
}

/**
 * Returns the edges of branches that the adaptive strategy covered first from seeds that cover a branch, and from those
 * that are nearest to one (sFuzz, section 5.3). Other strategies have no such seeds.
 */
export function edgesBySeed(suites) {
  const operators = statsOf(suites).flatMap(({ techniques }) => Object.values(techniques).map(({ operators }) => operators));
  const sum = (name) => operators.reduce((total, of) => total + (of[name]?.edges ?? 0), 0);
  return { covering: sum("covering"), nearest: sum("nearest") };
}

function statsOf(suites) {
  return Object.values(suites).map(({ harvey }) => harvey?.stats).filter(Boolean);
}
