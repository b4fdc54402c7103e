#!/usr/bin/env node
// Runs `forge-harvey mutate` on real projects with their own tests, and lets the real forge judge a part of the mutants.
//
//   node scripts/mutants.mjs --ours BINARY --raw FILE [--match REGEX] [--sample N] [--judged N] [--budget S]
//   node scripts/mutants.mjs --raw FILE --report         writes the tables of docs/EVALUATION.md
//
// --match REGEX       projects of projects/projects.json (default: solmate, oft-evm and zora-1155)
// --sample N          mutants of each project (default: 60)
// --judged N          mutants of each project that forge judges (default: 17)
// --budget S          `--budget` of `mutate` (default: 3)
// --work DIR          packages and builds, as in projects.mjs (default: testdata/cache/projects)
//
// Forge judges by unit tests alone: fuzz tests and invariants run once, and what they say does not count. A verdict agrees
// if a unit test fails with the mutant under forge if and only if one does under forge-harvey. The exit code is 1 if a
// verdict does not agree.
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, read, table, update } from "./page.mjs";
import { findForge, newScratch, plainEnvironment, runTestsIn } from "./parity/tools.mjs";
import { homeOf, prepared } from "./projects/prepare.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    raw: { type: "string" },
    match: { type: "string", default: "^(solmate|oft-evm|zora-1155)$" },
    sample: { type: "string", default: "60" },
    judged: { type: "string", default: "17" },
    budget: { type: "string", default: "3" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "projects") },
    report: { type: "boolean", default: false },
  },
});
const WORK = resolve(options.work);

/** Runs `mutate` on a project. Returns the report and the seconds that it took. */
function mutate(project, root) {
  const use = project.args?.indexOf("--use") ?? -1;
  const build = use >= 0 ? project.args.slice(use, use + 2) : [];
  const args = ["mutate", "--root", root, "--json", "--fresh", "--fuzz-seed", "1", "--sample", options.sample, "--budget", options.budget];
  const env = { ...plainEnvironment(), HOME: homeOf(WORK), ...project.env };
  const start = Date.now();
  const { status, stdout, stderr } = spawnSync(resolve(options.ours), [...args, ...build], { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${project.name}: exit code ${status}: ${stderr.slice(-2000)}`);
  return { report: JSON.parse(stdout), seconds: (Date.now() - start) / 1000 };
}

/** Returns the unit tests that fail under forge in a directory; `setUp()` and deployments are among them. */
function failures(forge, project, root, scratch) {
  const runs = { FOUNDRY_FUZZ_RUNS: "1", FOUNDRY_INVARIANT_RUNS: "1", FOUNDRY_INVARIANT_DEPTH: "1" };
  const { stdout, stderr } = runTestsIn(forge, root, scratch, ["--json", "--fuzz-seed", "1", ...(project.args ?? [])], { ...project.env, ...runs });
  if (!stdout.startsWith("{")) return { error: stderr.slice(-300) };
  const suites = Object.entries(JSON.parse(stdout));
  const isUnit = ({ kind }) => !kind || "Unit" in kind;
  const failed = suites.flatMap(([suite, { test_results: results }]) =>
    Object.entries(results).filter(([, result]) => result.status === "Failure" && isUnit(result)).map(([test]) => `${suite}::${test}`),
  );
  return { failed: new Set(failed) };
}

/** Lets forge judge mutants in a copy of the project. Returns for each one whether it kills it by a unit test. */
function judge(project, root, mutants) {
  const forge = findForge(join(ROOT, "testdata", "node_modules"));
  const scratch = newScratch(homeOf(WORK));
  const copy = mkdtempSync(join(tmpdir(), "mutants-"));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !path.startsWith(join(root, "cache", "harvey")) });
    const before = failures(forge, project, copy, scratch).failed;
    return mutants.map((mutant) => {
      const file = join(copy, mutant.path);
      const source = readFileSync(file);
      const [start, end] = [mutant.range.start, mutant.range.end];
      writeFileSync(file, Buffer.concat([source.subarray(0, start), Buffer.from(mutant.replacement), source.subarray(end)]));
      const { failed, error } = failures(forge, project, copy, scratch);
      writeFileSync(file, source);
      const killed = failed && [...failed].filter((test) => !before.has(test));
      return { id: mutant.id, ours: mutant.verdict === "killed" && mutant.by === "unit-test", forge: killed?.length > 0, by: killed?.[0], error };
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run() {
  if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
  const projects = JSON.parse(read("scripts/projects/projects.json")).filter(({ name }) => new RegExp(options.match).test(name));
  let agrees = true;
  for (const project of projects) {
    const root = prepared(WORK, project);
    const { report, seconds } = mutate(project, root);
    const counted = report.mutants.filter(({ verdict }) => ["killed", "survived", "not-reached"].includes(verdict));
    const judged = judge(project, root, [...counted].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, Number(options.judged)));
    appendFileSync(options.raw, `${JSON.stringify({ project: project.name, budget: options.budget, seconds, report, judged })}\n`);
    const wrong = judged.filter(({ ours, forge }) => ours !== forge);
    agrees &&= wrong.length === 0;
    console.error(`${project.name}: ${report.mutants.length} mutants in ${seconds.toFixed(0)} s; forge agrees on ${judged.length - wrong.length} of ${judged.length}`);
    for (const one of wrong) console.error(`  ${JSON.stringify(one)}`);
  }
  process.exitCode = agrees ? 0 : 1;
}

/** Returns a row of the table for the last run on each project. */
function row({ project, budget, seconds, report: { mutants }, judged }) {
  const count = (is) => mutants.filter(is).length;
  const by = (step) => count((mutant) => mutant.verdict === "killed" && mutant.by === step);
  const of = (verdict) => count((mutant) => mutant.verdict === verdict);
  const differing = count(({ verdict, difference }) => verdict === "survived" && difference);
  const agreed = judged.filter(({ ours, forge }) => ours === forge).length;
  const killed = ["unit-test", "corpus", "search"].map(by);
  const others = of("equivalent") + of("duplicate") + of("invalid");
  return [project, mutants.length, `${seconds.toFixed(0)} s (${budget} s)`, ...killed, `${of("survived")} (${differing})`, of("not-reached"), others, `${agreed} of ${judged.length}`];
}

function report() {
  const runs = readFileSync(options.raw, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const latest = [...new Map(runs.map((run) => [run.project, run])).values()];
  const killed = ["unit tests", "corpus", "search"].map((step) => `killed by ${step}`);
  const header = ["project", "mutants", "time (`--budget`)", ...killed, "survived (with a difference)", "not reached", "equivalent, duplicate, invalid", "forge agrees"];
  update("docs/EVALUATION.md", { mutants: table([header, ...latest.map(row).map((cells) => cells.map(String))]) });
}

if (!options.raw) throw new Error("--raw FILE: where the runs are kept");
if (options.report) report();
else run();
