// Runs jobs with several worker processes at a time, and appends a line of JSON for each to the raw file. Jobs that are
// already in the file are skipped, so that an evaluation can be interrupted and resumed.
//
// A job is { entry, seed, configuration, measure, limit, depth, version }. `entry` is a case. The configuration is
// one of forge-harvey, `forge` or `forge-corpus`; the baseline binary runs those that begin with `frozen-`. `limit`
// is the bound, and `measure` its unit:
//
// * bug: executions; the run ends early when the bugs are found
// * coverage: executions; the run does not end early
// * calls: calls
// * seconds: seconds of wall time
// * cpu: seconds of CPU time; the run ends early when the bugs are found
// * campaign: seconds of wall time; the run does not end early, and covered instructions are counted
//
// Without `depth`, the depth of the project applies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { approval, cleanEnvironment, newScratch } from "../parity/tools.mjs";
import { flags, walks } from "./configurations.mjs";
import { forget, profileEnvironment } from "./projects.mjs";
import { campaignResult, forgeResult, harveyResult, reportOf } from "./results.mjs";

const UNBOUNDED_RUNS = 2 ** 31 - 1;
/** Time in milliseconds after which a run counts as hung and is ended. */
const PATIENCE_MS = 60 * 60 * 1000;

/**
 * Returns the version with a digest of the binary, as in `forge-harvey 0.1.0 1a2b3c4d5e6f`. The digest distinguishes
 * builds.
 */
export async function versionOf(binary) {
  const { stdout } = await run(binary, ["--version"], process.env);
  const digest = createHash("sha256").update(readFileSync(binary)).digest("hex").slice(0, 12);
  return `${stdout.split("\n")[0].trim()} ${digest}`;
}

export const isForge = (configuration) => configuration.startsWith("forge");
export const isFrozen = (configuration) => configuration.startsWith("frozen-");

/** Maximum wall time of a run, as a multiple of its CPU time. A run may have to wait for a core. */
const WALL_PER_CPU = 1.5;

/** Returns the key that identifies a run. */
export const keyOf = ({ case: id, seed, configuration, measure, limit, depth, version }) =>
  [id, seed, configuration, measure, limit, depth, version].join("|");

/** Returns the records of a raw file. */
export function readRaw(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // The last line may be incomplete if the script was ended while it was written.
  return lines.flatMap((line, index) => {
    try {
      return line === "" ? [] : [JSON.parse(line)];
    } catch (error) {
      if (index === lines.length - 1) return [];
      throw new Error(`${file}:${index + 1}: ${error.message}`);
    }
  });
}

/** Removes an incomplete last line, so that the next record starts on a line of its own. */
export function mend(file) {
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
}

