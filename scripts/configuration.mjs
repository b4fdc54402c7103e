#!/usr/bin/env node
// Writes the tables of docs/configuration.md from src/config/defaults.toml. Each setting there has a comment before it.
// `#name = value` is a setting without a default.
//
//   node scripts/configuration.mjs [--check]
import { read, table, update } from "./page.mjs";

const NOT_HONOURED = / \(not honoured yet\)/;
const FORGE_ONLY = /; forge only/;
const OTHER_BOUNDS = /; ours has bounds of its own/;

/** Returns the sections in order: header, comment, and settings with name, value and comment. */
function sections(text) {
  const found = [];
  let comment = "";
  // The text before the first empty line describes the file.
  for (const line of text.slice(text.indexOf("\n\n")).split("\n")) {
    const header = /^\[(.+)\]$/.exec(line);
    const [, hash, key, value] = /^(#?)(\w+) = (.+)$/.exec(line) ?? [];
    if (line.startsWith("# ")) {
      comment = comment === "" ? line.slice(2) : `${comment} ${line.slice(2)}`;
      continue;
    }
    if (header) found.push({ name: header[1], comment, settings: [] });
    else if (key) found.at(-1).settings.push({ name: key, value, unset: hash === "#", comment });
    else if (line.trim() !== "") throw new Error(`defaults.toml: not understood: ${line}`);
    comment = "";
  }
  return found;
}

/** Tells whether a value other than the default has an effect. */
function status(comment) {
  if (NOT_HONOURED.test(comment)) return "not yet";
  return FORGE_ONLY.test(comment) || OTHER_BOUNDS.test(comment) ? "no" : "yes";
}

function meaning({ comment, value, unset }) {
  const text = comment.replace(NOT_HONOURED, "").replace(FORGE_ONLY, "");
  return unset ? `${text.replace(/\.$/, "")}; for example \`${value}\`.` : text;
}

/** Returns the row of a setting. A setting is not honoured if its section is not. */
function row(setting, section) {
  const shown = setting.unset ? "" : `\`${setting.value}\``;
  const honoured = status(section.comment) === "yes" ? status(setting.comment) : status(section.comment);
  return [`\`${setting.name}\``, shown, honoured, meaning(setting)];
}

function render(section) {
  const { name, comment, settings } = section;
  const parts = [`### \`[${name}]\``];
  const note = status(comment) === "not yet" ? " Not honoured yet." : "";
  if (comment) parts.push(comment.replace(NOT_HONOURED, "") + note);
  const rows = settings.map((setting) => row(setting, section));
  if (rows.length > 0) parts.push(table([["key", "default", "honoured", "meaning"], ...rows]));
  return parts.join("\n\n");
}

const all = sections(read("src/config/defaults.toml"));
const forgeOnly = ({ comment }) => FORGE_ONLY.test(comment);
const ours = all.filter((section) => !forgeOnly(section));
const names = all.filter(forgeOnly).map(({ name }) => `\`[${name}]\``);
update("docs/configuration.md", {
  settings: ours.map(render).join("\n\n"),
  "forge only": `${names.join(", ")}.`,
});
