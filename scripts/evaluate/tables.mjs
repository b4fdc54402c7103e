// Tables over the records of a raw file, as rows of cells and as sentences about them. A run that missed a bug counts
// as the cap.
import { cases } from "./cases.mjs";
import { PARTS } from "./plans.mjs";
import { a12, mannWhitney, median } from "./statistics.mjs";

/** What a miss counts as, and the bars of the papers' comparison. */
export const CAP = 300_000;
const BARS = { prediction: 5.65, coverage: 1.26, demandDriven: 0.29, neverSolved: 1 / 3, oneShot: 0.9 };

const whole = (number) => Math.round(number).toLocaleString("en-US");
const short = (number) => (number >= 100 ? whole(number) : number.toFixed(2));
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const pValue = (p) => (p < 0.001 ? "< 0.001" : p.toFixed(3));
const verdict = (passed) => (passed ? "pass" : "FAIL");

/** Lists of values by two keys, in the order in which they came. */
function group(records, valuesOf) {
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

/** Executions to each bug: row `case bug`, column configuration. */
function executionsToBug(records) {
  const bugs = records.filter(({ measure }) => measure === "bug");
  return group(bugs, ({ case: id, configuration, bugs: found }) =>
    Object.entries(found).map(([bug, at]) => [`${id} ${bug}`, configuration, at?.executions ?? CAP]),
  );
}

/** Branches covered: row case, column configuration. */
function branchesCovered(records) {
  const runs = records.filter(({ measure }) => measure === "coverage");
  return group(runs, ({ case: id, configuration, stats }) => [[id, configuration, stats.branches]]);
}

const solved = (values) => `${values.filter((value) => value < CAP).length}/${values.length}`;
const hasAll = (columns, names) => names.every((name) => columns.has(name));

/** Median over the rows of the ratio of medians of two columns. */
function medianRatio(groups, first, second) {
  const rows = [...groups.values()].filter((columns) => hasAll(columns, [first, second]));
  if (rows.length === 0) return undefined;
  return median(rows.map((columns) => median(columns.get(first)) / median(columns.get(second))));
}

/** The examples of the papers against what is required. */
export function barsTable(records) {
  const runs = records.filter(({ set, configuration }) => set === "papers" && configuration === "full");
  const groups = executionsToBug(runs);
  const rows = cases(["papers"]).map(({ id, bugs: [bug], title, required, paper }) => {
    const values = groups.get(`${id} ${bug.id}`)?.get("full");
    if (!values) return [title, paper, whole(required), "not measured", "", "", ""];
    const range = `${whole(Math.min(...values))} to ${whole(Math.max(...values))}`;
    return [title, paper, whole(required), whole(median(values)), range, solved(values), verdict(median(values) <= required)];
  });
  return { rows: [["case", "paper", "at most", "median", "range", "found", ""], ...rows] };
}

/** How often the first run of a prediction flips the chosen branch, by set. */
export function predictionsTable(records) {
  const runs = records.filter(({ configuration, measure }) => configuration === "full" && measure === "bug");
  const sets = group(runs.filter(({ stats }) => stats.predictions), ({ set, stats }) => [[set, "all", stats.predictions]]);
  const rows = [...sets].map(([set, columns]) => {
    const sum = (key) => columns.get("all").reduce((total, predictions) => total + predictions[key], 0);
    const [tried, once, iterated] = ["tried", "one_shot", "iterated"].map(sum);
    const bar = set === "papers" || set === "evaluation" ? verdict(once >= BARS.oneShot * tried) : "";
    return [set, whole(tried), tried ? percent(once / tried) : "-", tried ? percent(iterated / tried) : "-", bar];
  });
  return { rows: [["set", "predictions", "one-shot", "by iterating", "at least 90 %"], ...rows] };
}

/** Two columns compared in a row: factor of the medians, p-value, effect size. */
function compare(columns, worse, better) {
  const [slow, fast] = [columns.get(worse), columns.get(better)];
  return [short(median(slow) / median(fast)), pValue(mannWhitney(fast, slow)), a12(fast, slow).toFixed(2)];
}

/** The papers' configurations. */
export function ablationTable(records) {
  const names = ["A", "B", "C", "D"];
  const runs = records.filter(({ configuration }) => names.includes(configuration));
  const groups = new Map([...executionsToBug(runs)].filter(([, columns]) => hasAll(columns, names)));
  const branches = branchesCovered(runs);
  const header = ["bug", ...names, "found A B C D", "A/B", "p", "A12 of B", "A/D", "p", "A12 of A", "B/C", "p", "A12 of B", "branches A", "B"];
  const rows = [...groups].map(([bug, columns]) => {
    const covered = branches.get(bug.split(" ")[0]) ?? new Map();
    const forward = compare(columns, "D", "A");
    const iterated = compare(columns, "C", "B");
    return [
      bug,
      ...names.map((name) => whole(median(columns.get(name)))),
      names.map((name) => solved(columns.get(name))).join(" "),
      ...compare(columns, "A", "B"),
      short(median(columns.get("A")) / median(columns.get("D"))),
      ...forward.slice(1),
      short(median(columns.get("B")) / median(columns.get("C"))),
      ...iterated.slice(1),
      ...["A", "B"].map((name) => (covered.has(name) ? whole(median(covered.get(name))) : "-")),
    ];
  });
  return { rows: [header, ...rows], summary: summary(groups, branches) };
}

function summary(groups, branches) {
  const line = (what, value, required, passed) => [what, value === undefined ? "-" : short(value), required, value === undefined ? "" : verdict(passed(value))];
  const never = [...groups.values()].filter((columns) => columns.get("A").every((value) => value >= CAP)).length;
  const share = groups.size > 0 ? never / groups.size : undefined;
  return [
    ["median over the bugs (of the cases, for coverage)", "measured", "required", ""],
    line("A/B: without prediction against with", medianRatio(groups, "A", "B"), `at least ${BARS.prediction}`, (value) => value >= BARS.prediction),
    line("branches of B / A", medianRatio(branches, "B", "A"), `at least ${BARS.coverage}`, (value) => value >= BARS.coverage),
    line("A/D: demand-driven against paths over all transactions", medianRatio(groups, "A", "D"), `at most ${BARS.demandDriven}`, (value) => value <= BARS.demandDriven),
    line("B/C: iterated against one step", medianRatio(groups, "B", "C"), "no bar", () => true).with(3, ""),
    line("share of bugs that A never finds", share, "at most a third", (value) => value <= BARS.neverSolved),
  ];
}

/** The default against the default without each of its parts. */
export function partsTable(records) {
  const names = PARTS.map((part) => `full-${part}`);
  const runs = records.filter(({ configuration }) => configuration === "full" || names.includes(configuration));
  const groups = new Map([...executionsToBug(runs)].filter(([, columns]) => columns.has("full") && columns.size > 1));
  const rows = [...groups].map(([bug, columns]) => [
    bug,
    ...["full", ...names].map((name) => (columns.has(name) ? `${whole(median(columns.get(name)))} (${solved(columns.get(name))})` : "-")),
  ]);
  const parts = PARTS.map((part) => {
    const both = [...groups.values()].filter((columns) => columns.has(`full-${part}`));
    if (both.length === 0) return [part, "-", "-", "-", "-"];
    const differ = both.filter((columns) => mannWhitney(columns.get("full"), columns.get(`full-${part}`)) < 0.05);
    const better = differ.filter((columns) => a12(columns.get("full"), columns.get(`full-${part}`)) > 0.5).length;
    const effect = median(both.map((columns) => a12(columns.get("full"), columns.get(`full-${part}`))));
    return [part, short(medianRatio(groups, `full-${part}`, "full")), better, differ.length - better, effect.toFixed(2)];
  });
  return {
    rows: [["bug", "full", ...PARTS.map((part) => `without ${part}`)], ...rows],
    summary: [["without", "factor, median over the bugs", "bugs where it helps (p < 0.05)", "where it harms", "A12, median"], ...parts],
  };
}

const TESTERS = ["full", "forge", "forge-corpus"];

/** forge-harvey and the real forge at equal calls and at equal wall time. */
export function forgeTable(records) {
  const runs = records.filter(({ measure, configuration }) => ["calls", "seconds"].includes(measure) && TESTERS.includes(configuration));
  const groups = group(runs, ({ case: id, set, configuration, measure, bugs }) =>
    Object.entries(bugs).map(([bug, at]) => [`${id} ${bug}`, `${measure} ${configuration}`, { set, found: at !== null }]),
  );
  const columns = ["calls", "seconds"].flatMap((measure) => TESTERS.map((tester) => `${measure} ${tester}`));
  const rate = (row, column) => {
    const values = row.get(column) ?? [];
    return values.filter(({ found }) => found).length / (values.length || 1);
  };
  const rows = [...groups].map(([bug, row]) => [
    bug,
    ...columns.map((column) => (row.has(column) ? `${row.get(column).filter(({ found }) => found).length}/${row.get(column).length}` : "-")),
  ]);
  const setOf = (row) => [...row.values()][0][0].set;
  const sets = [...new Set([...groups.values()].map(setOf))];
  const totals = [...sets, "all"].map((set) => {
    const inside = [...groups.values()].filter((row) => set === "all" || setOf(row) === set);
    return [set, inside.length, ...columns.map((column) => inside.reduce((sum, row) => sum + rate(row, column), 0).toFixed(1))];
  });
  const better = [...groups].filter(([, row]) =>
    ["calls", "seconds"].some((measure) => ["forge", "forge-corpus"].some((forge) => rate(row, `${measure} ${forge}`) > rate(row, `${measure} full`))),
  );
  return {
    rows: [["bug", ...columns.map((column) => column.replace("full", "ours").replace("calls", "equal calls,").replace("seconds", "equal time,"))], ...rows],
    summary: [["set", "bugs", ...columns.map((column) => `found: ${column.replace("full", "ours")}`)], ...totals],
    better: better.map(([bug]) => bug),
  };
}
