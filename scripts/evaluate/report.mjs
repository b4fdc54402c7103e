// Formats the tables as Markdown, for the parts of docs/EVALUATION.md.
import { table } from "../page.mjs";
import { cpuPartsTable, cpuTable } from "./cpu.mjs";
import { harveyTable } from "./harvey.mjs";
import { PARTS } from "./plans.mjs";
import { ablationTable, barsTable, forgeTable, partsTable, predictionsTable } from "./tables.mjs";

/** Returns, for each configuration, bound and set of cases, the records of the latest version that ran it. */
function latest(records) {
  const key = ({ configuration, measure, limit, case: id }) => [configuration, measure, limit, id.split("/")[0]].join();
  const versions = new Map(records.map((record) => [key(record), record.version]));
  const newest = records.filter((record) => record.version === versions.get(key(record)));
  return { records: newest, versions: new Set(versions.values()) };
}

function setup(records, versions) {
  const seeds = new Set(records.map(({ seed }) => seed)).size;
  const bound = ({ measure, limit, depth }) => `${measure} ${limit}${depth ? ` at depth ${depth}` : ""}`;
  const bounds = [...new Set(records.map(bound))].join(", ");
  const measured = [...versions].map((version) => `\`${version}\``).join(", ");
  if (measured === "") return "Nothing has been measured yet.";
  return `Measured: ${measured}, in ${records.length} runs with up to ${seeds} seeds each. Bounds: ${bounds}.`;
}

function better({ rows, better: list }) {
  if (rows.length === 1) return "";
  if (list.length === 0) return "Forge finds nothing more often than forge-harvey.";
  const lines = list.map((bug) => `* ${bug}`).join("\n");
  return `Forge finds these more often than forge-harvey, at equal calls or at equal time:\n\n${lines}`;
}

/** Returns the text of each part by its name. */
export function report(all) {
  const { records, versions } = latest(all);
  const both = ({ rows, summary }) => `${table(summary)}\n\n${table(rows)}`;
  const forge = forgeTable(records);
  const harvey = harveyTable(records);
  return {
    setup: setup(records, versions),
    bars: table(barsTable(records).rows),
    predictions: table(predictionsTable(records).rows),
    ablation: both(ablationTable(records)),
    harvey: [harvey.summary, harvey.rows, harvey.instructions].filter((rows) => rows.length > 0).map(table).join("\n\n"),
    parts: both(partsTable(records)),
    cpu: both(cpuTable(records)),
    "cpu-parts": table(cpuPartsTable(records, PARTS.filter((part) => part !== "solver"))),
    "cpu-solver": table(cpuPartsTable(records, ["solver"])),
    forge: `${both(forge)}\n\n${better(forge)}`,
  };
}
