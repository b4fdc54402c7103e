#!/usr/bin/env node
// Runs the tests of real projects under the real forge 1.7.1 and under forge-harvey, and compares each verdict. The
// projects come from npm. Unit tests run, too. Then forge-harvey runs them once more as Forge 1.8 does.
//
//   node scripts/projects.mjs --ours BINARY [--match REGEX] [--work DIR] [--report]
//
// projects/projects.json describes the projects. A project has:
//
// * packages (`name@version`, or `name@version:directory` for a part of one) by the directory into which they are
//   copied, or a directory of this repository,
// * compilers; for Vyper, a package of PyPI,
// * a foundry.toml if the package has none, edits, environment variables and arguments.
//
// If a fuzz test fails under forge-harvey only, forge runs it again with the input that was found. It has to fail
// there, too. If a verdict is another one as in Forge 1.8, the test runs as in Forge 1.8 but for one difference, for
// each difference that a flag takes back. If the verdict is then that of Forge 1.7, this difference is the reason, and
// forge 1.7.1 with the same difference has to give the verdict of Forge 1.8. --report writes the table of
// docs/projects.md. Packages and builds stay in --work (default: testdata/cache/projects), which takes about a gigabyte.
// The exit code is 1 if a verdict differs from forge's, or is another one as in Forge 1.8 without a reason.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, read, table, update } from "./page.mjs";
import { findForge, newScratch, runTestsIn } from "./parity/tools.mjs";
import { homeOf, installed, prepared } from "./projects/prepare.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    match: { type: "string", default: "" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "projects") },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to compare");
const OURS = resolve(options.ours);
const WORK = resolve(options.work);
const HOME = homeOf(WORK);
const FORGE = findForge(join(ROOT, "testdata", "node_modules"));
/** Arguments of forge-harvey to run unit tests, too, as Forge 1.8 does. */
const AS_1_8 = ["--unit", "--forge-version", "1.8"];

