#!/usr/bin/env node
// Measures `forge-harvey mutate`, and lets the real forge judge a part of the mutants.
//
//   node scripts/mutants.mjs projects --ours BINARY --raw FILE [--match REGEX] [--sample N] [--judged N] [--budget S]
//   node scripts/mutants.mjs suites --ours BINARY --raw FILE [--sample N] [--judged N] [--budget S]
//   node scripts/mutants.mjs --raw FILE --report         writes the tables of docs/EVALUATION.md
//
// projects            real projects with their own tests. Forge judges by unit tests alone: fuzz tests and invariants run
//                     once, and what they say does not count. A verdict agrees if the mutant compiles under both or
//                     neither, and a unit test fails with it under both or neither. The exit code is 1 if a verdict does
//                     not agree.
// suites              protocols of testdata/protocols that no setting was tuned on: forge, the search and a random walk
//                     side by side
//
// --match REGEX       projects of projects/projects.json (default: solmate, oft-evm and zora-1155)
// --sample N          mutants of each project, or of all protocols (default: 60, and 200)
// --judged N          mutants of each project, or of all protocols, that forge judges (default: 17, and 60)
// --budget S          `--budget` of `mutate` (default: 3, and 5)
// --work DIR          packages and builds (default: testdata/cache/projects, and target/mutants)
import { appendFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { judge } from "./mutants/forge.mjs";
import { mutate } from "./mutants/ours.mjs";
import { runSuites, suiteRows } from "./mutants/suites.mjs";
import { ROOT, read, table, update } from "./page.mjs";
import { homeOf, prepared } from "./projects/prepare.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ours: { type: "string" },
    raw: { type: "string" },
    match: { type: "string", default: "^(solmate|oft-evm|zora-1155)$" },
    sample: { type: "string" },
    judged: { type: "string" },
    budget: { type: "string" },
    work: { type: "string" },
    report: { type: "boolean", default: false },
  },
});
const DEFAULTS = {
  projects: { sample: "60", judged: "17", budget: "3", work: join(ROOT, "testdata", "cache", "projects") },
  suites: { sample: "200", judged: "60", budget: "5", work: join(ROOT, "target", "mutants") },
};

/** Tests mutants of a real project. Forge judges some of them. */
function runProject(project, { sample, judged, budget, work }) {
  const root = prepared(resolve(work), project);
  const args = ["--sample", sample, "--budget", budget, ...(project.args ?? [])];
  const { report, seconds } = mutate({ ours: options.ours, root, args, env: { HOME: homeOf(resolve(work)), ...project.env } });
  // Mutants that are equivalent or invalid are judged, too. A duplicate has the verdict of another one.
  const chosen = report.mutants.filter(({ verdict }) => verdict !== "duplicate").sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, Number(judged));
  const once = { FOUNDRY_FUZZ_RUNS: "1", FOUNDRY_INVARIANT_RUNS: "1", FOUNDRY_INVARIANT_DEPTH: "1" };
  const byForge = judge(root, homeOf(resolve(work)), chosen, () => ({
    args: ["--fuzz-seed", "1", ...(project.args ?? [])],
    env: { ...project.env, ...once },
    counts: ({ kind }) => !kind || "Unit" in kind,
  }));
  const ofUnits = ({ verdict, by }) => (verdict === "invalid" ? undefined : verdict === "killed" && by === "unit-test");
  const verdicts = byForge.map((one, index) => ({ ...one, ours: ofUnits(chosen[index]), forge: one.error ? undefined : Boolean(one.by) }));
  return { project: project.name, budget, seconds, report, judged: verdicts };
}

function runProjects(settings) {
  const projects = JSON.parse(read("scripts/projects/projects.json")).filter(({ name }) => new RegExp(options.match).test(name));
  for (const project of projects) {
    const run = runProject(project, settings);
    appendFileSync(options.raw, `${JSON.stringify(run)}\n`);
    const wrong = run.judged.filter(({ ours, forge }) => ours !== forge);
    console.error(`${run.project}: ${run.report.mutants.length} mutants in ${run.seconds.toFixed(0)} s; forge agrees on ${run.judged.length - wrong.length} of ${run.judged.length}`);
    for (const one of wrong) console.error(`  ${JSON.stringify(one)}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

function run([plan]) {
  if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
  if (!DEFAULTS[plan]) throw new Error(`which mutants: ${Object.keys(DEFAULTS).join(" or ")}`);
  const settings = { ...DEFAULTS[plan], ...options };
  if (plan === "projects") return runProjects(settings);
  appendFileSync(options.raw, `${JSON.stringify(runSuites(settings))}\n`);
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
  const latest = [...new Map(runs.filter(({ project }) => project).map((run) => [run.project, run])).values()];
  const killed = ["unit tests", "corpus", "search"].map((step) => `killed by ${step}`);
  const header = ["project", "mutants", "time (`--budget`)", ...killed, "survived (with a difference)", "not reached", "equivalent, duplicate, invalid", "forge agrees"];
  const parts = { mutants: table([header, ...latest.map(row)]) };
  if (runs.some(({ suites }) => suites)) parts["mutants-suites"] = table(suiteRows(runs));
  update("docs/EVALUATION.md", parts);
}

if (!options.raw) throw new Error("--raw FILE: where the runs are kept");
if (options.report) report();
else run(positionals);
