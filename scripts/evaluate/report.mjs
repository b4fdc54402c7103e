// The tables as Markdown, and the parts of docs/EVALUATION.md.
import { table } from "../page.mjs";
import { ablationTable, barsTable, forgeTable, partsTable, predictionsTable } from "./tables.mjs";

/** Of each tester the records of its latest version. */
function latest(records) {
  const tester = ({ configuration }) => (configuration.startsWith("forge") ? "forge" : "forge-harvey");
  const versions = new Map(records.map((record) => [tester(record), record.version]));
  return { records: records.filter((record) => record.version === versions.get(tester(record))), versions };
}

function setup(records, versions) {
  const seeds = new Set(records.map(({ seed }) => seed)).size;
  const bound = ({ measure, limit, depth }) => `${measure} ${limit}${depth ? ` at depth ${depth}` : ""}`;
  const bounds = [...new Set(records.map(bound))].join(", ");
  const measured = [...versions.values()].map((version) => `\`${version}\``).join(" and ");
  if (measured === "") return "Nothing has been measured yet.";
  return `Measured: ${measured}, in ${records.length} runs with up to ${seeds} seeds each. Bounds: ${bounds}.`;
}

function better({ rows, better: list }) {
  if (rows.length === 1) return "";
  if (list.length === 0) return "Forge finds nothing more often than forge-harvey.";
  const lines = list.map((bug) => `* ${bug}`).join("\n");
  return `Forge finds these more often than forge-harvey, at equal calls or at equal time:\n\n${lines}`;
}

/** Text by the name of its part. */
export function report(all) {
  const { records, versions } = latest(all);
  const both = ({ rows, summary }) => `${table(summary)}\n\n${table(rows)}`;
  const forge = forgeTable(records);
  return {
    setup: setup(records, versions),
    bars: table(barsTable(records).rows),
    predictions: table(predictionsTable(records).rows),
    ablation: both(ablationTable(records)),
    parts: both(partsTable(records)),
    forge: `${both(forge)}\n\n${better(forge)}`,
  };
}