function withScratch(use) {
  const scratch = newScratch(HOME);
  try {
    return use(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the results by test, from the JSON of a tester. */
function results(binary, project, root, scratch, more = []) {
  const args = ["--json", "--fuzz-seed", "1", ...(project.args ?? []), ...more];
  const path = project.pip && { PATH: `${installed(WORK, project.pip)}:${process.env.PATH}` };
  const { stdout, stderr } = runTestsIn(binary, root, scratch, args, { ...project.env, ...path });
  try {
    const suites = Object.entries(JSON.parse(stdout));
    const tests = suites.flatMap(([suite, { test_results }]) =>
      Object.entries(test_results).map(([test, result]) => [`${suite}::${test}`, result]),
    );
    return new Map(tests);
  } catch {
    throw new Error(`${project.name}: ${binary} gave no results: ${stdout.slice(-500)} ${stderr.slice(-2000)}`);
  }
}

/** Returns the result of one test under a tester. */
function result(binary, project, root, scratch, key, more = []) {
  const [suite, test] = key.split("::");
  const [path, contract] = suite.split(":");
  const exactly = (text) => `^${text.replaceAll(/[^\w,]/g, "\\$&")}$`;
  const filter = ["--match-path", path, "--match-contract", exactly(contract), "--match-test", exactly(test)];
  const filters = /^--(no-)?match-/;
  const kept = (project.args ?? []).filter((arg, index, all) => !filters.test(arg) && !filters.test(all[index - 1] ?? ""));
  return results(binary, { ...project, args: kept }, root, scratch, [...filter, ...more]).get(key);
}

/** Tells whether forge fails, too, with the input that forge-harvey found and stored for it. */
const confirmed = (project, root, scratch, key) => result(FORGE, project, root, scratch, key)?.status === "Failure";

/** Differences of Forge 1.8 that a flag of ours takes back. Forge 1.7.1 has the other flag for the difference. */
const DIFFERENCES = [
  { name: "isolate", back: "--no-isolate", ahead: "--isolate" },
  { name: "dynamic_test_linking", back: "--no-dynamic-test-linking", ahead: "--dynamic-test-linking" },
];

/** Returns the reason why a verdict is another one as in Forge 1.8; undefined if no single difference is. */
function reason(project, root, key, [old, now]) {
  const alone = (binary, more) => withScratch((scratch) => result(binary, project, root, scratch, key, more));
  const found = DIFFERENCES.find(({ back }) => alone(OURS, [...AS_1_8, back])?.status === old.status);
  if (!found) return undefined;
  const isSame = alone(FORGE, [found.ahead])?.status === now.status;
  return `\`${found.name}\`; ${isSame ? "the same" : "**not**"} under forge 1.7.1 with \`${found.ahead}\``;
}

/** Most characters of a reason that the page shows: some contain the whole data of a call. */
const REASON_LENGTH = 60;

function shortened(reason) {
  return reason?.length > REASON_LENGTH ? `${reason.slice(0, REASON_LENGTH)}...` : reason;
}

/** Returns a line for each test whose verdict is another one as in Forge 1.8, and the lines without a reason. */
function changes(project, root, old) {
  const now = withScratch((scratch) => results(OURS, project, root, scratch, AS_1_8));
  const keys = [...old.keys()].filter((key) => now.get(key)?.status !== old.get(key).status);
  const lines = keys.map((key) => {
    const [before, after] = [old, now].map((all) => all.get(key));
    const why = reason(project, root, key, [before, after]);
    return { line: `\`${key}\`: ${before.status} becomes ${after?.status} (${shortened(after?.reason)})`, why };
  });
  const added = [...now.keys()].filter((key) => !old.has(key)).map((key) => ({ line: `\`${key}\`: new` }));
  return [...lines, ...added];
}

function compare(project) {
  const root = prepared(WORK, project);
  const [scratch, other] = [newScratch(HOME), newScratch(HOME)];
  try {
    const ours = results(OURS, project, root, scratch, ["--unit"]);
    const forges = results(FORGE, project, root, other);
    const row = { name: project.name, packages: project.parts?.[""] ?? project.local, tests: forges.size, same: 0, found: [], differ: [], units: 0, gas: 0 };
    for (const [key, theirs] of forges) {
      const mine = ours.get(key);
      if (mine?.status === theirs.status) {
        row.same += 1;
        const [theirGas, myGas] = [theirs, mine].map((result) => result.kind.Unit?.gas);
        row.units += theirGas !== undefined;
        row.gas += theirGas !== undefined && theirGas === myGas;
        if (theirGas !== myGas) console.log(`  gas of ${key}: ${theirGas} under forge, ${myGas} here`);
      } else if (mine?.status === "Failure" && mine.kind.Fuzz && confirmed(project, root, scratch, key)) {
        row.found.push(key);
      } else {
        row.differ.push(`${key}: ${theirs.status} (${theirs.reason}) under forge, ${mine?.status} (${mine?.reason}) here`);
      }
    }
    row.changes = changes(project, root, ours);
    const strangers = [...ours.keys()].filter((key) => !forges.has(key));
    row.differ.push(...strangers.map((key) => `${key}: not under forge, ${ours.get(key).status} here`));
    return row;
  } finally {
    for (const directory of [scratch, other]) rmSync(directory, { recursive: true, force: true });
  }
}

const wanted = JSON.parse(read("scripts/projects/projects.json")).filter(({ name }) => new RegExp(options.match).test(name));
const rows = wanted.map((project) => {
  const row = compare(project);
  console.log(`${row.name}: ${row.same} of ${row.tests} the same, ${row.found.length} found by the search, gas of ${row.gas} of ${row.units}`);
  row.found.forEach((key) => console.log(`  forge fails too with the input found: ${key}`));
  row.differ.forEach((line) => console.log(`  ${line}`));
  row.changes.forEach(({ line, why }) => console.log(`  as in Forge 1.8, ${line}: ${why ?? "no reason found"}`));
  return row;
});
const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
const total = { name: "all", packages: "", tests: sum((row) => row.tests), same: sum((row) => row.same) };
if (options.report) {
  const cells = (row) => [row.name, row.packages && `\`${row.packages}\``, row.tests, row.same, row.found.length, row.differ.length, `${row.gas} of ${row.units}`, row.changes.length];
  const all = (of) => rows.flatMap(of);
  const last = { ...total, found: all((row) => row.found), differ: all((row) => row.differ), changes: all((row) => row.changes), gas: sum((row) => row.gas), units: sum((row) => row.units) };
  const header = ["Project", "Package", "Tests", "Same verdict", "Failure found here only, forge confirms it", "Other differences", "Same gas, of unit tests", "Another verdict as in Forge 1.8"];
  const found = rows.flatMap((row) => row.found.map((key) => `- ${row.name}: \`${key}\``));
  const changed = rows.flatMap((row) => row.changes.map(({ line, why }) => `- ${row.name}: ${line}: ${why ?? "no reason found"}`));
  const lists = { found, changed };
  const parts = Object.entries(lists).map(([name, lines]) => [name, lines.join("\n") || "None."]);
  update("docs/projects.md", { projects: table([header, ...[...rows, last].map(cells)]), ...Object.fromEntries(parts) });
}
console.log(`${total.same} of ${total.tests} the same (${((100 * total.same) / total.tests).toFixed(2)} %)`);
const isUnexplained = (row) => row.differ.length > 0 || row.changes.some(({ why }) => !why || why.includes("**not**"));
if (rows.some(isUnexplained)) process.exitCode = 1;
