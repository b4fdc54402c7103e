#!/usr/bin/env node
// Repeats the experiments of Akca, Peng and Rajan, "Testing Smart Contracts: Which Technique Performs Best?" (ESEM 2021),
// with the strategies of this tool.
//
//   node scripts/study.mjs vulnerable --data DIR --raw FILE    the known faults of smartbugs-curated, of which DIR is a
//                                                              checkout: Figures 4 and 6, Tables 1, 3 and 5
//   node scripts/study.mjs random --raw FILE                   contracts of npm packages: Figure 3, Table 2
//   node scripts/study.mjs seeded --raw FILE                   mutants of the same contracts: Figure 5, Table 4
//   node scripts/study.mjs etherscan --data DIR --raw FILE     the same for a directory of sources from Etherscan, each a
//                                                              single file
//   node scripts/study.mjs --raw FILE --report                 writes the tables of docs/EVALUATION.md and the figures
//
// --binary BINARY     forge-harvey to measure (default: target/release/forge-harvey)
// --raw FILE          file with one line of JSON for each run; runs that it has for the same binary are not repeated
// --seconds LIST      seconds for each contract (default: 15, the paper's; Table 1 needs 15,30,45)
// --executions LIST   numbers of sequences for each contract, in place of seconds: what few inputs find
// --strategies LIST   strategies (default: all)
// --seeds N           number of seeds, from 1 (default: 1)
// --match REGEX       only contracts whose name matches
// --count N           number of contracts of `random`, `seeded` and `etherscan` (default: 50)
// --solver PROGRAM    SMT solver of all strategies (default: z3 of testdata/requirements.txt)
// --width N           number of contracts that run at the same time (default: 2)
// --work DIR          packages of `random`, and the libraries of the statistics (default: testdata/cache/study)
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findingsOf, inGroups, projectOf, scanProject } from "./datasets/scan.mjs";
import { PAPER, SETS, verdict } from "./datasets/sets.mjs";
import { mend, readRaw, versionOf } from "./evaluate/runner.mjs";
import { ROOT, update } from "./page.mjs";
import { plainEnvironment } from "./parity/tools.mjs";
import { python } from "./study/python.mjs";
import { randomContracts, randomFiles } from "./study/random.mjs";
import { coverageOf, edgesBySeed, sizeOf } from "./study/results.mjs";
import { runMutants, withMutants } from "./study/seeded.mjs";

const STRATEGIES = ["harvey", "adaptive", "smt", "blackbox", "genetic"];

const { values: options, positionals: experiments } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    data: { type: "string" },
    raw: { type: "string" },
    report: { type: "boolean", default: false },
    seconds: { type: "string", default: "15" },
    executions: { type: "string" },
    strategies: { type: "string", default: STRATEGIES.join(",") },
    seeds: { type: "string", default: "1" },
    match: { type: "string", default: "" },
    count: { type: "string", default: "50" },
    solver: { type: "string", default: join(ROOT, "testdata", "cache", "python", "bin", "z3") },
    width: { type: "string", default: "2" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "study") },
  },
});

/** The contracts of each experiment: `{ name, root, contract, label }`. */
const CONTRACTS = {
  vulnerable() {
    const files = SETS.smartbugs(data()).filter(({ labels }) => PAPER.includes(labels[0].category));
    // A project is made before the runs, since they may be at the same time.
    return files.map((file) => ({ name: file.name, root: projectOf("smartbugs", file), label: file.labels[0] }));
  },
  random() {
    return randomContracts(resolve(options.work), resolve(options.binary), Number(options.count));
  },
  seeded() {
    const binary = resolve(options.binary);
    return CONTRACTS.random().map((entry) => withMutants(binary, entry)).filter(({ ids }) => ids.length > 0);
  },
  etherscan() {
    return randomFiles(data(), resolve(options.binary), Number(options.count));
  },
};

function data() {
  if (!options.data) throw new Error("--data DIR is needed: where the sources are");
  return resolve(options.data);
}

const keyOf = ({ set, name, strategy, seed, seconds, executions, version }) =>
  [set, name, strategy, seed, seconds, executions, version].join("|");

/** Seconds that a run with a number of sequences may take. */
const MOST_SECONDS = 600;

/** Returns the jobs of each project. */
function byRoot(jobs) {
  const groups = new Map();
  for (const job of jobs) groups.set(job.entry.root, [...(groups.get(job.entry.root) ?? []), job]);
  return [...groups.values()];
}

