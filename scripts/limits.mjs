#!/usr/bin/env node
// Measures what the hostile suites can make of a time limit and of an interrupt: how long after it the process ends, and the most
// memory that it uses.
//
//   node scripts/limits.mjs PROGRAM [--match REGEX] [--budget SECONDS] [--workers N]
//
// Each suite of testdata/hostile runs four times: with `--budget` and until SIGTERM, with the usual gas and with that of 2^64-1 before
// Osaka, where precompiles are not bounded. A line for each suite, and the worst of all at the end; the exit code is 1 where a run took
// longer than twice the budget, five seconds after SIGTERM, or did not end by itself after it used more memory than 1 GiB and twice
// `memory_limit`.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./page.mjs";
import { compilerHome, newScratch } from "./parity/tools.mjs";

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
/** MiB: the limit that is configured by default is 128. */
const MOST_MEMORY = 1024 + 2 * 128;
/** Seconds after which a run is killed. */
const KILLED = 300;
const EXTREME = { FOUNDRY_GAS_LIMIT: "18446744073709551615", FOUNDRY_EVM_VERSION: "cancun", FOUNDRY_FFI: "true" };

const home = newScratch(compilerHome(ROOT, join(ROOT, "testdata", "node_modules")));
const inherited = Object.entries(process.env).filter(([name]) => !/^(FOUNDRY|DAPP|FORGE)_/.test(name));
const environment = { ...Object.fromEntries(inherited), HOME: home, NODE_HOST: "some" };
/** The suites compiled for one environment: of a budget nothing is to be left to the compiler. */
function compiled(env) {
  const project = mkdtempSync(join(tmpdir(), "limits-"));
  cpSync(join(ROOT, "testdata", "hostile"), project, { recursive: true });
  spawnSync(resolve(program), ["test", "--list"], { cwd: project, env: { ...environment, ...env }, stdio: "ignore" });
  return { project, env };
}

/** The largest resident size of a process so far, MiB. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs the tool in a copy of a project; seconds until its end, or from a signal to its end, and its memory. */
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
    // One that ended before the signal says nothing of it.
    done({ code, memory, seconds: signalAfter && code !== 3 && seconds >= signalAfter ? 0 : seconds });
  }));
}

/** Names of the suites that have something to run. */
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
