#!/usr/bin/env node
// Measures how fast the search finds known bugs, with and without its parts, and in comparison with the real forge.
//
//   node scripts/evaluate.mjs PLAN... --binary BINARY --raw FILE        runs plans, then prints their tables
//   node scripts/evaluate.mjs [PLAN...] --raw FILE --report docs/EVALUATION.md    writes the tables into the page: those of
//                                                                       the plans, or all
//   node scripts/evaluate.mjs witnesses                                 shows with the real forge that the bugs exist
//
// The plans are:
//
// bars       the examples of the papers
// ablation   the configurations of the papers
// harvey     Tables 2 to 4 and Figure 4 of the Harvey paper, on protocols; with --report also docs/pictures/harvey.svg
// parts      the default without each of its parts
// cpu        CPU time to each bug, in comparison with random sequences and a baseline; with `--only full,full-PART,...`
//            also without parts
// solver     CPU time to each bug with and without the solver of path conditions, for instance on generated systems
// forge      comparison with the real forge, at equal calls and at equal wall time
//
// The options are:
//
// --binary BINARY     forge-harvey to measure (default: target/release/forge-harvey)
// --baseline BINARY   another forge-harvey; it runs the configurations of `cpu` that begin with `frozen-`
// --sets LIST         sets of cases for `cpu` (default: tuning), `solver` (default: none), `harvey` (default:
//                     tuning,reporting) and `forge` (default: suites,evaluation); also harness
// --cpu N             CPU seconds of a run of `cpu` and `solver` (default: 60)
// --raw FILE          file with one line of JSON for each run; runs that it has for the same binary are not repeated
// --generated DIR     a project of scripts/generate.mjs, for `parts`, `cpu`, `solver` and `forge`; may be repeated
// --seeds N           number of seeds (default: 20; 10 for `forge`; 24, the paper's, for `harvey`)
// --first-seed N      first seed (default: 1)
// --match REGEX       only cases whose id matches
// --only LIST         only these configurations, separated by commas
// --executions N      maximum executions of a run (default: 60000); a missed bug counts as 60000
// --coverage N        executions of the runs that measure coverage (default: 10000)
// --bounds LIST       bounds of `forge`: calls, seconds (default: both)
// --calls N           number of calls for the bound calls (default: 100000): of a whole suite under forge-harvey, of
//                     each invariant under Forge
// --seconds N         wall time of a suite in `harvey` (the paper: 3600), and for the bound seconds (default: 30)
// --depth N           calls of a sequence in `forge` (default: 100); the other plans use the depth of the project
// --workers N         number of parallel processes (default: 2)
// --work DIR          directory in which the projects are copied and compiled (default: testdata/cache/evaluation)
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { jobsOf } from "./evaluate/plans.mjs";
import { prepareProjects } from "./evaluate/projects.mjs";
import { report } from "./evaluate/report.mjs";
import { countProperties, isForge, isFrozen, readRaw, runJobs, versionOf } from "./evaluate/runner.mjs";
import { runWitnesses } from "./evaluate/witnesses.mjs";
import { ROOT, update } from "./page.mjs";
import { compilerHome, findForge } from "./parity/tools.mjs";
import { python } from "./study/python.mjs";

const { values: options, positionals: plans } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    baseline: { type: "string" },
    sets: { type: "string" },
    bounds: { type: "string", default: "calls,seconds" },
    cpu: { type: "string", default: "60" },
    raw: { type: "string" },
    report: { type: "string" },
    generated: { type: "string", multiple: true, default: [] },
    seeds: { type: "string" },
    "first-seed": { type: "string", default: "1" },
    match: { type: "string", default: "" },
    only: { type: "string" },
    executions: { type: "string", default: "60000" },
    coverage: { type: "string", default: "10000" },
    calls: { type: "string", default: "100000" },
    seconds: { type: "string", default: "30" },
    depth: { type: "string", default: "100" },
    workers: { type: "string", default: "2" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "evaluation") },
  },
});

