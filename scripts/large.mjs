#!/usr/bin/env node
// Measures campaigns of large systems, whose suites others have written: calls per CPU second, and the part of the CPU
// time that the kernel takes (for page faults, among others).
//
//   node scripts/large.mjs --ours BINARY[,BINARY...] --systems DIR --raw FILE [--match REGEX] [--seconds N] [--rounds N]
//   node scripts/large.mjs --raw FILE --report           writes the table of docs/PERFORMANCE.md
//
// The binaries take turns. Ratios are those of each binary to the first one, in the median of the rounds.
//
// --systems DIR       checkouts of scripts/large/systems.json, each in the directory of its name, with its dependencies,
//                     and compiled once. What is missing is named with the commands that get it
// --match REGEX       only systems whose name matches
// --seconds N         seconds of each run (default: 20)
// --rounds N          number of runs of each binary; their seeds are 1, 2 and so on (default: 3)
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { reportOf } from "./evaluate/results.mjs";
import { median } from "./evaluate/statistics.mjs";
import { percent, read, table, update } from "./page.mjs";
import { cleanEnvironment, timed } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    systems: { type: "string" },
    raw: { type: "string" },
    match: { type: "string", default: "" },
    seconds: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
    report: { type: "boolean", default: false },
  },
});

/** Returns the systems that are chosen. A checkout that is missing is an error. */
function systems() {
  const all = JSON.parse(read("scripts/large/systems.json")).filter(({ name }) => new RegExp(options.match).test(name));
  return all.map((system) => {
    const root = resolve(options.systems, system.name);
    if (existsSync(root)) return { ...system, root };
    const get = `git clone --recurse-submodules ${system.repository} ${root} && git -C ${root} checkout ${system.commit}`;
    throw new Error(`${root} does not exist: ${get}`);
  });
}

/** Runs the campaigns of a system once. */
function run(binary, { name, root, args = [], env = {} }, seed) {
  const scratch = mkdtempSync(join(tmpdir(), "large-"));
  const line = ["test", "--root", root, "--json", "--threads", "1", "--fuzz-seed", String(seed), "--budget", options.seconds, ...args];
  // The compilers are those of the user.
  const environment = { ...cleanEnvironment(scratch), HOME: process.env.HOME, ...env };
  const { status, stdout, stderr } = spawnSync("bash", timed(binary, line), { cwd: root, env: environment, encoding: "utf8", maxBuffer: 2 ** 30 });
  rmSync(scratch, { recursive: true, force: true });
  const report = reportOf(stdout);
  if (status > 1 || !report) throw new Error(`${binary} exited with ${status} on ${name}:\n${stderr.slice(-2000)}`);
  const stats = Object.values(report).map((suite) => suite.harvey.stats);
  const calls = stats.reduce((sum, suite) => sum + suite.calls, 0);
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { system: name, binary: basename(binary), seed, seconds: options.seconds, calls, user, kernel: system };
}

function measure() {
  const binaries = options.ours.split(",").map((binary) => resolve(binary));
  for (const system of systems()) {
    for (let seed = 1; seed <= Number(options.rounds); seed += 1) {
      for (const binary of binaries) {
        const result = run(binary, system, seed);
        appendFileSync(options.raw, `${JSON.stringify(result)}\n`);
        console.error(`${result.system} ${result.binary} seed ${seed}: ${rate(result).toFixed(0)} calls/s`);
      }
    }
  }
}

/** Calls per CPU second. */
const rate = ({ calls, user, kernel }) => calls / (user + kernel);

/** Returns a row for each system and binary. */
function rows(runs) {
  const of = (system, binary) => runs.filter((run) => run.system === system && run.binary === binary);
  const names = [...new Set(runs.map(({ system }) => system))];
  const binaries = [...new Set(runs.map(({ binary }) => binary))];
  const row = (system, binary) => {
    const [own, first] = [of(system, binary), of(system, binaries[0])];
    const before = new Map(first.map((run) => [run.seed, rate(run)]));
    const ratios = own.map((run) => rate(run) / before.get(run.seed)).filter((ratio) => ratio > 0);
    const kernel = own.reduce((sum, run) => sum + run.kernel, 0);
    const all = own.reduce((sum, run) => sum + run.kernel + run.user, 0);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [system, binary, own.length, median(own.map(rate)).toFixed(0), `${median(ratios).toFixed(2)} (${spread})`, percent(kernel, all)];
  };
  return names.flatMap((system) => binaries.filter((binary) => of(system, binary).length > 0).map((binary) => row(system, binary)));
}

function report() {
  const runs = readFileSync(options.raw, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const header = ["system", "binary", "runs", "calls per CPU second", "ratio to the first", "kernel's part"];
  update("docs/PERFORMANCE.md", { large: table([header, ...rows(runs)]) }, "node scripts/large.mjs --raw FILE --report");
}

if (!options.raw) throw new Error("--raw FILE: where the runs are kept");
if (options.report) report();
else if (options.ours && options.systems) measure();
else throw new Error("--ours BINARY and --systems DIR: what to measure");