const compiled = new Set();

/** Compiles the project of a contract, once. */
function compile(binary, { root, env }) {
  if (compiled.has(root)) return;
  compiled.add(root);
  spawnSync(binary, ["test", "--root", root, "--scan", "--list"], { env: { ...plainEnvironment(), ...env } });
}

/** Runs a strategy on a contract. */
async function measure({ set, entry, strategy, seed, seconds, executions, binary }) {
  const scratch = mkdtempSync(join(tmpdir(), "study-"));
  try {
    if (set === "seeded") {
      return await runMutants({ binary, entry, strategy, solver: options.solver, seed, seconds, corpus: join(scratch, "corpus") });
    }
    // The lcov file makes the measurement of coverage complete.
    const more = ["--strategy", strategy, "--solver", options.solver, "--no-corpus", "--report", `lcov=${join(scratch, "lcov.info")}`];
    more.push(...(seconds ? ["--budget", String(seconds)] : ["--executions", String(executions)]));
    if (entry.contract) more.push("--match-contract", `^${entry.contract}$`, "--match-path", entry.path);
    const env = { FOUNDRY_HARVEY_CORPUS: join(scratch, "corpus"), ...entry.env };
    const { suites, error } = await scanProject({ binary, root: entry.root, seed, seconds: seconds ?? MOST_SECONDS, more, env });
    if (error) return { error };
    const findings = findingsOf(suites);
    const label = entry.label && { category: entry.label.category, verdict: verdict(entry.label, findings) ?? "" };
    const adaptive = strategy === "adaptive" && { edges: edgesBySeed(suites) };
    return { ...label, coverage: coverageOf(suites), size: sizeOf(suites), ...adaptive };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs what the raw file does not have yet. */
async function run(set, raw) {
  if (!(set in CONTRACTS)) throw new Error(`no such experiment: ${set}; there are ${Object.keys(CONTRACTS).join(", ")}`);
  if (set === "seeded" && options.executions) throw new Error("--executions: seeded takes --seconds only");
  const isPath = options.solver.includes("/");
  if (isPath && !existsSync(options.solver)) throw new Error(`no solver at ${options.solver}; scripts/test --no-run installs it`);
  const binary = resolve(options.binary);
  const version = await versionOf(binary);
  const entries = CONTRACTS[set]().filter(({ name }) => new RegExp(options.match).test(name));
  mend(raw);
  // What failed runs again.
  const there = new Set(readRaw(raw).filter(({ error }) => !error).map(keyOf));
  const seeds = Array.from({ length: Number(options.seeds) }, (_, index) => index + 1);
  const [limit, amounts] = options.executions ? ["executions", options.executions] : ["seconds", options.seconds];
  const jobs = amounts.split(",").map(Number).flatMap((amount) =>
    seeds.flatMap((seed) =>
      entries.flatMap((entry) =>
        options.strategies.split(",").map((strategy) => ({ set, name: entry.name, entry, strategy, seed, [limit]: amount, version, binary })),
      ),
    ),
  ).filter((job) => !there.has(keyOf(job)));
  // Runs at the same time must not compile the same project.
  for (const { entry } of jobs) compile(binary, entry);
  let done = 0;
  const width = Number(options.width);
  // Two runs of `mutate` in a project would wait for each other.
  const groups = set === "seeded" ? byRoot(jobs) : jobs.map((job) => [job]);
  await inGroups(groups, width, measure, (job, result) => {
    const { entry: _, binary: __, ...known } = job;
    appendFileSync(raw, `${JSON.stringify({ ...known, ...result })}\n`);
    done += 1;
    console.error(`${done} of ${jobs.length}: ${job.name}, ${job.strategy}, ${job[limit]} ${limit}: ${result.error ?? result.verdict ?? "ran"}`);
  });
}

/** Writes the tables and the figures. */
function report(raw) {
  const parts = python(resolve(options.work), "scripts/study/analysis.py", [raw, join(ROOT, "docs", "pictures")]);
  update("docs/EVALUATION.md", JSON.parse(parts));
}

async function main() {
  if (!options.raw) throw new Error("--raw FILE is needed: where the runs are kept");
  const raw = resolve(options.raw);
  for (const experiment of experiments) await run(experiment, raw);
  if (options.report) report(raw);
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
