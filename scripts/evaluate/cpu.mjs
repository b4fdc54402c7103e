// Tables of the CPU time to each bug. They compare the default with random sequences of the same binary and of the
// baseline, by restricted means, exact tests adjusted over all bugs, and effect sizes with intervals.
import { a12, a12Interval, geometricMean, holm, mannWhitney, restrictedMean, survival } from "./statistics.mjs";

/** Seconds that a rival must need for a bug so that the bug counts in the mean over deep bugs. */
const SHALLOW = 1;
/** Bounds for a significantly worse result. */
const WORSE = { p: 0.05, a12: 0.36 };
/** Parts of the limit at which the share of runs without the bug is shown. */
const POINTS = [0.01, 0.03, 0.1, 0.3, 1];
const RIVALS = ["random", "frozen-walks", "frozen-full"];

const seconds = (number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2));
const pValue = (p) => (p < 0.001 ? "< 0.001" : p.toFixed(3));

/**
 * Returns the times to each bug by case, bug and limit, then by configuration. A run that missed it has infinite
 * time.
 */
function timesToBug(records) {
  const groups = new Map();
  for (const { case: id, configuration, limit, bugs } of records.filter(({ measure }) => measure === "cpu")) {
    for (const [bug, found] of Object.entries(bugs)) {
      const key = JSON.stringify([id, bug, limit]);
      if (!groups.has(key)) groups.set(key, new Map());
      const columns = groups.get(key);
      const time = found && found.cpu <= limit ? found.cpu : Infinity;
      columns.set(configuration, [...(columns.get(configuration) ?? []), time]);
    }
  }
  return [...groups].map(([key, columns]) => ({ row: JSON.parse(key), columns }));
}

/** Returns the restricted mean of a configuration's times to a bug. */
const mean = ({ row: [, , limit], columns }, name) => restrictedMean(columns.get(name), limit);

/** Returns the better of the configurations of random sequences that were run. */
function bestWalk(group) {
  const walks = ["random", "frozen-walks"].filter((name) => group.columns.has(name));
  return walks.sort((a, b) => mean(group, a) - mean(group, b))[0];
}

/** Returns a row of figures for each bug, and a summary. */
export function cpuTable(records) {
  const isCompared = ({ columns }) => columns.has("full") && RIVALS.some((name) => columns.has(name));
  const groups = timesToBug(records).filter(isCompared);
  const rivals = RIVALS.filter((name) => groups.some(({ columns }) => columns.has(name)));
  const compared = groups.map((group) => {
    const walk = bestWalk(group);
    const [full, other] = [group.columns.get("full"), group.columns.get(walk)];
    return walk ? { ...group, walk, p: mannWhitney(full, other), a12: a12(full, other), interval: a12Interval(full, other) } : group;
  });
  const adjusted = holm(compared.map(({ p }) => p ?? 1));
  const curve = (times, limit) => survival(times, POINTS.map((part) => part * limit)).map((share) => share.toFixed(2)).join(" ");
  const header = ["bug", "limit, s", "default", "not found by 1, 3, 10, 30, 100 %", ...rivals.flatMap((name) => [name, "found"]), "p", "A12", "95 %"];
  const rows = compared.map(({ row: [id, bug, limit], columns, p, a12: effect, interval }, index) => {
    const shown = (name) => {
      const times = columns.get(name);
      return times ? [seconds(restrictedMean(times, limit)), `${times.filter(Number.isFinite).length}/${times.length}`] : ["-", "-"];
    };
    const [mean, found] = shown("full");
    return [
      `${id} ${bug}`,
      String(limit),
      `${mean} (${found})`,
      curve(columns.get("full"), limit),
      ...rivals.flatMap(shown),
      ...(p === undefined ? ["-", "-", "-"] : [pValue(adjusted[index]), effect.toFixed(2), interval.map((end) => end.toFixed(2)).join(" to ")]),
    ];
  });
  return { rows: [header, ...rows], summary: summary(compared, adjusted, rivals) };
}

/**
 * Returns the factor by which bugs take longer without each part, in the geometric mean of restricted means, and the
 * numbers of bugs that are found significantly later or earlier without it.
 */
export function cpuPartsTable(records, parts) {
  const groups = timesToBug(records).filter(({ columns }) => columns.has("full"));
  const names = parts.map((part) => `full-${part}`).filter((name) => groups.some(({ columns }) => columns.has(name)));
  const found = ({ columns }, name) => columns.get(name).filter(Number.isFinite).length;
  const rows = names.map((name) => {
    const both = groups.filter(({ columns }) => columns.has(name));
    const total = (of) => String(both.reduce((sum, group) => sum + found(group, of), 0));
    const ratio = geometricMean(both.map((group) => mean(group, name) / mean(group, "full")));
    const [later, earlier] = significant(both, name);
    return [name.replace("full-", ""), String(both.length), ratio.toFixed(2), total("full"), total(name), later, earlier];
  });
  const tested = (how) => `found significantly ${how} without (before correction)`;
  return [["without", "bugs", "times as long", "found by the default, all runs", "found without", tested("later"), tested("earlier")], ...rows];
}

/** Returns the numbers of bugs that a configuration finds significantly later and earlier than the default. */
function significant(groups, name) {
  const raw = groups.map(({ columns }) => mannWhitney(columns.get("full"), columns.get(name)));
  const adjusted = holm(raw);
  const isLater = ({ columns }) => a12(columns.get("full"), columns.get(name)) > 0.5;
  const count = (values, later) => groups.filter((group, index) => values[index] < WORSE.p && isLater(group) === later).length;
  return [true, false].map((later) => `${count(adjusted, later)} (${count(raw, later)})`);
}

function summary(compared, adjusted, rivals) {
  const measured = compared.map((group, index) => ({ ...group, p: adjusted[index], raw: group.p })).filter(({ walk }) => walk);
  const isWorse = ({ raw, a12: effect }) => raw < WORSE.p && effect < WORSE.a12;
  const factor = (name) => {
    const both = compared.filter(({ columns }) => columns.has(name));
    const deep = both.filter((group) => mean(group, name) >= SHALLOW);
    const ratio = (groups) => (groups.length > 0 ? geometricMean(groups.map((group) => mean(group, name) / mean(group, "full"))).toFixed(2) : "-");
    return [`${name}, in the geometric mean of restricted means`, ratio(deep), ratio(both)];
  };
  const worse = measured.filter(isWorse).map(({ row: [id, bug] }) => `${id} ${bug}`);
  return [
    ["how many times better the default is than", `bugs that it needs ${SHALLOW} s and more for`, "all bugs"],
    ...rivals.map(factor),
    [`significantly worse than the better of random and frozen-walks (p < ${WORSE.p} before correction, A12 < ${WORSE.a12})`, String(worse.length), worse.join(", ") || "none"],
  ];
}
