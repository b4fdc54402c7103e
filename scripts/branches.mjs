#!/usr/bin/env node
// Compares the branch coverage of unit tests with that of the real forge 1.7.1, on projects from npm.
//
//   node scripts/branches.mjs --ours BINARY [--match REGEX] [--work DIR] [--report]
//
// Both run the same unit tests of a project of projects/projects.json, without the optimizer, as `forge coverage` does.
// Fuzz tests and invariants are left out, since their inputs are random. Each branch of forge's lcov file is looked up
// in ours by its line; both have to say the same of each of its outcomes. --report writes the table of docs/EVALUATION.md
// and the list of what differs. The exit code is 1 if an outcome differs.
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { aligned, branchesOf } from "./branches/lcov.mjs";
import { ROOT, read, table, update } from "./page.mjs";
import { cleanEnvironment, findForge, newScratch } from "./parity/tools.mjs";
import { homeOf, prepared } from "./projects/prepare.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    match: { type: "string", default: "^(solmate|forge-std|zora-1155)$" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "projects") },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to compare");
const OURS = resolve(options.ours);
const WORK = resolve(options.work);
const FORGE = findForge(join(ROOT, "testdata", "node_modules"));
/** Settings of `forge coverage`. */
const PLAIN = { FOUNDRY_OPTIMIZER: "false", FOUNDRY_VIA_IR: "false", FOUNDRY_OUT: "out-branches", FOUNDRY_CACHE_PATH: "cache-branches" };

function run(binary, root, args, env) {
  const { stdout, stderr, error } = spawnSync(binary, args, { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error) throw error;
  return { stdout, stderr };
}

/** Returns a pattern of the unit tests of a project: those without parameters whose name no other test has. */
function unitTests(project, root, env) {
  const { stdout, stderr } = run(OURS, root, ["test", "--json", "--unit", "--fuzz-runs", "1", "--runs", "1", ...(project.args ?? [])], env);
  if (!stdout.startsWith("{")) throw new Error(`${project.name}: ${stderr.slice(-1000)}`);
  const tests = Object.values(JSON.parse(stdout)).flatMap(({ test_results: results }) => Object.entries(results));
  const nameOf = ([signature]) => signature.split("(")[0];
  const isUnit = ([signature, { kind, status }]) => kind.Unit !== undefined && signature.endsWith("()") && status === "Success";
  const others = new Set(tests.filter((test) => !isUnit(test)).map(nameOf));
  const names = new Set(tests.filter(isUnit).map(nameOf).filter((name) => !others.has(name)));
  return { count: names.size, pattern: `^(${[...names].join("|")})\\(` };
}

/** Returns the branches by source, from the lcov files of both. */
function measured(project, root, scratch) {
  const env = { ...cleanEnvironment(scratch), ...project.env, ...PLAIN };
  const { count, pattern } = unitTests(project, root, env);
  const filters = (project.args ?? []).filter((_, index, all) => all[index] !== "--no-match-test" && all[index - 1] !== "--no-match-test");
  const [ours, forges] = ["ours.info", "forge.info"].map((name) => join(scratch, name));
  const shared = [...filters, "--match-test", pattern];
  const mine = run(OURS, root, ["test", "--unit", ...shared, "--report", `lcov=${ours}`], env);
  const theirs = run(FORGE, root, ["coverage", ...shared, "--report", "lcov", "--report-file", forges], env);
  try {
    return { count, branches: [ours, forges].map((file) => branchesOf(readFileSync(file, "utf8"), root)) };
  } catch (error) {
    throw new Error(`${project.name}: ${error.message}\n${mine.stderr.slice(-2000)}\n${theirs.stderr.slice(-2000)}`);
  }
}

function compare(project) {
  const root = prepared(WORK, project);
  const scratch = newScratch(homeOf(WORK));
  try {
    const { count, branches: [ours, forges] } = measured(project, root, scratch);
    const row = { name: project.name, packages: project.parts?.[""] ?? project.local, tests: count, outcomes: 0, same: 0, differ: [], forgeOnly: [] };
    // Ours has the contracts alone, and not the tests.
    for (const [path, theirs] of [...forges].filter(([path]) => ours.has(path))) {
      const lines = readFileSync(join(root, path), "utf8").split("\n");
      const place = (line) => `${path}:${line} \`${lines[line - 1].trim()}\``;
      for (const { block, mine } of aligned(theirs, ours.get(path))) {
        const outcomes = mine ? block.outcomes(mine, lines[mine.line - 1]) : block.ways.map(({ ran }) => [ran, undefined]);
        row.outcomes += outcomes.length;
        row.same += outcomes.filter(([theirs, ours]) => theirs === ours).length;
        if (!mine) row.forgeOnly.push(place(block.line));
        else if (outcomes.some(([theirs, ours]) => theirs !== ours)) row.differ.push(`${place(block.line)}: ${JSON.stringify(outcomes)}`);
      }
    }
    return row;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const wanted = JSON.parse(read("scripts/projects/projects.json")).filter(({ name }) => new RegExp(options.match).test(name));
const rows = wanted.map((project) => {
  const row = compare(project);
  console.log(`${row.name}: ${row.tests} unit tests, ${row.same} of ${row.outcomes} outcomes the same`);
  row.differ.forEach((line) => console.log(`  differs (forge, ours): ${line}`));
  row.forgeOnly.forEach((line) => console.log(`  only under forge: ${line}`));
  return row;
});
if (options.report) {
  const header = ["Project", "Package", "Unit tests", "Outcomes that forge counts", "The same here"];
  const cells = rows.map((row) => [row.name, `\`${row.packages}\``, row.tests, row.outcomes, row.same]);
  const lines = rows.flatMap((row) => [
    ...row.differ.map((line) => `- ${row.name}: ${line}`),
    ...row.forgeOnly.map((line) => `- ${row.name}, only under forge: ${line}`),
  ]);
  update("docs/EVALUATION.md", { branches: table([header, ...cells]), "branches-list": lines.join("\n") || "None." });
}
if (rows.some((row) => row.differ.length > 0)) process.exitCode = 1;
