#!/usr/bin/env node
// Writes the table of operators in docs/mutation.md from src/mutation/operators. The example of an operator is the
// shortest change of its test.
//
//   node scripts/operators.mjs [--check]
import { read, table, update } from "./page.mjs";

const DIRECTORY = "src/mutation/operators";
/** A string of Rust without its quotes. */
const STRING = /"((?:[^"\\]|\\[^])*)"/g;

const unescaped = (text) => text.replace(/\\\n\s*/g, "").replace(/\\(.)/g, "$1");
const code = (text) => (text ? `\`${text}\`` : "nothing");

/** Returns the shortest change of each operator's test, by its id. */
function examples() {
  const [, cases] = /const CASES[^=]*= \[\n([^]*?)\n\];/.exec(read(`${DIRECTORY}/tests.rs`));
  const entries = cases.split(/^ {4}\(\n/m).slice(1).map((entry) => [...entry.matchAll(STRING)].map(([, text]) => unescaped(text)));
  const isChange = (text) => text.includes("=>");
  return new Map(entries.map(([id, , ...rest]) => [id, rest.filter(isChange).sort((a, b) => a.length - b.length)[0]]));
}

/** Returns the id of an operator, an example and its reason. */
function operator(module) {
  const text = read(`${DIRECTORY}/${module}.rs`);
  const [, id] = /id: "([^"]+)"/.exec(text);
  const [, reason] = /reason: "((?:[^"\\]|\\[^])*)"/.exec(text);
  const [before, after] = known.get(id).split(/ ?=> ?/);
  return [`\`${id}\``, code(before), code(after), unescaped(reason)];
}

const known = examples();
const modules = [...read(`${DIRECTORY}/mod.rs`).matchAll(/^ {4}&(\w+)::OPERATOR,$/gm)].map(([, module]) => module);
if (modules.length === 0) throw new Error(`${DIRECTORY}/mod.rs has no table of operators`);
update("docs/mutation.md", { operators: table([["operator", "for instance", "becomes", "reason"], ...modules.map(operator)]) });
