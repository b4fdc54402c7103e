// Tables 2 to 4 of the Harvey paper: time to each bug and coverage of instructions, by configuration.
import { a12, mannWhitney, median } from "./statistics.mjs";
import { COMPARED, CONFIGURATIONS, comparisons, group, hasAll, medianRatio, pValue, short, whole } from "./tables.mjs";

/** Returns the runs of the last limit that was measured. */
function campaigns(records) {
  const runs = records.filter(({ measure }) => measure === "campaign");
  return runs.filter(({ limit }) => limit === runs.at(-1).limit);
}

/** Compares the times to each bug (Tables 2 and 4) and the covered instructions (Table 3). */
export function harveyTable(records) {
  const runs = campaigns(records);
  if (runs.length === 0) return { summary: [["not measured"]], rows: [], instructions: [] };
  const { limit } = runs[0];
  const seconds = group(runs, ({ case: id, configuration, bugs }) =>
    Object.entries(bugs).map(([bug, at]) => [`${id} ${bug}`, configuration, at?.cpu ?? limit]),
  );
  const times = new Map([...seconds].filter(([, columns]) => hasAll(columns, CONFIGURATIONS)));
  const covered = group(runs, ({ case: id, configuration, instructions }) => [[id, configuration, instructions]]);
  const instructions = new Map([...covered].filter(([, columns]) => hasAll(columns, ["A", "B"])));
  const growth = (columns) => median(columns.get("B")) / median(columns.get("A"));
  const rows = [...instructions].map(([id, columns]) => {
    const [a, b] = ["A", "B"].map((name) => columns.get(name));
    return [id, whole(median(a)), whole(median(b)), short(growth(columns)), pValue(mannWhitney(a, b)), a12(a, b).toFixed(2)];
  });
  const shown = (first, second) => {
    const ratio = medianRatio(times, first, second, limit);
    return ratio === undefined ? "-" : short(ratio);
  };
  return {
    summary: [
      ["median", "measured", "paper"],
      ["A/B: time to a bug without prediction, with (Table 2)", shown("A", "B"), "5.65"],
      ["B/A: covered instructions with prediction, without (Table 3)", short(median([...instructions.values()].map(growth))), "1.26"],
      ["A/D: time to a bug with demand-driven sequences, without (Table 4)", shown("A", "D"), "0.29"],
      ["B/C: time to a bug with iterated prediction, with one step", shown("B", "C"), "-"],
    ],
    rows: [["bug", ...COMPARED], ...[...times].map(([bug, columns]) => [bug, ...comparisons(columns, short, limit)])],
    instructions: [["case", "instructions A", "B", "B/A", "p", "A12 of B"], ...rows],
  };
}
