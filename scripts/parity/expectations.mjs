// Reads the statements of the fixtures: the `@custom:` tags in the doc comments of their contracts. The grammar is in
// testdata/README.md.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const DECLARATION = /^(?:abstract contract|contract|library|interface)\s+(\w+)/;
const TAG = /^\/\/\/ @custom:([\w-]+)\s*(.*)$/;
const VERDICT = /^(\S+) (PASS|FAIL|SKIP)(?: (~?)(".*"))?$/;
const FINDING = /^(\w+)\.(\w+\(.*?\)) (".*")$/;
const NUMBER = /^(\S+) (-?\d+)$/;
const LOG = /^(\S+) (".*")$/;
const CALLS = /^(\S+)((?: \w+\.\w+)*)$/;
const STATUS = { PASS: "Success", FAIL: "Failure", SKIP: "Skipped" };

/** Returns all Solidity files below a directory, sorted. */
export function sources(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".sol"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Completes a bare name, such as `invariant_sum`, to the signature of a function without parameters. */
function signature(name) {
  return name.includes("(") ? name : `${name}()`;
}

function verdict(text, where) {
  const match = VERDICT.exec(text);
  if (!match) throw new Error(`${where}: not a verdict: ${text}`);
  const [, name, status, inexact, reason] = match;
  return [
    signature(name),
    { status: STATUS[status], inexact: inexact === "~", reason: reason && JSON.parse(reason) },
  ];
}

function apply(fixture, tag, text, where) {
  switch (tag) {
    case "expect":
      if (text === "none") fixture.none = true;
      else fixture.expect.set(...verdict(text, where));
      break;
    case "ours":
      fixture.ours.set(...verdict(text, where));
      break;
    case "best":
    case "shrunk": {
      const [, name, value] = NUMBER.exec(text) ?? [];
      if (!name) throw new Error(`${where}: not a function and a number: ${text}`);
      fixture[tag].set(signature(name), value);
      break;
    }
    case "log": {
      const [, name, line] = LOG.exec(text) ?? [];
      if (!name) throw new Error(`${where}: not a line of log: ${text}`);
      const key = signature(name);
      fixture.logs.set(key, [...(fixture.logs.get(key) ?? []), JSON.parse(line)]);
      break;
    }
    case "calls": {
      const [, name, calls] = CALLS.exec(text) ?? [];
      if (!name) throw new Error(`${where}: not a list of calls: ${text}`);
      fixture.calls.set(signature(name), calls.trim().split(" ").filter(Boolean).sort());
      break;
    }
    case "finding": {
      const [, contract, fn, reason] = FINDING.exec(text) ?? [];
      if (!contract) throw new Error(`${where}: not a finding: ${text}`);
      fixture.findings.push({ contract, function: fn, reason: JSON.parse(reason) });
      break;
    }
    case "warning":
      fixture.warnings.push(warning(text));
      break;
    case "our-warning":
      fixture.ourWarnings.push(warning(text));
      break;
    case "differs":
      fixture.differs.push(text);
      break;
    default:
      throw new Error(`${where}: unknown tag @custom:${tag}`);
  }
}

/** Parses a warning: `"text"`, or `~"text"` if the warning only has to contain the text. */
function warning(text) {
  return { inexact: text.startsWith("~"), text: JSON.parse(text.replace(/^~/, "")) };
}

/** Returns a fixture without statements. A suite without tags is compared with it. */
export function emptyFixture(id) {
  return {
    id,
    none: false,
    expect: new Map(),
    ours: new Map(),
    best: new Map(),
    shrunk: new Map(),
    logs: new Map(),
    calls: new Map(),
    findings: [],
    warnings: [],
    ourWarnings: [],
    differs: [],
  };
}

/** Returns the fixtures with at least one tag, by suite id (`path:Name`, with the path relative to `root`). */
export function fixtures(root, directory) {
  const found = new Map();
  for (const file of sources(directory)) {
    const path = relative(root, file);
    let tags = [];
    for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
      const where = `${path}:${index + 1}`;
      const tag = TAG.exec(line);
      if (tag) {
        tags.push([tag[1], tag[2].trim(), where]);
        continue;
      }
      const declaration = DECLARATION.exec(line);
      if (declaration && tags.length > 0) {
        const fixture = emptyFixture(`${path}:${declaration[1]}`);
        for (const args of tags) apply(fixture, ...args);
        found.set(fixture.id, fixture);
      }
      if (!line.startsWith("///")) tags = [];
    }
  }
  return found;
}
