// Runs forge-harvey with oracles on the contracts of a project that has no tests.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../page.mjs";
import { cleanEnvironment, cpuSeconds, newScratch, timed } from "../parity/tools.mjs";

const DEPTH = 100;

/** Makes a working copy of the project of a plan. forge-harvey does not use the labels and names; this script does. */
export function projectOf(plan) {
  const root = join(ROOT, "testdata", "cache", "oracles", plan);
  rmSync(join(root, "src"), { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const source = join(ROOT, "testdata", plan === "pairs" ? "oracles/src" : plan);
  cpSync(source, join(root, "src"), { recursive: true, filter: (path) => !path.endsWith(".md") });
  writeFileSync(join(root, "foundry.toml"), '[profile.default]\nsrc = "src"\nlibs = []\n');
  return root;
}

/**
 * Scans the contracts of a project whose names match. Returns the JSON report of forge-harvey and the CPU time of the
 * run in seconds.
 */
function run({ binary, home, root, oracles, seed, calls, contracts, match, threads }) {
  const scratch = newScratch(home);
  const env = {
    ...cleanEnvironment(scratch),
    FOUNDRY_INVARIANT_DEPTH: String(DEPTH),
    FOUNDRY_INVARIANT_RUNS: String(Math.ceil(calls / DEPTH)),
    // Only the search is measured, so shrinking is off.
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0",
  };
  rmSync(join(root, "cache", "harvey"), { recursive: true, force: true });
  const args = ["test", "--offline", "--root", root, "--json", "--scan", "--threads", String(threads), ...oracles];
  if (contracts + match !== "") args.push("--match-contract", match === "" ? contracts : match);
  args.push("--fuzz-seed", String(seed));
  const { status, stdout, stderr, signal } = spawnSync("bash", timed(binary, args), { encoding: "utf8", env, maxBuffer: 1 << 30 });
  rmSync(scratch, { recursive: true, force: true });
  if (status === null || status > 1) throw new Error(`${binary}: ${status ?? signal}: ${stderr.slice(-1000)}`);
  return { report: JSON.parse(stdout), cpu: cpuSeconds(stderr) };
}

/**
 * Returns the findings in each contract that matches:
 * `{ name: { findings: [{ oracle, function, calls }], undeployed } }`. `undeployed` is the reason if the contract
 * could not be called.
 */
export function scan(options) {
  const suites = Object.entries(run(options).report).filter(([, { test_results: tests, harvey }]) => {
    return harvey.findings.length > 0 || "scan()" in tests;
  });
  return Object.fromEntries(suites.map(([id, suite]) => [id.split(":").pop().split(".")[0], findingsOf(suite)]));
}

/** Returns how many calls and executions a scan runs, and its CPU time in seconds. The report counts for all contracts. */
export function cost(options) {
  const { report, cpu } = run(options);
  const sum = (field) => Object.values(report).reduce((total, { harvey }) => total + (harvey.stats?.[field] ?? 0), 0);
  return { calls: sum("calls"), executions: sum("executions"), cpu };
}

/** Returns the findings in a suite of the report, and why its contract could not be called. */
export function findingsOf({ harvey, test_results: tests }) {
  const undeployed = Object.values(tests).find(({ status }) => status === "Skipped")?.reason;
  const findings = harvey.findings.map(({ id, oracle, function: name }) => {
    return { oracle, function: name, calls: harvey.stats.found[id].calls };
  });
  return { findings, undeployed };
}

/** Returns the label of each contract of a labelled suite of testdata: the id of an oracle, or `safe`. */
export function labels(suite = "labelled") {
  const root = join(ROOT, "testdata", suite);
  const files = readdirSync(root, { recursive: true }).filter((file) => file.endsWith(".sol"));
  const label = /^\/\/\/ @custom:(?:vulnerable ([\w-]+) .*|(safe))$(?:(?!^contract )[^])*?^contract (\w+)/gm;
  return Object.fromEntries(
    files.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(label)].map(([, oracle, safe, name]) => [name, oracle ?? safe]),
    ),
  );
}

/** Returns the oracles of testdata/oracles by the common prefix of the names of their contracts. */
export function oracleNames() {
  const files = readdirSync(join(ROOT, "testdata", "oracles", "src")).map((file) => basename(file, ".sol"));
  return Object.fromEntries(files.map((name) => [name, name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()]));
}

