// What each plan runs: cases, configurations, bounds and seeds.
import { cases } from "./cases.mjs";

/** Runs of every configuration with every seed; the seeds are outermost, so that an early look sees all cases. */
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
  ...["mutation", "values", "calls", "unit-tests", "bandit", "curves", "pairs", "detours"],
];

const PLANS = {
  /** The examples of the papers against the required numbers of executions. */
  bars({ seeds, executions }) {
    return cases(["papers"]).flatMap((entry) =>
      cross([entry], ["full"], seeds, [["bug", Math.min(entry.enough, executions)]]),
    );
  },

  /** The papers' configurations. */
  ablation({ seeds, executions, coverage }) {
    const entries = cases(["papers", "suites", "evaluation"]);
    return [
      ...cross(entries, ["A", "B"], seeds, [["coverage", coverage]]),
      ...cross(entries, ["A", "B", "C", "D"], seeds, [["bug", executions]]),
    ];
  },

  /** The default without each of its parts. */
  parts({ seeds, executions, generated }) {
    const configurations = ["full", ...PARTS.map((part) => `full-${part}`)];
    return cross(cases(["suites", "evaluation", ...generated]), configurations, seeds, [["bug", executions]]);
  },

  /**
   * CPU time to each bug: the default, random sequences alone, and the baseline; the default without a part where `only` names
   * it. A run ends at its last bug.
   */
  cpu({ seeds, cpu, sets = ["tuning"], generated, only = [] }) {
    const without = PARTS.map((part) => `full-${part}`).filter((name) => only.includes(name));
    const configurations = ["full", "random", "frozen-walks", "frozen-full", ...without];
    return cross(cases([...sets, ...generated]), configurations, seeds, [["cpu", cpu]]);
  },

  /** The real forge, with and without a corpus. */
  forge({ seeds, calls, seconds, bounds: wanted, depth, sets = ["suites", "evaluation"], generated }) {
    const bounds = [["calls", calls], ["seconds", seconds]].filter(([measure]) => wanted.includes(measure));
    const entries = cases([...sets, ...generated]);
    const jobs = cross(entries, ["full", "forge", "forge-corpus"], seeds, bounds);
    return jobs.map((job) => ({ ...job, depth }));
  },
};

/** The jobs of the plans named; `match` is a regular expression over the ids of cases, `only` names configurations. */
export function jobsOf(plans, settings) {
  const unknown = plans.find((plan) => !PLANS[plan]);
  if (unknown) throw new Error(`no such plan: ${unknown}; there are ${Object.keys(PLANS).join(", ")}`);
  const jobs = plans.flatMap((plan) => PLANS[plan](settings));
  const isWanted = ({ entry, configuration }) =>
    new RegExp(settings.match).test(entry.id) && (!settings.only || settings.only.includes(configuration));
  return jobs.filter(isWanted);
}
