#!/usr/bin/env node
// Measures the oracles: on a pair of contracts for each, and on labelled pairs whose author did not know them.
//
//   node scripts/oracles.mjs pairs --binary BINARY --raw FILE      testdata/oracles: every bad one found, every good one silent
//   node scripts/oracles.mjs labelled --binary BINARY --raw FILE   testdata/labelled: recall and precision of each class
//   node scripts/oracles.mjs --raw FILE --report docs/EVALUATION.md   writes the tables into the page
//
// --binary BINARY     forge-harvey to measure (default: target/release/forge-harvey)
// --raw FILE          a line of JSON a run; what is there for the same binary is not run again
// --seeds N           how many seeds (default: 20 for `pairs`, 5 for `labelled`), from 1
// --calls N           calls for each contract (default: 50000)
// --silent N          calls for which good ones of `pairs` must be silent (default: 300000), with the first seed
// --match REGEX       only contracts whose name matches
// --threads N         threads of a run (default: 2)
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readRaw, versionOf } from "./evaluate/runner.mjs";
import { labelledTable, pairsTable } from "./oracles/tables.mjs";
import { projectOf, scan } from "./oracles/scan.mjs";
import { ROOT, table, update } from "./page.mjs";
import { compilerHome } from "./parity/tools.mjs";

const { values: options, positionals: plans } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    raw: { type: "string" },
    report: { type: "string" },
    seeds: { type: "string" },
    calls: { type: "string", default: "50000" },
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

/** The runs of a plan: which contracts, for how many calls, with which seed. */
function runsOf(plan) {
  const seeds = (usual) => Array.from({ length: options.seeds === undefined ? usual : number("seeds") }, (_, index) => index + 1);
  const calls = number("calls");
  if (plan === "labelled") return seeds(5).map((seed) => ({ plan, seed, calls, contracts: "(Bad|Good)$" }));
  if (plan !== "pairs") throw new Error(`no such plan: ${plan}; there are pairs, labelled`);
  const silent = { plan, seed: 1, calls: number("silent"), contracts: "Good$" };
  return [...seeds(20).map((seed) => ({ plan, seed, calls, contracts: "Bad$" })), silent];
}

const keyOf = ({ plan, seed, calls, contracts, version }) => [plan, seed, calls, contracts, version].join("|");

async function main() {
  if (!options.raw) throw new Error("--raw FILE is needed: where the runs are kept");
  const raw = resolve(options.raw);
  const binary = resolve(options.binary);
  const home = compilerHome(ROOT, join(ROOT, "testdata", "node_modules"));
  const there = new Set(readRaw(raw).map(keyOf));
  for (const plan of plans) {
    const version = await versionOf(binary);
    const root = projectOf(plan);
    for (const run of runsOf(plan).map((run) => ({ ...run, version }))) {
      if (there.has(keyOf(run))) continue;
      const started = performance.now();
      const contracts = scan({ ...run, binary, home, root, match: options.match, threads: number("threads") });
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      if (options.match === "") appendFileSync(raw, `${JSON.stringify({ ...run, seconds, found: contracts })}\n`);
      const findings = Object.values(contracts).flat().length;
      console.error(`${plan}, seed ${run.seed}, ${run.calls} calls of ${run.contracts}: ${findings} findings (${seconds} s)`);
    }
  }
  const records = readRaw(raw);
  const parts = { oracles: table(pairsTable(records)), labelled: labelledTable(records) };
  if (options.report) update(options.report, parts);
  for (const plan of plans) console.log(`\n${parts[plan === "pairs" ? "oracles" : plan]}`);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
