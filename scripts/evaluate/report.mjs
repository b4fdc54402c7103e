// The tables as Markdown, and the parts of docs/EVALUATION.md.
import { table } from "../page.mjs";
import { ablationTable, barsTable, CAP, forgeTable, partsTable, predictionsTable } from "./tables.mjs";

/** Of each tester the records of its latest version. */
function latest(records) {
  const tester = ({ configuration }) => (configuration.startsWith("forge") ? "forge" : "forge-harvey");
  const versions = new Map(records.map((record) => [tester(record), record.version]));
  return { records: records.filter((record) => record.version === versions.get(tester(record))), versions };
}

function setup(records, versions) {
  const seeds = new Set(records.map(({ seed }) => seed)).size;
  const bounds = [...new Set(records.map(({ measure, limit, depth }) => `${measure} ${limit}${depth ? ` at depth ${depth}` : ""}`))];
  return [
    `Measured: ${[...versions.values()].map((version) => `\`${version}\``).join(" and ") || "nothing yet"}.`,
    `${records.length} runs with up to ${seeds} seeds each; a miss counts as ${CAP} executions. Bounds: ${bounds.join(", ") || "none"}.`,
  ].join("\n");
}

function better(list) {
  if (list.length === 0) return "Forge finds nothing more often than forge-harvey.";
  return `Forge finds these more often than forge-harvey, at equal calls or at equal time:\n\n${list.map((bug) => `* ${bug}`).join("\n")}`;
}

/** Text by the name of its part. */
export function report(all) {
  const { records, versions } = latest(all);
  const [bars, predictions, ablation, parts, forge] = [barsTable, predictionsTable, ablationTable, partsTable, forgeTable].map((make) => make(records));
  const both = ({ rows, summary }) => `${table(summary)}\n\n${table(rows)}`;
  return {
    setup: setup(records, versions),
    bars: table(bars.rows),
    predictions: table(predictions.rows),
    ablation: both(ablation),
    parts: both(parts),
    forge: `${both(forge)}\n\n${better(forge.better)}`,
  };
}
