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
export function scanFile({ binary, set, file, seed, seconds }) {
  const root = projectOf(set, file);
  const env = { ...plainEnvironment(), ...UNBOUNDED };
  const args = ["test", "--root", root, "--json", "--scan", "--oracles", "all", "--threads", "1"];
  if (file.contract) args.push("--match-contract", `^${file.contract}$`);
  args.push("--budget", String(seconds), "--fuzz-seed", String(seed));
  return new Promise((done) => {
    const child = spawn(binary, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 1000 * (seconds + PATIENCE_S) });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"]) child[stream].on("data", (data) => (output[stream] += data));
    child.on("close", (status) => done(resultOf(status, output)));
  });
}

function resultOf(status, { stdout, stderr }) {
  const isReport = status !== null && status <= 1 && stdout.startsWith("{");
  if (!isReport) return { findings: [], error: `status ${status}: ${stderr.trim().slice(-500)}` };
  const suites = Object.values(JSON.parse(stdout));
  const findings = suites.flatMap(({ harvey }) => (harvey?.findings ?? []).map(findingOf));
  const tests = suites.flatMap(({ test_results: results }) => Object.values(results ?? {}));
  const skipped = tests.filter(({ status }) => status === "Skipped").map(({ reason }) => reason);
  return { findings, skipped };
}

function findingOf({ oracle, contract, function: name, location, sequence }) {
  const [, file, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(location ?? "") ?? [];
  return { oracle, contract: contract.split(":").pop(), function: name, file, line: line && Number(line), calls: sequence.length };
}

/** Runs all jobs, `width` at a time, and gives each result to `done` as it comes. */
export async function inParallel(jobs, width, run, done) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) done(job, await run(job));
  };
  await Promise.all(Array.from({ length: width }, worker));
}
