#!/usr/bin/env node
// Measures the solver of path conditions on testdata/solver: conditions that predictions do not meet.
//
//   node scripts/solver.mjs --ours BINARY [--smt PROGRAM] [--runs N] [--seed N] [--report]
//
// Each case is searched without the solver, with the solver's own procedures, and with an external SMT solver
// (default: the z3 that `scripts/test` installs from PyPI): a fuzz test with N inputs (default: 60,000), an invariant with
// N / 60 sequences of 50 calls. It prints one row a class and the cases that were missed. --report writes the table of
// docs/EVALUATION.md.
import { existsSync, mkdtempSync, cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, table, update } from "./page.mjs";
import { cleanEnvironment, compilerHome, newScratch } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    smt: { type: "string", default: join(ROOT, "testdata/cache/python/bin/z3") },
    runs: { type: "string", default: "60000" },
    seed: { type: "string", default: "1" },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
if (!existsSync(options.smt)) throw new Error(`there is no solver ${options.smt}; scripts/test installs it`);
const RUNS = Number(options.runs);
const HOME = compilerHome(ROOT, join(ROOT, "testdata", "node_modules"));
const CASES = join(ROOT, "testdata", "solver");

/** Ways to search, with their flags. */
const WAYS = {
  "without the solver": ["--without", "unit-tests,solver"],
  "own procedures": ["--solver", "none"],
  "with an SMT solver": ["--solver", resolve(options.smt)],
};

/** Returns the suites (`path:Contract`) of which something failed. */
function found(flags, work, env) {
  for (const kept of ["harvey", "fuzz", "invariant"]) rmSync(join(work, "cache", kept), { recursive: true, force: true });
  const limits = ["--fuzz-runs", RUNS, "--runs", Math.ceil(RUNS / 60), "--depth", 50, "--threads", 1, "--fuzz-seed", options.seed];
  const tests = ["--match-test", "testFuzz|invariant", "--no-corpus", "--offline", "--json"];
  const args = ["test", ...tests, ...limits.map(String), ...flags];
  const { stdout, stderr } = spawnSync(resolve(options.ours), args, { cwd: work, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (!stdout.startsWith("{")) throw new Error(`nothing ran:\n${stderr.slice(-2000)}`);
  const failed = ([, suite]) => Object.values(suite.test_results).some(({ status }) => status === "Failure");
  return Object.entries(JSON.parse(stdout)).filter(failed).map(([name]) => name.split("/").at(-1).split(".")[0]);
}

const work = mkdtempSync(join(tmpdir(), "solver-"));
const scratch = newScratch(HOME);
try {
  cpSync(join(CASES, "test"), join(work, "test"), { recursive: true });
  const settings = readFileSync(join(CASES, "foundry.toml"), "utf8");
  writeFileSync(join(work, "foundry.toml"), settings.replaceAll("../", `${ROOT}/testdata/`));
  const env = cleanEnvironment(scratch);
  const names = readdirSync(join(CASES, "test")).map((file) => file.split(".")[0]);
  const classOf = (name) => readFileSync(join(CASES, "test", `${name}.t.sol`), "utf8").match(/Class \d+: ([^(.]*)/)[1].trim();
  const classes = [...new Set(names.map(classOf))];
  const results = Object.fromEntries(
    Object.entries(WAYS).map(([way, flags]) => {
      const start = performance.now();
      const all = found(flags, work, env);
      console.error(`${way}: ${all.length} of ${names.length} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
      console.error(`  missed: ${names.filter((name) => !all.includes(name)).join(" ")}`);
      return [way, all];
    }),
  );
  const count = (all, of) => all.filter((name) => of === undefined || classOf(name) === of).length;
  const row = (title, of) => [title, count(names, of), ...Object.values(results).map((all) => count(all, of))];
  const rows = [["class", "cases", ...Object.keys(WAYS)], ...classes.map((of) => row(of, of)), row("all")];
  if (options.report) update("docs/EVALUATION.md", { solver: table(rows) }, "node scripts/solver.mjs --report");
  else console.log(table(rows));
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true });
}
