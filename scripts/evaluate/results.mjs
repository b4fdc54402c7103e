// Converts the output of a tester to the record of a run.

const isNamed = (signature, fn) => signature.replace(/\(.*/, "") === fn.replace(/\(.*/, "");
const figure = ({ executions, calls, seconds, cpu_seconds, operator }) => ({
  ...{ executions, calls, seconds, cpu: cpu_seconds ?? seconds, operator },
});

/** Returns the report that `test --json` printed. With a corpus, Forge also prints lines about its progress. */
export function reportOf(stdout) {
  const report = stdout.split("\n").findLast((line) => line.startsWith("{") && !line.startsWith('{"timestamp"'));
  return report && JSON.parse(report);
}

/** Returns the figures at which each goal of a bug was met, in the order of time. */
function meetings({ goals }, suite) {
  const met = goals.flatMap(({ test, finding, oracle }) => {
    const { findings, stats } = suite.harvey;
    if (test) return stats.found[test] ?? [];
    const named = findings.filter((shown) => isNamed(shown.function, finding));
    return named.filter((shown) => new RegExp(oracle).test(shown.oracle)).map(({ id }) => stats.found[id]);
  });
  return met.sort((a, b) => a.executions - b.executions);
}

/** Reduces a curve to a few points, with the first and the last one. This is enough for a plot. */
function thin(curve, points = 16) {
  if (curve.length <= points) return curve;
  return Array.from({ length: points }, (_, index) => curve[Math.round((index * (curve.length - 1)) / (points - 1))]);
}

/** Returns the suite of a case in a report. */
function suiteOf(entry, report) {
  const suites = Object.entries(report).filter(([id]) => id.endsWith(`:${entry.contract}`));
  if (suites.length !== 1) throw new Error(`${entry.id}: ${suites.length} suites ran`);
  return suites[0][1];
}

/** Returns the same as `harveyResult`, with the number of covered instructions and all points of the curve. */
export function campaignResult(entry, report) {
  const { harvey } = suiteOf(entry, report);
  const instructions = Object.values(harvey.contracts).reduce((sum, { instructions: [ran] }) => sum + ran, 0);
  const { bugs, stats } = harveyResult(entry, report);
  return { bugs, instructions, stats: { ...stats, coverage: harvey.stats.coverage } };
}

/** Returns each bug with its figures or null, and the statistics, from forge-harvey's report. */
export function harveyResult(entry, report) {
  const suite = suiteOf(entry, report);
  const failures = Object.entries(suite.test_results).filter(([, { status }]) => status === "Failure");
  const unable = failures.find(([name]) => /^(setUp|constructor)/.test(name));
  if (unable) throw new Error(`${entry.id}: ${unable[0]}: ${unable[1].reason}`);
  const bugs = entry.bugs.map((bug) => {
    const met = meetings(bug, suite);
    return [bug.id, met.length >= bug.count ? figure(met[bug.count - 1]) : null];
  });
  const { seconds, calls, executions, paths, branches, predictions, property_predictions, coverage = [] } = suite.harvey.stats;
  const techniques = Object.entries(suite.harvey.stats.techniques ?? {}).map(([name, { operators, ...account }]) => [name, account]);
  const kept = suite.harvey.stats.suite;
  const stats = { techniques: Object.fromEntries(techniques), kept, seconds, calls, executions, paths, branches, predictions, property_predictions, coverage: thin(coverage) };
  return { bugs: Object.fromEntries(bugs), stats };
}

/** Tells whether one of Forge's results meets a goal: the test failed, or a failing sequence ends in the function. */
function forgeShows({ test, finding }, results) {
  if (test) return results[test]?.status === "Failure";
  return Object.values(results).some(({ status, counterexample }) => {
    const last = counterexample?.Sequence?.[1].at(-1);
    return status === "Failure" && last !== undefined && isNamed(last.func_name ?? "", finding);
  });
}

/** Returns which bugs were found, from Forge's report. It has one failure for each test, and no times. */
export function forgeResult(entry, report) {
  const { test_results: results } = suiteOf(entry, report);
  const found = (bug) => bug.count === 1 && bug.goals.some((goal) => forgeShows(goal, results));
  const calls = Object.values(results).reduce((sum, { kind }) => sum + (kind.Invariant?.calls ?? 0), 0);
  return { bugs: Object.fromEntries(entry.bugs.map((bug) => [bug.id, found(bug) ? {} : null])), stats: { calls } };
}
