#!/usr/bin/env node
// Writes the intended differences from Forge into docs/differences.md, with both answers. The fixtures state them with
// `@custom:differs`.
//
//   node scripts/differences.mjs [--check]
import { join } from "node:path";
import { fixtures } from "./parity/expectations.mjs";
import { ROOT, table, update } from "./page.mjs";

const WORDS = { Success: "pass", Failure: "fail", Skipped: "skip" };

function verdict(result) {
  if (!result) return "not there";
  return WORDS[result.status] + (result.reason === undefined ? "" : `: ${result.reason}`);
}

/**
 * Returns one row for each property with another verdict, and one for each finding and each warning that Forge does not
 * have.
 */
function rows({ id, expect, ours, findings, ourWarnings }) {
  const name = id.replace("testdata/fixtures/", "");
  const verdicts = [...ours].map(([property, result]) => [property, verdict(expect.get(property)), verdict(result)]);
  const found = findings.map(({ contract, function: fn, reason }) => [`${contract}.${fn}`, "", `finding: ${reason}`]);
  const warned = ourWarnings.map(({ text }) => [text.split(" ")[0], "", `warning: ${text}`]);
  return [...verdicts, ...found, ...warned].map(([what, forge, our], index) => {
    return [index === 0 ? `\`${name}\`` : "", `\`${what}\``, forge, our];
  });
}

const byText = new Map();
for (const fixture of fixtures(ROOT, join(ROOT, "testdata", "fixtures")).values()) {
  for (const text of fixture.differs) byText.set(text, [...(byText.get(text) ?? []), fixture]);
}

function render([text, all]) {
  const title = `### ${text[0].toUpperCase()}${text.slice(1)}`;
  const silent = all.filter((fixture) => rows(fixture).length === 0).map(({ id }) => id);
  if (silent.length > 0) throw new Error(`${silent.join(", ")}: @custom:differs, but nothing that differs`);
  return `${title}\n\n${table([["fixture", "what", "Forge", "forge-harvey"], ...all.flatMap(rows)])}`;
}

const sections = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(render);
update("docs/differences.md", { fixtures: sections.join("\n\n") });
