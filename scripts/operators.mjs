#!/usr/bin/env node
// Writes the table of operators in docs/mutation.md from src/mutation/operators.
//
//   node scripts/operators.mjs [--check]
import { read, table, update } from "./page.mjs";

const DIRECTORY = "src/mutation/operators";

/** Returns the id and the reason of an operator. */
function operator(module) {
  const text = read(`${DIRECTORY}/${module}.rs`);
  const [, id] = /id: "([^"]+)"/.exec(text);
  const [, reason] = /reason: "((?:[^"\\]|\\[^])*)"/.exec(text);
  return [`\`${id}\``, reason.replace(/\\\n\s*/g, "")];
}

const modules = [...read(`${DIRECTORY}/mod.rs`).matchAll(/^ {4}&(\w+)::OPERATOR,$/gm)].map(([, module]) => module);
if (modules.length === 0) throw new Error(`${DIRECTORY}/mod.rs has no table of operators`);
update("docs/mutation.md", { operators: table([["operator", "reason"], ...modules.map(operator)]) });
