#!/usr/bin/env node
// Measures the oracles: on a pair of contracts for each oracle, on labelled pairs whose author did not know the
// oracles, and on widely used contracts.
//
//   node scripts/oracles.mjs pairs --binary BINARY --raw FILE         testdata/oracles: each bug found, no false alarm
//   node scripts/oracles.mjs labelled --binary BINARY --raw FILE      testdata/labelled: recall and precision by class
//   node scripts/oracles.mjs unseen --binary BINARY --raw FILE        testdata/unseen: the same, on pairs only for this
//   node scripts/oracles.mjs real --binary BINARY --raw FILE          npm packages, with the default oracles
//   node scripts/oracles.mjs cost --binary BINARY --baseline OTHER --raw FILE
//                                                                     testdata/labelled: calls per CPU second of both
//   node scripts/oracles.mjs --raw FILE --report docs/EVALUATION.md   writes the tables into the page
//
// --binary BINARY     forge-harvey to measure (default: target/release/forge-harvey)
// --baseline BINARY   another forge-harvey, for `cost`
// --raw FILE          file with one line of JSON for each run; runs that it has for the same binary are not repeated
// --seeds N           number of seeds, from 1 (default: 20 for `pairs`, 3 for `cost`, else 5)
// --calls N           calls for each contract (default: 200000 for `labelled` and `unseen`, 50000 for the others)
// --silent N          calls for which the corrected contracts of `pairs` must be silent (default: 300000), with seed 1
// --match REGEX       only contracts whose name matches
// --threads N         threads of a run (default: 2)
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readRaw, versionOf } from "./evaluate/runner.mjs";
import { cost, projectOf, scan } from "./oracles/scan.mjs";
import { costTable, labelledTable, pairsTable, realTable } from "./oracles/tables.mjs";
import { ROOT, read, table, update } from "./page.mjs";
import { compilerHome } from "./parity/tools.mjs";
import { homeOf, prepared } from "./projects/prepare.mjs";

const { values: options, positionals: plans } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    baseline: { type: "string" },
    raw: { type: "string" },
    report: { type: "string" },
    seeds: { type: "string" },
    calls: { type: "string" },
    silent: { type: "string", default: "300000" },
    match: { type: "string", default: "" },
    threads: { type: "string", default: "2" },
  },
});

function number(name) {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is no positive number: ${options[name]}`);
  return value;
}

const CALLS = { suites: 200_000, others: 50_000 };

/** Returns the runs of a plan: contracts, number of calls and seed of each. */
function runsOf(plan) {
  const seeds = (usual) => Array.from({ length: options.seeds === undefined ? usual : number("seeds") }, (_, index) => index + 1);
  const isSuite = plan === "labelled" || plan === "unseen";
  const calls = options.calls === undefined ? CALLS[isSuite ? "suites" : "others"] : number("calls");
  if (isSuite) return seeds(5).map((seed) => ({ plan, seed, calls, contracts: "(Bad|Good)$" }));
  if (plan === "cost") return seeds(3).map((seed) => ({ plan, seed, calls, contracts: "" }));
  if (plan === "real") {
    const projects = JSON.parse(read("scripts/oracles/real.json"));
    return projects.map((project) => ({ plan, project: project.name, seed: 1, calls, contracts: "" }));
  }
  if (plan !== "pairs") throw new Error(`no such plan: ${plan}; there are pairs, labelled, unseen, real, cost`);
  const silent = { plan, seed: 1, calls: number("silent"), contracts: "Good$" };
  return [...seeds(20).map((seed) => ({ plan, seed, calls, contracts: "Bad$" })), silent];
}

const keyOf = ({ plan, project, seed, calls, contracts, version, baseline }) =>
  [plan, project, seed, calls, contracts, version, baseline].join("|");

/**
 * Returns the directory of the contracts of a run, the home directory with their compilers, and the flags for the
 * oracles.
 */
function placeOf({ plan, project }, home) {
  if (plan !== "real") return { root: projectOf(plan === "cost" ? "labelled" : plan), home, oracles: ["--oracles", "all"] };
  const work = join(ROOT, "testdata", "cache", "oracles", "real");
  const known = JSON.parse(read("scripts/oracles/real.json")).find(({ name }) => name === project);
  return { root: prepared(work, known), home: homeOf(work), oracles: [] };
}

/** Returns what is found in the contracts of a run, and the seconds that it takes. */
function searched(run, place, binary) {
  const started = performance.now();
  const found = scan({ ...run, ...place, binary });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const findings = Object.values(found).flatMap(({ findings }) => findings).length;
  console.error(`${run.project ?? run.plan}, seed ${run.seed}, ${run.calls} calls of ${run.contracts}: ${findings} findings (${seconds} s)`);
  return { seconds, found };
}

/** Returns the cost of a run for the baseline and for the binary, one after the other. */
function compared(run, place, binary) {
  const [before, now] = [baseline(), binary].map((program) => {
    // A run of few calls compiles the project, so that the compilers do not count.
    cost({ ...run, ...place, binary: program, calls: 1 });
    return cost({ ...run, ...place, binary: program });
  });
  console.error(`cost, seed ${run.seed}, ${run.calls} calls of each contract: ${before.cpu} and ${now.cpu} CPU seconds`);
  return { before, now };
}

/** Returns the path of the baseline. */
function baseline() {
  if (!options.baseline) throw new Error("--baseline BINARY is needed for `cost`");
  return resolve(options.baseline);
}

async function main() {
  if (!options.raw) throw new Error("--raw FILE is needed: where the runs are kept");
  const raw = resolve(options.raw);
  const binary = resolve(options.binary);
  const home = compilerHome(ROOT, join(ROOT, "testdata", "node_modules"));
  const there = new Set(readRaw(raw).map(keyOf));
  for (const plan of plans) {
    const versions = { version: await versionOf(binary) };
    if (plan === "cost") versions.baseline = await versionOf(baseline());
    for (const run of runsOf(plan).map((run) => ({ ...run, ...versions }))) {
      if (there.has(keyOf(run))) continue;
      const place = { ...placeOf(run, home), match: options.match, threads: number("threads") };
      const measured = plan === "cost" ? compared(run, place, binary) : searched(run, place, binary);
      if (options.match === "") appendFileSync(raw, `${JSON.stringify({ ...run, ...measured })}\n`);
    }
  }
  const records = readRaw(raw);
  const parts = { oracles: table(pairsTable(records)), labelled: labelledTable(records), unseen: labelledTable(records, "unseen"), real: realTable(records), cost: costTable(records) };
  if (options.report) update(options.report, parts);
  for (const plan of plans) console.log(`\n${parts[plan === "pairs" ? "oracles" : plan]}`);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