function number(name) {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is no positive number: ${options[name]}`);
  return value;
}

/** Numbers of seeds of plans that have other than 20. */
const SEEDS = { forge: 10, harvey: 24 };

function settings(plan) {
  const count = options.seeds === undefined ? (SEEDS[plan] ?? 20) : number("seeds");
  const seeds = Array.from({ length: count }, (_, index) => number("first-seed") + index);
  const numbers = ["executions", "coverage", "calls", "seconds", "depth", "cpu"].map((name) => [name, number(name)]);
  const { generated, match, only, sets, bounds } = options;
  const unknown = bounds.split(",").find((bound) => !["calls", "seconds"].includes(bound));
  if (unknown !== undefined) throw new Error(`--bounds takes calls and seconds, and not ${unknown}`);
  const lists = Object.fromEntries(Object.entries({ only, sets, bounds }).map(([name, list]) => [name, list?.split(",")]));
  return { seeds, generated, match, ...lists, ...Object.fromEntries(numbers) };
}

async function runPlans() {
  const modules = join(ROOT, "testdata", "node_modules");
  const [forge, home] = [findForge(modules), compilerHome(ROOT, modules)];
  const baseline = options.baseline && resolve(options.baseline);
  const tools = { binary: resolve(options.binary), baseline, forge, home };
  const versions = { ours: await versionOf(tools.binary), forge: await versionOf(forge) };
  const isOn = ({ configuration }) => baseline || !isFrozen(configuration);
  if (baseline) versions.frozen = await versionOf(baseline);
  const jobs = plans.flatMap((plan) => jobsOf([plan], settings(plan))).filter(isOn);
  const entries = [...new Map(jobs.map(({ entry }) => [entry.id, entry])).values()];
  const workers = number("workers");
  const rootOf = prepareProjects(resolve(options.work), entries, workers, tools);
  const counts = new Map();
  for (const { entry, configuration } of jobs) {
    if (!configuration.startsWith("forge") || counts.has(entry.id)) continue;
    counts.set(entry.id, await countProperties(entry, rootOf(entry, 0), tools));
  }
  const complete = jobs.map((job) => ({
    ...job,
    properties: counts.get(job.entry.id),
    version: isForge(job.configuration) ? versions.forge : isFrozen(job.configuration) ? versions.frozen : versions.ours,
  }));
  return runJobs(complete, rootOf, tools, resolve(options.raw), workers);
}

const PARTS_OF_PLAN = {
  bars: ["bars", "predictions"],
  ablation: ["ablation"],
  harvey: ["harvey"],
  parts: ["parts", "predictions"],
  forge: ["forge"],
  cpu: ["cpu"],
  solver: ["cpu-solver"],
};

/** Checks that each build that is measured has its bugs. */
function checkWitnesses() {
  const builds = ["papers default", "papers unoptimized", "papers via-ir", "evaluation default", "protocols default", "harness default"];
  for (const [project, profile] of builds.map((build) => build.split(" "))) {
    const shown = runWitnesses(join(ROOT, "testdata", project), profile);
    console.log(`${project}, ${profile}: ${shown} witnesses show their bugs`);
  }
}

async function main() {
  if (plans.join() === "witnesses") return checkWitnesses();
  if (!options.raw) throw new Error("--raw FILE is needed: where the runs are kept");
  const failed = plans.length > 0 ? await runPlans() : 0;
  const raw = resolve(options.raw);
  const parts = report(readRaw(raw));
  const names = plans.length > 0 ? [...new Set(plans.flatMap((plan) => PARTS_OF_PLAN[plan]))] : Object.keys(parts);
  if (options.report) {
    update(options.report, Object.fromEntries(names.map((name) => [name, parts[name]])));
    const figure = join(ROOT, "docs", "pictures", "harvey.svg");
    if (names.includes("harvey")) python(join(ROOT, "testdata", "cache", "study"), "scripts/study/growth.py", [raw, figure]);
  }
  if (plans.length > 0) for (const part of names) console.log(`\n## ${part}\n\n${parts[part]}`);
  if (failed > 0) throw new Error(`${failed} runs failed; run again to repeat them`);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
