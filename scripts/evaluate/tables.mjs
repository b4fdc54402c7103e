// Tables of the records in a raw file, as rows of cells. A run that missed a bug counts as the cap.
import { cases } from "./cases.mjs";
import { PARTS } from "./plans.mjs";
import { a12, mannWhitney, median } from "./statistics.mjs";

/** Executions that a missed bug counts as, and the required results for the configurations of the papers. */
export const CAP = 60_000;
const BARS = { prediction: 5.65, coverage: 1.26, demandDriven: 0.29, neverSolved: 1 / 3, oneShot: 0.9 };

export const whole = (number) => Math.round(number).toLocaleString("en-US");
export const short = (number) => (number >= 100 ? whole(number) : number.toFixed(2));
const percent = (share) => `${(100 * share).toFixed(1)} %`;
export const pValue = (p) => (p < 0.001 ? "< 0.001" : p.toFixed(3));
const verdict = (passed) => (passed ? "pass" : "FAIL");

/** Groups values by two keys. The order stays. */
export function group(records, valuesOf) {
  const groups = new Map();
  for (const record of records) {
    for (const [row, column, value] of valuesOf(record)) {
      if (!groups.has(row)) groups.set(row, new Map());
      const columns = groups.get(row);
      columns.set(column, [...(columns.get(column) ?? []), value]);
    }
  }
  return groups;
}

/** Returns the executions to each bug. The row is `case bug`, the column is the configuration. */
function executionsToBug(records) {
  const bugs = records.filter(({ measure }) => measure === "bug");
  return group(bugs, ({ case: id, configuration, bugs: found }) =>
    Object.entries(found).map(([bug, at]) => [`${id} ${bug}`, configuration, at?.executions ?? CAP]),
  );
}

/** Returns the branches covered. The row is the case, the column is the configuration. */
function branchesCovered(records) {
  const runs = records.filter(({ measure }) => measure === "coverage");
  return group(runs, ({ case: id, configuration, stats }) => [[id, configuration, stats.branches]]);
}

const solved = (values, cap = CAP) => `${values.filter((value) => value < cap).length}/${values.length}`;
export const hasAll = (columns, names) => names.every((name) => columns.has(name));

/**
 * Returns the median over the rows of the ratio of the medians of two columns. A row counts if at least one of the two
 * found the bug (Harvey, RQ3): if a value is below the cap.
 */
export function medianRatio(groups, first, second, cap = CAP) {
  const found = (columns) => [first, second].some((name) => columns.get(name).some((value) => value < cap));
  const rows = [...groups.values()].filter((columns) => hasAll(columns, [first, second]) && found(columns));
  if (rows.length === 0) return undefined;
  return median(rows.map((columns) => median(columns.get(first)) / median(columns.get(second))));
}

/** Compares the examples of the papers with the required executions. */
export function barsTable(records) {
  const runs = records.filter(({ set, configuration }) => set === "papers" && configuration === "full");
  const groups = executionsToBug(runs);
  const rows = cases(["papers"]).map(({ id, bugs: [bug], title, required, paper }) => {
    const values = groups.get(`${id} ${bug.id}`)?.get("full");
    if (!values) return [title, paper, whole(required), "not measured", "", "", ""];
    const range = `${whole(Math.min(...values))} to ${whole(Math.max(...values))}`;
    const passed = verdict(median(values) <= required);
    return [title, paper, whole(required), whole(median(values)), range, solved(values), passed];
  });
  return { rows: [["case", "paper", "at most", "median", "range", "found", ""], ...rows] };
}

/**
 * Counts predictions by set: how many flip the chosen branch at their first run, how many flip it later, and how many
 * do not reach the branch or come no nearer at their first run. The last two may flip it later, too. Predictions for
 * branches of properties are also counted separately.
 */
export function predictionsTable(records) {
  const runs = records.filter(({ measure, stats }) => (measure === "bug" || measure === "cpu") && stats?.property_predictions);
  const sets = group(runs.filter(({ configuration }) => configuration === "full"), ({ set, stats }) => [[set, "all", stats]]);
  const rows = [...sets].map(([set, columns]) => {
    const sum = (kind, key) => columns.get("all").reduce((total, stats) => total + stats[kind][key], 0);
    const [tried, once] = ["tried", "one_shot"].map((key) => sum("predictions", key));
    const [ofProperties, flipped] = ["tried", "one_shot"].map((key) => sum("property_predictions", key));
    const part = (number, total) => (total > 0 ? percent(number / total) : "-");
    const others = ["iterated", "unreached", "no_nearer"].map((key) => part(sum("predictions", key), tried));
    const ofCode = part(once - flipped, tried - ofProperties);
    const bar = set === "papers" || set === "evaluation" ? verdict(once >= BARS.oneShot * tried) : "";
    return [set, whole(tried), part(once, tried), ...others, ofCode, whole(ofProperties), part(flipped, ofProperties), bar];
  });
  const header = ["set", "predictions", "one-shot", "by iterating", "not reached", "no nearer", "one-shot, code alone"];
  return { rows: [[...header, "for properties", "one-shot", "at least 90 %"], ...rows] };
}

