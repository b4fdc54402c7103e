// Lists the runs of each plan: cases, configurations, bounds and seeds.
import { cases } from "./cases.mjs";

/**
 * Returns the runs of every configuration with every seed. They are ordered by seed, so that early results have all
 * cases.
 */
function cross(entries, configurations, seeds, bounds) {
  return seeds.flatMap((seed) =>
    entries.flatMap((entry) =>
      configurations.flatMap((configuration) =>
        bounds.map(([measure, limit]) => ({ entry, seed, configuration, measure, limit })),
      ),
    ),
  );
}

export const PARTS = [
  ...["prediction", "iteration", "demand-driven", "adaptive", "input-to-state", "dependencies", "random", "prefixes"],
  ...["mutation", "values", "dictionary", "calls", "unit-tests", "bandit", "curves", "pairs", "solver", "detours"],
];

const PLANS = {
  /** Compares the examples of the papers with the required numbers of executions. */
  bars({ seeds, executions }) {
    return cases(["papers"]).flatMap((entry) =>
      cross([entry], ["full"], seeds, [["bug", Math.min(entry.enough, executions)]]),
    );
  },

  /** Compares the configurations of the papers. */
  ablation({ seeds, executions, coverage }) {
    const entries = cases(["papers", "suites", "evaluation"]);
    return [
      ...cross(entries, ["A", "B"], seeds, [["coverage", coverage]]),
      ...cross(entries, ["A", "B", "C", "D"], seeds, [["bug", executions]]),
    ];
  },

  /** Repeats the experiments of the Harvey paper on realistic systems: its Tables 2 to 4 and Figure 4. */
  harvey({ seeds, seconds, sets = ["tuning", "reporting"], generated }) {
    return cross(cases([...sets, ...generated]), ["A", "B", "C", "D"], seeds, [["campaign", seconds]]);
  },

  /** Compares the default with the default without each of its parts. */
  parts({ seeds, executions, generated }) {
    const configurations = ["full", ...PARTS.map((part) => `full-${part}`)];
    return cross(cases(["suites", "evaluation", ...generated]), configurations, seeds, [["bug", executions]]);
  },

  /**
   * Measures the CPU time to each bug: of the default, of random sequences only, and of the baseline. The default
   * without a part is measured if `only` names it. A run ends at its last bug.
   */
  cpu({ seeds, cpu, sets = ["tuning"], generated, only = [] }) {
    const without = PARTS.map((part) => `full-${part}`).filter((name) => only.includes(name));
    const configurations = ["full", "random", "frozen-walks", "frozen-full", ...without];
    return cross(cases([...sets, ...generated]), configurations, seeds, [["cpu", cpu]]);
  },

  /** Measures the CPU time to each bug with and without the solver of path conditions. */
  solver({ seeds, cpu, sets = [], generated }) {
    return cross(cases([...sets, ...generated]), ["full", "full-solver"], seeds, [["cpu", cpu]]);
  },

  /** Compares the default with the real forge, with and without a corpus. */
  forge({ seeds, calls, seconds, bounds: wanted, depth, sets = ["suites", "evaluation"], generated }) {
    const bounds = [["calls", calls], ["seconds", seconds]].filter(([measure]) => wanted.includes(measure));
    const entries = cases([...sets, ...generated]);
    const jobs = cross(entries, ["full", "forge", "forge-corpus"], seeds, bounds);
    return jobs.map((job) => ({ ...job, depth }));
  },
};

/**
 * Returns the jobs of the named plans. `match` is a regular expression for the ids of cases, `only` names
 * configurations.
 */
export function jobsOf(plans, settings) {
  const unknown = plans.find((plan) => !PLANS[plan]);
  if (unknown) throw new Error(`no such plan: ${unknown}; there are ${Object.keys(PLANS).join(", ")}`);
  const jobs = plans.flatMap((plan) => PLANS[plan](settings));
  const isWanted = ({ entry, configuration }) =>
    new RegExp(settings.match).test(entry.id) && (!settings.only || settings.only.includes(configuration));
  return jobs.filter(isWanted);
}
