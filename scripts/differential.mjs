#!/usr/bin/env node
// Runs random unit tests under forge-harvey and under the real forge, and compares verdict, reason and gas of each.
//
//   node scripts/differential.mjs --ours BINARY [--seed N] [--tests N] [--first N] [--isolate] [--keep DIR]
//
// --seed N     seed of the random tests (default: 1)
// --tests N    number of tests (default: 1000)
// --first N    number of the first test (default: 0)
// --isolate    runs each call of a test as a transaction of its own
// --keep DIR   leaves the project in DIR
//
// Expected differences are in testdata/differential.json. An entry has a pattern that the source of a test must
// match, the parts that may differ, and the reason. With `isolate`, it applies to runs with --isolate only. Expected
// differences are counted. All other tests that differ are printed with their source, and the exit code is then 1.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sources } from "./differential/generate.mjs";
import { ROOT } from "./page.mjs";
import { compilerHome, findForge, runTests } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "1000" },
    first: { type: "string", default: "0" },
    isolate: { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
if (!options.ours) throw new Error("--ours names the forge-harvey to compare");

const modules = join(ROOT, "testdata", "node_modules");
const home = compilerHome(ROOT, modules);
const known = JSON.parse(readFileSync(join(ROOT, "testdata", "differential.json"), "utf8"));
const root = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), "differential-"));
const files = sources(options.seed, Number(options.first), Number(options.tests));
const settings = '[profile.default]\noptimizer = true\nevm_version = "osaka"\n';
for (const [path, text] of Object.entries({ ...files, "foundry.toml": settings })) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Returns verdict, reason and gas of each test. */
function results(binary, more) {
  const { code, stdout, stderr } = runTests(binary, root, home, ["--json", ...more, ...(options.isolate ? ["--isolate"] : [])]);
  let suites;
  try {
    suites = JSON.parse(stdout);
  } catch {
    throw new Error(`${binary} exited with ${code} and printed no JSON:\n${stdout.slice(0, 2000)}${stderr.slice(0, 4000)}`);
  }
  const found = Object.values(suites).flatMap(({ test_results }) =>
    Object.entries(test_results).map(([name, { status, reason, kind }]) => [name, { verdict: status, reason: reason ?? "", gas: kind?.Unit?.gas }]),
  );
  return new Map(found);
}

/** Returns the source of a test. */
function source(name) {
  const begin = `    function ${name} external {`;
  const text = Object.values(files).find((file) => file.includes(begin));
  return text.slice(text.indexOf(begin)).split("\n    }")[0];
}

const theirs = results(findForge(modules), []);
const ours = results(resolve(options.ours), ["--unit"]);
const counts = new Map();
let wrong = 0;
for (const [name, expected] of theirs) {
  const got = ours.get(name) ?? {};
  const parts = ["verdict", "reason", "gas"].filter((part) => got[part] !== expected[part]);
  if (parts.length === 0) continue;
  const text = source(name);
  const explains = ({ source, differs, isolate }) =>
    (!isolate || options.isolate) && RegExp(source).test(text) && parts.every((part) => differs.includes(part));
  const entry = known.find(explains);
  if (entry) {
    counts.set(entry.why, (counts.get(entry.why) ?? 0) + 1);
    continue;
  }
  wrong++;
  console.log(`${text}\n    }\n  forge: ${JSON.stringify(expected)}\n  ours:  ${JSON.stringify(got)}\n`);
}
if (!options.keep) rmSync(root, { recursive: true });
for (const [why, count] of counts) console.log(`${count} differ as expected: ${why}`);
const verdicts = [...theirs.values()].map(({ verdict }) => verdict);
const share = (verdict) => verdicts.filter((one) => one === verdict).length;
console.log(`${theirs.size} tests (${share("Success")} pass, ${share("Failure")} fail, ${share("Skipped")} are skipped under forge): ${wrong} differ`);
process.exitCode = wrong > 0 || ours.size !== theirs.size ? 1 : 0;
