// Runs forge-harvey with all oracles on single files: each file is a project of its own, and the time is limited.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../page.mjs";
import { plainEnvironment } from "../parity/tools.mjs";

/** Environment of a run that only its time limits. */
export const UNBOUNDED = { FOUNDRY_INVARIANT_RUNS: String(2 ** 31 - 1) };
/** Seconds that a run may take beside its budget: for the compiler, and for shrinking. */
const PATIENCE_S = 120;

/** Makes the project of a file. The project keeps its artifacts, so that it is compiled only once. */
export function projectOf(set, { name, path }) {
  const root = join(ROOT, "testdata", "cache", "datasets", set, name.replace(/\.sol$/, ""));
  mkdirSync(join(root, "src"), { recursive: true });
  cpSync(path, join(root, "src", basename(path)), { preserveTimestamps: true });
  const config = join(root, "foundry.toml");
  if (!existsSync(config)) writeFileSync(config, '[profile.default]\nsrc = "src"\nlibs = []\n');
  rmSync(join(root, "cache", "harvey"), { recursive: true, force: true });
  return root;
}

/** Runs a file for `seconds`. Returns `{ findings: [{ oracle, contract, function, file, line, calls }], skipped }`. */
export async function scanFile({ binary, set, file, seed, seconds }) {
  const match = file.contract ? ["--match-contract", `^${file.contract}$`] : [];
  const more = ["--budget", String(seconds), ...match];
  const { suites, error } = await scanProject({ binary, root: projectOf(set, file), seed, seconds, more });
  if (error) return { findings: [], error };
  const tests = Object.values(suites).flatMap(({ test_results: results }) => Object.values(results ?? {}));
  const skipped = tests.filter(({ status }) => status === "Skipped").map(({ reason }) => reason);
  return { findings: findingsOf(suites), skipped };
}

/**
 * Runs a project with all oracles and the options `more`, among which is the limit of the search, of at most `seconds`.
 * Returns the suites of the JSON report, or an error.
 */
export function scanProject({ binary, root, seed, seconds, more = [], env = {} }) {
  const args = ["test", "--root", root, "--json", "--scan", "--oracles", "all", "--threads", "1", ...more];
  args.push("--fuzz-seed", String(seed));
  const options = { env: { ...plainEnvironment(), ...UNBOUNDED, ...env }, timeout: 1000 * (seconds + PATIENCE_S) };
  return jsonReport(binary, args, options).then(({ report, error }) => (error ? { error } : { suites: report }));
}

/** Runs a program. Returns the JSON that it prints as `report`, or an error. */
export function jsonReport(program, args, options) {
  return new Promise((done) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"]) child[stream].on("data", (data) => (output[stream] += data));
    child.on("close", (status) => {
      const isReport = status !== null && status <= 1 && output.stdout.startsWith("{");
      const error = `status ${status}: ${output.stderr.trim().slice(-500)}`;
      done(isReport ? { report: JSON.parse(output.stdout) } : { error });
    });
  });
}

/** Returns the findings of all suites. */
export function findingsOf(suites) {
  return Object.values(suites).flatMap(({ harvey }) => (harvey?.findings ?? []).map(findingOf));
}

function findingOf({ oracle, contract, function: name, location, sequence }) {
  const [, file, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(location ?? "") ?? [];
  return { oracle, contract: contract.split(":").pop(), function: name, file, line: line && Number(line), calls: sequence.length };
}

/** Runs all jobs, `width` at a time, and gives each result to `done` as it comes. */
export async function inParallel(jobs, width, run, done) {
  await inGroups(jobs.map((job) => [job]), width, run, done);
}

/** Does the same with groups of jobs, whose jobs run one after the other. */
export async function inGroups(groups, width, run, done) {
  const waiting = [...groups];
  const worker = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      for (const job of group) done(job, await run(job));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
