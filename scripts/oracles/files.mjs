// Runs forge-harvey with all oracles on single files of a public data set: each file is a project of its own, has a
// limit of seconds, and several files run at a time.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../page.mjs";

const UNBOUNDED_RUNS = 2 ** 31 - 1;
/** Seconds that a run may take beside its budget: for the compiler, and for shrinking. */
const PATIENCE_S = 120;

/**
 * Oracles that report a bug of a category of SmartBugs-curated. Front running, short addresses and `other` are not
 * what any oracle looks for.
 */
const SMARTBUGS = {
  access_control: ["ownership-takeover", "ether-leak", "token-leak", "excess-withdrawal", "delegatecall", "selfdestruct", "tx-origin", "arbitrary-write"],
  arithmetic: ["integer-overflow"],
  bad_randomness: ["block-number-dependence", "timestamp-dependence"],
  denial_of_service: ["failed-call-dos", "gas-exhaustion"],
  reentrancy: ["reentrancy"],
  time_manipulation: ["timestamp-dependence"],
  unchecked_low_level_calls: ["unchecked-call"],
};

/** Returns the labelled files of SmartBugs-curated in `data`: `{ name, path, category, oracles, lines }`. */
export function smartbugsFiles(data) {
  const entries = JSON.parse(readFileSync(join(data, "vulnerabilities.json"), "utf8"));
  const known = entries.map(({ path, vulnerabilities }) => ({ path, category: path.split("/")[1], vulnerabilities }));
  return known.filter(({ category }) => category in SMARTBUGS).map(({ path, category, vulnerabilities }) => {
    const own = vulnerabilities.filter((label) => label.category === category);
    const lines = own.flatMap(({ lines }) => lines);
    return { name: `${category}/${basename(path)}`, path: join(data, path), category, oracles: SMARTBUGS[category], lines };
  });
}

/** Makes the project of a file. It keeps its artifacts, so that it is compiled only once. */
function projectOf(set, { name, path }) {
  const root = join(ROOT, "testdata", "cache", "oracles", set, name.replace(/\.sol$/, ""));
  mkdirSync(join(root, "src"), { recursive: true });
  cpSync(path, join(root, "src", basename(path)), { force: true, preserveTimestamps: true });
  if (!existsSync(join(root, "foundry.toml"))) {
    writeFileSync(join(root, "foundry.toml"), '[profile.default]\nsrc = "src"\nlibs = []\n');
  }
  rmSync(join(root, "cache", "harvey"), { recursive: true, force: true });
  return root;
}

/** Runs a file for `seconds` and returns its findings: `{ oracle, contract, function, file, line }`. */
export function scanFile({ binary, set, file, seed, seconds }) {
  const root = projectOf(set, file);
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FOUNDRY|DAPP|FORGE)_/.test(name));
  const env = { ...Object.fromEntries(inherited), FOUNDRY_INVARIANT_RUNS: String(UNBOUNDED_RUNS) };
  const args = ["test", "--root", root, "--json", "--scan", "--oracles", "all", "--threads", "1"];
  args.push("--budget", String(seconds), "--fuzz-seed", String(seed));
  return new Promise((done) => {
    const child = spawn(binary, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 1000 * (seconds + PATIENCE_S) });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (data) => (output.stdout += data));
    child.stderr.on("data", (data) => (output.stderr += data));
    child.on("close", (status) => done(resultOf(status, output)));
  });
}

function resultOf(status, { stdout, stderr }) {
  const isReport = status !== null && status <= 1 && stdout.startsWith("{");
  if (!isReport) return { error: `status ${status}: ${stderr.trim().slice(-500)}` };
  const suites = Object.values(JSON.parse(stdout));
  const findings = suites.flatMap(({ harvey }) => harvey?.findings ?? []).map(({ oracle, contract, function: name, location, sequence }) => {
    const [, path, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(location ?? "") ?? [];
    return { oracle, contract: contract.split(":").pop(), function: name, file: path, line: line && Number(line), calls: sequence.length };
  });
  const skipped = suites.flatMap(({ test_results: tests }) => Object.values(tests ?? {}).filter(({ status }) => status === "Skipped").map(({ reason }) => reason));
  return { findings, skipped };
}

/** Distance in lines within which a finding counts as found in the place of the label. */
const NEAR = 2;

/** Says what a run found of a file's label: `place`, `file` (elsewhere in the file), or nothing. */
export function verdict({ oracles, lines }, { findings = [] }) {
  const right = findings.filter(({ oracle }) => oracles.includes(oracle));
  if (right.length === 0) return undefined;
  const isNear = ({ line }) => lines.some((label) => Math.abs(line - label) <= NEAR);
  return right.some(isNear) ? "place" : "file";
}

/** Runs all jobs, `width` at a time, and gives each result to `done` as it comes. */
export async function inParallel(jobs, width, run, done) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) done(job, await run(job));
  };
  await Promise.all(Array.from({ length: width }, worker));
}