/** Runs a program. `watch` gets each line of its stderr, and ends the program by returning true. */
function run(binary, args, env, watch) {
  return new Promise((done, failed) => {
    const child = spawn(binary, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE_MS });
    const output = { stdout: [], stderr: [] };
    if (watch) {
      const lines = createInterface({ input: child.stderr });
      // Only one signal is sent: a second one would end the program without a report.
      const end = () => child.kill("SIGINT") && lines.removeAllListeners("line");
      lines.on("line", (line) => watch(line) && end());
    }
    for (const stream of ["stdout", "stderr"]) child[stream].on("data", (chunk) => output[stream].push(chunk));
    child.on("error", failed);
    child.on("close", (code, signal) => {
      const text = (stream) => Buffer.concat(output[stream]).toString("utf8");
      done({ code, signal, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
}

/** Returns the bounds of a campaign as environment variables that both testers read. */
function bounds({ measure, limit, depth, configuration, properties }) {
  // Forge has a campaign for each property. The wall time is divided among them, and rounded up to whole seconds.
  const seconds = Math.ceil(limit / (isForge(configuration) ? properties : 1));
  return {
    FOUNDRY_INVARIANT_RUNS: String(measure === "calls" ? Math.ceil(limit / depth) : UNBOUNDED_RUNS),
    ...(depth ? { FOUNDRY_INVARIANT_DEPTH: String(depth) } : {}),
    ...(measure === "cpu" ? { FOUNDRY_INVARIANT_TIMEOUT: String(Math.ceil(limit * WALL_PER_CPU)) } : {}),
    ...(measure === "seconds" || measure === "campaign" ? { FOUNDRY_INVARIANT_TIMEOUT: String(seconds) } : {}),
    FOUNDRY_FUZZ_RUNS: String(measure === "calls" ? limit : UNBOUNDED_RUNS),
    // Only the search is measured, so shrinking is off.
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0",
  };
}

/**
 * Returns the filter that limits Forge to the broken properties. At equal calls, its campaigns for properties that hold
 * give no information.
 */
function onlyBugs({ entry, measure }) {
  const tests = entry.bugs.flatMap(({ goals }) => goals.map((goal) => goal.test?.split("(")[0]));
  return measure === "calls" && tests.every(Boolean) ? ["--match-test", `^(${tests.join("|")})\\(`] : [];
}

/**
 * Returns a function that returns true when all bugs of a case have been reported. A line of JSON on stderr names each
 * failure.
 */
function untilFound(entry) {
  const bare = (name) => name.replace(/\(.*/, "");
  const left = new Set(entry.bugs.flatMap(({ goals }) => goals.map(({ test, finding }) => bare(test ?? finding))));
  return (line) => {
    const told = line.startsWith('{"timestamp"') ? JSON.parse(line).invariant : undefined;
    if (told) left.delete(bare(told));
    return left.size === 0;
  };
}

/** Runs a tester's `test` command for a job. Returns its report. */
async function test(job, root, { binary, baseline, forge, home }, more = []) {
  const { entry, seed, configuration, measure, limit } = job;
  const scratch = newScratch(home);
  const capped = measure === "bug" || measure === "coverage";
  const corpus = configuration === "forge-corpus" ? { FOUNDRY_INVARIANT_CORPUS_DIR: join(scratch, "corpus") } : {};
  const env = { ...cleanEnvironment(scratch), ...profileEnvironment(entry.profile), ...bounds(job), ...corpus };
  const args = ["test", "--offline", "--root", root, "--json", "--threads", "1"];
  args.push("--match-contract", `^${entry.contract}$`, "--fuzz-seed", String(seed));
  if (isForge(configuration)) args.push(...onlyBugs(job));
  else args.push(...(capped ? ["--executions", String(limit)] : []), ...flags(configuration));
  if (measure === "campaign") args.push("--report", `lcov=${join(scratch, "lcov.info")}`);
  try {
    forget(root);
    const program = isForge(configuration) ? forge : isFrozen(configuration) ? baseline : binary;
    const watch = measure === "cpu" && !isForge(configuration) ? untilFound(entry) : undefined;
    const { code, signal, stdout, stderr } = await run(program, [...args, ...approval(program), ...more], { ...env, ...walks(configuration) }, watch);
    const report = reportOf(stdout);
    if (code > (watch ? 3 : 1) || signal || !report) {
      throw new Error(`${code ?? signal}: ${stderr.slice(-1500)}${stdout.slice(0, 500)}`);
    }
    return report;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs a job. Returns its record. */
async function measureJob(job, root, tools) {
  const { entry, seed, configuration, measure, limit, depth, version } = job;
  const started = performance.now();
  let result;
  if (isForge(configuration)) {
    result = forgeResult(entry, await test(job, root, tools));
  } else {
    // With a single bug, the run can end at the first failure. If that was another one, the job runs again to its end.
    const single = measure === "bug" && entry.bugs.length === 1 && entry.bugs[0].count === 1;
    if (single) result = harveyResult(entry, await test(job, root, tools, ["--fail-fast"]));
    const missed = result && Object.values(result.bugs).includes(null) && result.stats.executions < limit;
    if (!result || missed) result = (measure === "campaign" ? campaignResult : harveyResult)(entry, await test(job, root, tools));
  }
  const wall = Math.round(performance.now() - started) / 1000;
  return { case: entry.id, set: entry.set, seed, configuration, measure, limit, depth, version, wall, ...result };
}

/** Runs the jobs that are not in the raw file. Returns how many failed. */
export async function runJobs(jobs, rootOf, tools, raw, workers) {
  mkdirSync(dirname(raw), { recursive: true });
  mend(raw);
  const there = new Set(readRaw(raw).map(keyOf));
  const left = jobs.filter((job) => !there.has(keyOf({ ...job, case: job.entry.id })));
  console.error(`${jobs.length} runs, ${jobs.length - left.length} of them are there`);
  let [next, failed] = [0, 0];
  const work = async (worker) => {
    while (next < left.length) {
      const [job, number] = [left[next], (next += 1)];
      const what = `${job.entry.id} ${job.configuration} ${job.measure}/${job.limit} seed ${job.seed}`;
      try {
        const record = await measureJob(job, rootOf(job.entry, worker), tools);
        appendFileSync(raw, `${JSON.stringify(record)}\n`);
        const shown = (found) => (found ? (found.executions ?? "found") : "-");
        const bugs = Object.entries(record.bugs).map(([id, found]) => `${id} ${shown(found)}`).join(", ");
        console.error(`[${number}/${left.length}] ${what}: ${bugs} (${record.wall.toFixed(1)} s)`);
      } catch (error) {
        failed += 1;
        console.error(`[${number}/${left.length}] ${what} failed: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return failed;
}

/** Returns the number of invariants of a suite, from Forge's list. */
export async function countProperties(entry, root, { forge, home }) {
  const scratch = newScratch(home);
  const env = { ...cleanEnvironment(scratch), ...profileEnvironment(entry.profile) };
  const args = ["test", "--offline", "--root", root, "--list", "--json", "--match-contract", `^${entry.contract}$`];
  const { stdout } = await run(forge, [...args, ...approval(forge)], env);
  rmSync(scratch, { recursive: true, force: true });
  const contracts = Object.values(JSON.parse(stdout)).flatMap((file) => Object.values(file));
  return Math.max(1, contracts.flat().filter((name) => /^(invariant|statefulFuzz)/.test(name)).length);
}
