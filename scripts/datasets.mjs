#!/usr/bin/env node
// Measures the oracles on public data sets of labelled contracts, which are not part of the repository.
//
//   node scripts/datasets.mjs smartbugs --data DIR --raw FILE         DIR is a checkout of smartbugs-curated
//   node scripts/datasets.mjs smartian --data DIR --raw FILE          DIR holds benchmark B2 of Smartian and b2.json
//   node scripts/datasets.mjs --raw FILE --report docs/EVALUATION.md  writes the tables into the page
//
// --binary BINARY     forge-harvey to measure (default: target/release/forge-harvey)
// --raw FILE          file with one line of JSON for each run; runs that it has for the same binary are not repeated
// --seconds N         seconds for each file (default: 20)
// --seeds N           number of seeds, from 1 (default: 5)
// --match REGEX       only files whose name matches
// --width N           number of files that run at the same time (default: 2)
// --findings          prints all findings of the selected runs
//
// Each file first runs for a tenth of the time. If all its labels are found in their places by then, the run ends: with
// the same seed, the full time finds them as well.
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inParallel, scanFile } from "./datasets/scan.mjs";
import { SETS, verdict } from "./datasets/sets.mjs";
import { setTable } from "./datasets/tables.mjs";
import { readRaw, versionOf } from "./evaluate/runner.mjs";
import { ROOT, update } from "./page.mjs";

const { values: options, positionals: sets } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    data: { type: "string" },
    raw: { type: "string" },
    report: { type: "string" },
    seconds: { type: "string", default: "20" },
    seeds: { type: "string", default: "5" },
    match: { type: "string", default: "" },
    width: { type: "string", default: "2" },
    findings: { type: "boolean", default: false },
  },
});

function number(name) {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is no positive number: ${options[name]}`);
  return value;
}

const keyOf = ({ set, name, seed, seconds, version }) => [set, name, seed, seconds, version].join("|");

/** Runs a file until its labels are found in their places, or for the full time. */
async function measure({ file, ...job }) {
  let result;
  for (const seconds of [Math.ceil(job.seconds / 10), job.seconds]) {
    result = await scanFile({ ...job, file, seconds });
    const verdicts = file.labels.map((label) => [label.category, verdict(label, result.findings)]);
    result.verdicts = Object.fromEntries(verdicts.map(([category, found]) => [category, found ?? ""]));
    if (result.error || verdicts.every(([, found]) => found === "place")) break;
  }
  return result;
}

/** Runs the files of a set that the raw file does not have yet. */
async function runSet(set, raw) {
  if (!(set in SETS)) throw new Error(`no such data set: ${set}; there are ${Object.keys(SETS).join(", ")}`);
  if (!options.data) throw new Error("--data DIR is needed: where the data set is");
  const binary = resolve(options.binary);
  const version = await versionOf(binary);
  const files = SETS[set](resolve(options.data)).filter(({ name }) => new RegExp(options.match).test(name));
  const there = new Set(readRaw(raw).map(keyOf));
  const seeds = Array.from({ length: number("seeds") }, (_, index) => index + 1);
  const jobs = seeds.flatMap((seed) => files.map((file) => ({ set, name: file.name, file, seed, seconds: number("seconds"), version, binary })));
  await inParallel(jobs.filter((job) => !there.has(keyOf(job))), number("width"), measure, (job, result) => {
    const { file, binary: _, ...known } = job;
    appendFileSync(raw, `${JSON.stringify({ ...known, ...result })}\n`);
    console.error(`${job.name}, seed ${job.seed}: ${JSON.stringify(result.verdicts)}${result.error ? ` ${result.error}` : ""}`);
    if (options.findings) console.log(JSON.stringify(result.findings, null, 1));
  });
}

async function main() {
  if (!options.raw) throw new Error("--raw FILE is needed: where the runs are kept");
  const raw = resolve(options.raw);
  for (const set of sets) await runSet(set, raw);
  const records = readRaw(raw);
  const parts = Object.fromEntries(Object.keys(SETS).map((set) => [set, setTable(set, records)]));
  if (options.report) update(options.report, parts);
  for (const set of sets) console.log(`\n${parts[set]}`);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
