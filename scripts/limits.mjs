#!/usr/bin/env node
// Measures whether forge-harvey keeps its limits on the hostile suites: how long it takes to end after a time limit and
// after SIGTERM, and how much memory it uses.
//
//   node scripts/limits.mjs PROGRAM [--match REGEX] [--budget SECONDS] [--workers N]
//
// Each suite of testdata/hostile runs four times: with `--budget` and until SIGTERM, each with the usual gas and with
// 2^64-1 gas under the rules before Osaka, where precompiles are not bounded. The script prints one line for each
// suite, and the worst figures at the end. The exit code is 1 if a run
//
// * took longer than twice the budget,
// * took more than five seconds after SIGTERM, or
// * used more memory than 1 GiB and twice `memory_limit`, and did not end by itself then.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./page.mjs";
import { compilerHome, newScratch, plainEnvironment } from "./parity/tools.mjs";

const { values: options, positionals: [program] } = parseArgs({
  allowPositionals: true,
  options: {
    match: { type: "string", default: "" },
    budget: { type: "string", default: "5" },
    workers: { type: "string", default: "2" },
  },
});
if (!program) throw new Error("usage: scripts/limits.mjs PROGRAM [--match REGEX] [--budget SECONDS] [--workers N]");

const budget = Number(options.budget);
const MOST_AFTER_SIGNAL = 5;
/** Maximum memory in MiB: 1 GiB and twice the default `memory_limit` of 128. */
const MOST_MEMORY = 1024 + 2 * 128;
/** Time in seconds after which a run is killed. */
const KILLED = 300;
const EXTREME = { FOUNDRY_GAS_LIMIT: "18446744073709551615", FOUNDRY_EVM_VERSION: "cancun", FOUNDRY_FFI: "true" };

const home = newScratch(compilerHome(ROOT, join(ROOT, "testdata", "node_modules")));
const environment = { ...plainEnvironment(), HOME: home, NODE_HOST: "some" };
/** Compiles the suites for one environment in advance, so that the compiler takes nothing of the budget. */
function compiled(env) {
  const project = mkdtempSync(join(tmpdir(), "limits-"));
  cpSync(join(ROOT, "testdata", "hostile"), project, { recursive: true });
  spawnSync(resolve(program), ["test", "--list"], { cwd: project, env: { ...environment, ...env }, stdio: "ignore" });
  return { project, env };
}

/** Returns the largest resident size of a process so far, in MiB. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs the program in a copy of a project. Returns its exit code, its memory, and the seconds from its start or from
 * the signal to its end.
 */
function run(args, project, env, signalAfter) {
  const root = mkdtempSync(join(tmpdir(), "limits-"));
  cpSync(project, root, { recursive: true });
  const child = spawn(resolve(program), ["test", ...args], { cwd: root, env: { ...environment, ...env }, stdio: "ignore" });
  let [begin, memory] = [performance.now(), 0];
  const watching = setInterval(() => (memory = Math.max(memory, peakOf(child.pid))), 50);
  const kill = setTimeout(() => child.kill("SIGKILL"), KILLED * 1000);
  const signal = signalAfter && setTimeout(() => {
    begin = performance.now();
    child.kill("SIGTERM");
  }, signalAfter * 1000);
  return new Promise((done) => child.on("exit", (code) => {
    const seconds = (performance.now() - begin) / 1000;
    [watching, kill, signal].forEach(clearTimeout);
    rmSync(root, { recursive: true });
    // A run that ended before the signal tells nothing about it.
    done({ code, memory, seconds: signalAfter && code !== 3 && seconds >= signalAfter ? 0 : seconds });
  }));
}

/** Returns the names of the suites. */
function suites() {
  const sources = ["Code", "Deaf", "Libraries", "Loops", "Memory", "Outside", "Text", "Unit"];
  const text = sources.map((name) => readFileSync(join(ROOT, "testdata", "hostile", "test", `${name}.t.sol`), "utf8")).join("\n");
  return [...text.matchAll(/^contract (\w+Test)\b/gm)].map(([, name]) => name).filter((name) => RegExp(options.match).test(name));
}

const shown = ({ seconds, memory, code }) => `${seconds.toFixed(1)} s ${memory.toFixed(0)} MiB (${code})`;
const worst = { budget: 0, signal: 0, memory: 0, unclean: false };

async function measure(name) {
  const args = ["--match-contract", `^${name}$`, "--unit", "--threads", "1", "--fuzz-seed", "1"];
  const cells = [];
  for (const { project, env } of projects) {
    const limited = await run([...args, "--budget", String(budget)], project, env);
    const unbounded = { ...env, FOUNDRY_INVARIANT_RUNS: "1000000", FOUNDRY_FUZZ_RUNS: "1000000" };
    const signalled = await run(args, project, unbounded, budget);
    worst.budget = Math.max(worst.budget, limited.seconds);
    worst.signal = Math.max(worst.signal, signalled.seconds);
    worst.memory = Math.max(worst.memory, limited.memory, signalled.memory);
    worst.unclean ||= [limited, signalled].some(({ memory, code }) => memory > MOST_MEMORY && ![0, 1, 3].includes(code));
    cells.push(shown(limited), shown(signalled));
  }
  console.log([name, ...cells].join(" | "));
}

const projects = [{}, EXTREME].map(compiled);
console.log(`suite | --budget ${budget} | SIGTERM | --budget ${budget}, most gas | SIGTERM, most gas`);
const left = suites();
const work = async () => {
  for (let name = left.shift(); name; name = left.shift()) await measure(name);
};
await Promise.all(Array.from({ length: Number(options.workers) }, work));
[home, ...projects.map(({ project }) => project)].forEach((directory) => rmSync(directory, { recursive: true }));
console.log(`worst: ${worst.budget.toFixed(1)} s with --budget ${budget}, ${worst.signal.toFixed(1)} s after SIGTERM, ${worst.memory.toFixed(0)} MiB`);
process.exitCode = worst.budget > 2 * budget || worst.signal > MOST_AFTER_SIGNAL || worst.unclean ? 1 : 0;