/** Compares two columns in a row. Returns the ratio of the medians, the p-value and the effect size. */
function compare(columns, worse, better) {
  const [slow, fast] = [columns.get(worse), columns.get(better)];
  return [short(median(slow) / median(fast)), pValue(mannWhitney(fast, slow)), a12(fast, slow).toFixed(2)];
}

/** Configurations of the Harvey paper. */
export const CONFIGURATIONS = ["A", "B", "C", "D"];
export const COMPARED = [...CONFIGURATIONS, "found A B C D", "A/B", "p", "A12 of B", "A/D", "p", "A12 of A", "B/C", "p", "A12 of B"];

/** Compares the configurations in the figures at which they found a bug, in the columns `COMPARED`. */
export function comparisons(columns, shown, cap = CAP) {
  const ratio = (first, second) => short(median(columns.get(first)) / median(columns.get(second)));
  return [
    ...CONFIGURATIONS.map((name) => shown(median(columns.get(name)))),
    CONFIGURATIONS.map((name) => solved(columns.get(name), cap)).join(" "),
    ...compare(columns, "A", "B"),
    ...[ratio("A", "D"), ...compare(columns, "D", "A").slice(1)],
    ...[ratio("B", "C"), ...compare(columns, "C", "B").slice(1)],
  ];
}

/** Compares the configurations of the papers. */
export function ablationTable(records) {
  const names = CONFIGURATIONS;
  const runs = records.filter(({ configuration }) => names.includes(configuration));
  const groups = new Map([...executionsToBug(runs)].filter(([, columns]) => hasAll(columns, names)));
  const branches = branchesCovered(runs);
  const rows = [...groups].map(([bug, columns]) => {
    const covered = branches.get(bug.split(" ")[0]) ?? new Map();
    const ofCase = ["A", "B"].map((name) => (covered.has(name) ? whole(median(covered.get(name))) : "-"));
    return [bug, ...comparisons(columns, whole), ...ofCase];
  });
  const header = ["bug", ...COMPARED, "branches A", "B"];
  return { rows: [header, ...rows], summary: summary(groups, branches, runs) };
}

function summary(groups, branches, runs) {
  const line = (what, value, required, passed) => {
    if (value === undefined) return [what, "-", required, ""];
    return [what, short(value), required, passed ? verdict(passed(value)) : ""];
  };
  const ratio = (first, second) => medianRatio(groups, first, second);
  const { prediction, coverage, demandDriven, neverSolved } = BARS;
  const never = [...groups.values()].filter((columns) => columns.get("A").every((value) => value >= CAP)).length;
  const share = groups.size > 0 ? never / groups.size : undefined;
  return [
    ["median over the bugs (over the cases for branches)", "measured", "required", ""],
    line("A/B: without prediction, with", ratio("A", "B"), `at least ${prediction}`, (value) => value >= prediction),
    ...[...new Set([...groups.keys()].map(setOf))].map((set) => {
      const ofThis = new Map([...groups].filter(([bug]) => setOf(bug) === set));
      return line(`A/B: ${set} alone`, medianRatio(ofThis, "A", "B"), "no bar");
    }),
    line("branches, B/A", medianRatio(branches, "B", "A"), `at least ${coverage}`, (value) => value >= coverage),
    line("A/D: demand-driven, all paths", ratio("A", "D"), `at most ${demandDriven}`, (value) => value <= demandDriven),
    line("B/C: iterated, one step", ratio("B", "C"), "no bar"),
    line("share of bugs that A never finds", share, "at most a third", (value) => value <= neverSolved),
    ...suiteSizes(runs),
  ];
}

/**
 * Returns the sequences in the test suite at the end of runs that search for a bug, and their length, for A, B, C and
 * D.
 */
function suiteSizes(runs) {
  const ended = runs.filter(({ measure, stats }) => measure === "bug" && stats?.kept);
  const columns = group(ended, ({ configuration, stats: { kept } }) => [["all", configuration, kept]]).get("all");
  if (!columns) return [];
  const medians = (of) => ["A", "B", "C", "D"].map((name) => short(median((columns.get(name) ?? []).map(of)))).join(", ");
  return [
    ["sequences in the test suite: A, B, C, D", medians(([sequences]) => sequences), "no bar", ""],
    ["calls of a sequence there: A, B, C, D", medians(([sequences, calls]) => calls / Math.max(1, sequences)), "no bar", ""],
  ];
}

