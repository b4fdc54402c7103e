#!/usr/bin/env node
// Measures the suites that `forge-harvey init CONTRACT` writes, on contracts of OpenZeppelin, solmate and solady.
//
//   node scripts/starters.mjs --ours BINARY [--match REGEX] [--report]
//
// For each contract of testdata/starters, it writes the suite, runs it with the real forge 1.7.1, and reads from
// `forge coverage` how many of the branches in the contract's code the suite covers: those of the contract and of what it
// inherits, and the share if those of library functions count as well. Nothing but the suite runs. It prints one row a
// contract: invariants that pass, functions of the handler of which at least half of the calls succeed, and branches.
// --report writes the table of docs/EVALUATION.md. The exit code is 1 if a suite does not compile or fails.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, percent, table, update } from "./page.mjs";
import { cleanEnvironment, compilerHome, findForge, newScratch } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    match: { type: "string", default: "" },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
const OURS = resolve(options.ours);
const MODULES = join(ROOT, "testdata", "node_modules");
const FORGE = findForge(MODULES);
const HOME = compilerHome(ROOT, MODULES);

/** Directories that the project has in lib/. */
const LIBRARIES = ["@openzeppelin/contracts", "solmate", "solady"].map((name) => `node_modules/${name}`).concat("lib/forge-std");

/** Contracts of testdata/starters/src. */
const CONTRACTS = readdirSync(join(ROOT, "testdata", "starters", "src")).flatMap((file) => {
  const source = readFileSync(join(ROOT, "testdata", "starters", "src", file), "utf8");
  return [...source.matchAll(/^contract (\w+)/gm)].map(([, name]) => name);
});

function run(program, args, cwd, env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, stdout, output: stdout + stderr };
}

/**
 * Returns the branches in the code of a contract, by `forge coverage --report debug`: those hit, and all; first those of
 * the contract and of what it inherits, and then those of library functions as well.
 */
function branches(output, contract, work) {
  const [files, hits] = [new Map(), new Map()];
  let [file, counted] = ["", false];
  for (const line of output.split("\n")) {
    file = line.match(/^(\S+\.sol):$/)?.[1] ?? file;
    const branch = line.match(/^- Branch (.*), hits: \d+\) -> /);
    if (branch) files.set(branch[1], file);
    if (line.startsWith("Anchors for Contract ")) counted = line.startsWith(`Anchors for Contract "${contract}" `);
    const item = line.match(/-> Item \d+: Branch (.*), hits: (\d+)\)$/);
    if (counted && item) hits.set(item[1], Number(item[2]));
  }
  const inContract = ([branch]) => /^(abstract )?contract /m.test(readFileSync(join(work, files.get(branch)), "utf8"));
  const count = (found) => [found.filter(([, hit]) => hit).length, found.length];
  return [count([...hits].filter(inContract)), count([...hits])];
}

/** Returns the row of a contract. */
function measured(contract) {
  const work = mkdtempSync(join(tmpdir(), "starters-"));
  const scratch = newScratch(HOME);
  try {
    cpSync(join(ROOT, "testdata", "starters"), work, { recursive: true });
    for (const library of LIBRARIES) {
      cpSync(join(ROOT, "testdata", library), join(work, "lib", basename(library)), { recursive: true, dereference: true });
    }
    const env = cleanEnvironment(scratch);
    const written = run(OURS, ["init", contract, "--offline"], work, env);
    if (written.status !== 0) throw new Error(`${contract}: init fails:\n${written.output.slice(-2000)}`);
    const rows = [...written.stdout.matchAll(/Handler\.(\w+)\s+(\d+) %/g)].map(([, , rate]) => Number(rate));
    const covered = run(FORGE, ["coverage", "--offline", "--include-libs", "--report", "debug"], work, env);
    const passed = [...covered.output.matchAll(/\[PASS\] invariant_/g)].length;
    if (/\[FAIL/.test(covered.output) || covered.status !== 0 || !passed) {
      throw new Error(`${contract}: forge fails:\n${covered.output.slice(-2000)}`);
    }
    const [own, all] = branches(covered.stdout, contract, work);
    const successful = rows.filter((rate) => rate >= 50).length;
    return [contract, passed, `${successful} of ${rows.length}`, `${own[0]} of ${own[1]}`, percent(...own), percent(...all)];
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

const rows = [["contract", "invariants", "functions that succeed", "branches", "share", "with libraries"]];
for (const contract of CONTRACTS.filter((name) => name.match(options.match))) {
  try {
    rows.push(measured(contract));
    console.error(rows.at(-1).join("  "));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
if (options.report) update("docs/EVALUATION.md", { starters: table(rows) }, "node scripts/starters.mjs --report");
else console.log(table(rows));