/** Compares the default with the default without each of its parts. */
export function partsTable(records) {
  const names = PARTS.map((part) => `full-${part}`);
  const runs = records.filter(({ configuration }) => configuration === "full" || names.includes(configuration));
  const measured = [...executionsToBug(runs)].filter(([, columns]) => columns.has("full") && columns.size > 1);
  const groups = new Map(measured);
  const cell = (values) => (values ? `${whole(median(values))} (${solved(values)})` : "-");
  const rows = [...groups].map(([bug, columns]) => [bug, ...["full", ...names].map((name) => cell(columns.get(name)))]);
  const sets = [...new Set([...groups.keys()].map(setOf))];
  const parts = PARTS.map((part) => {
    const both = [...groups].filter(([, columns]) => columns.has(`full-${part}`));
    if (both.length === 0) return [part, ...[...sets, "", "", ""].map(() => "-")];
    const ofSet = (set) => {
      const ofThis = new Map(both.filter(([bug]) => setOf(bug) === set));
      const [helps, harms] = effects(ofThis, part);
      return `${short(medianRatio(ofThis, `full-${part}`, "full") ?? 1)} (${helps}, ${harms})`;
    };
    const effect = median(both.map(([, columns]) => a12(columns.get("full"), columns.get(`full-${part}`))));
    return [part, short(medianRatio(groups, `full-${part}`, "full")), ...effects(groups, part), effect.toFixed(2), ...sets.map(ofSet)];
  });
  const header = ["without", "factor, median", "helps in (p < 0.05)", "harms in (p < 0.05)", "A12, median"];
  return {
    rows: [["bug", "full", ...PARTS.map((part) => `without ${part}`)], ...rows],
    summary: [[...header, ...sets.map((set) => `${set}: factor (helps, harms)`)], ...parts],
  };
}

/** Returns the set of a row: `suites` for `suites/PairBugTest invariant_x()`. All generated projects are one set. */
const setOf = (bug) => bug.split("/")[0].replace(/^generated-.*/, "generated");

/** Returns for how many bugs a part helps and harms with p < 0.05. */
function effects(groups, part) {
  const both = [...groups.values()].filter((columns) => columns.has(`full-${part}`));
  const differ = both.filter((columns) => mannWhitney(columns.get("full"), columns.get(`full-${part}`)) < 0.05);
  const helps = differ.filter((columns) => a12(columns.get("full"), columns.get(`full-${part}`)) > 0.5).length;
  return [helps, differ.length - helps];
}

const MEASURES = { calls: "equal calls", seconds: "equal time" };
const TESTERS = { full: "ours", forge: "forge", "forge-corpus": "forge with corpus" };

/** Compares forge-harvey with the real forge, at equal calls and at equal wall time. */
export function forgeTable(records) {
  const runs = records.filter(({ measure, configuration }) => MEASURES[measure] && TESTERS[configuration]);
  const groups = group(runs, ({ case: id, configuration, measure, bugs }) =>
    Object.entries(bugs).map(([bug, at]) => [`${id} ${bug}`, `${measure} ${configuration}`, at !== null]),
  );
  const columns = Object.keys(MEASURES).flatMap((measure) => Object.keys(TESTERS).map((tester) => `${measure} ${tester}`));
  const pairs = columns.map((column) => column.split(" "));
  const titles = pairs.map(([measure, tester]) => `${MEASURES[measure]}: ${TESTERS[tester]}`);
  const hits = (row, column) => (row.get(column) ?? []).filter((found) => found).length;
  const rate = (row, column) => hits(row, column) / (row.get(column)?.length || 1);
  const cell = (row, column) => (row.has(column) ? `${hits(row, column)}/${row.get(column).length}` : "-");

  const setOf = new Map(runs.map(({ case: id, set }) => [id, set]));
  const totals = [...new Set(setOf.values()), "all"].map((set) => {
    const inside = [...groups].filter(([bug]) => set === "all" || setOf.get(bug.split(" ")[0]) === set);
    const sum = (column) => inside.reduce((total, [, row]) => total + rate(row, column), 0).toFixed(1);
    return [set, inside.length, ...columns.map(sum)];
  });
  const loses = (row) => (measure) =>
    ["forge", "forge-corpus"].some((tester) => rate(row, `${measure} ${tester}`) > rate(row, `${measure} full`));
  return {
    rows: [["bug", ...titles], ...[...groups].map(([bug, row]) => [bug, ...columns.map((column) => cell(row, column))])],
    summary: [["set", "bugs", ...titles], ...totals],
    better: [...groups].filter(([, row]) => Object.keys(MEASURES).some(loses(row))).map(([bug]) => bug),
  };
}
