#!/usr/bin/env node
// Lets forge-harvey and the real forge shrink the same failures, and compares the results.
//
//   node scripts/shrinking.mjs --binary BINARY [--sets suites,evaluation] [--seeds N] [--match REGEX] [--seconds N]
//
// forge-harvey searches without shrinking and stores its failures in Forge's files. Both testers then get copies of
// these files, replay the failures and shrink them with their own `shrink_run_limit`. Failures of one call and
// failures that Forge cannot replay are left out. The script prints a line for each failure, and how often the result
// of forge-harvey was longer, as long and shorter.
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cases } from "./evaluate/cases.mjs";
import { prepareProjects } from "./evaluate/projects.mjs";
import { reportOf } from "./evaluate/results.mjs";
import { ROOT } from "./page.mjs";
import { compilerHome, findForge, newScratch, runTestsIn } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    sets: { type: "string", default: "suites,evaluation" },
    seeds: { type: "string", default: "10" },
    match: { type: "string", default: "" },
    seconds: { type: "string", default: "5" },
    work: { type: "string", default: join(ROOT, "testdata", "cache", "shrinking") },
  },
});

/** Bounds of a run. They do not matter if a failure is replayed, because nothing is searched then. */
const BOUNDS = { FOUNDRY_INVARIANT_RUNS: String(2 ** 31 - 1), FOUNDRY_INVARIANT_TIMEOUT: options.seconds };
const modules = join(ROOT, "testdata", "node_modules");
const tools = { binary: resolve(options.binary), forge: findForge(modules), home: compilerHome(ROOT, modules) };

/** Returns the length of the counterexample for each failed invariant. */
function lengths({ stdout }) {
  const suites = Object.values(reportOf(stdout) ?? {});
  const results = suites.flatMap(({ test_results: tests }) => Object.entries(tests));
  return new Map(results.flatMap(([name, { counterexample }]) => {
    const [before, calls] = counterexample?.Sequence ?? [];
    return calls ? [[name, { before, after: calls.length }]] : [];
  }));
}

/** Returns the lengths of the failures of a case and seed, before shrinking and after it by each tester. */
function shrink({ contract }, root, seed) {
  const found = newScratch(tools.home);
  const args = ["--json", "--threads", "1", "--match-contract", `^${contract}$`, "--fuzz-seed", String(seed)];
  const again = (tester) => {
    const scratch = newScratch(tools.home);
    cpSync(join(found, "failures"), join(scratch, "failures"), { recursive: true });
    const result = runTestsIn(tester, root, scratch, args, BOUNDS);
    rmSync(scratch, { recursive: true, force: true });
    return lengths(result);
  };
  try {
    const search = { ...BOUNDS, FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0" };
    const before = lengths(runTestsIn(tools.binary, root, found, [...args, "--fail-fast"], search));
    if (before.size === 0) return [];
    const [ours, theirs] = [again(tools.binary), again(tools.forge)];
    return [...before].flatMap(([name, { after: calls }]) => {
      const [our, their] = [ours.get(name)?.after, theirs.get(name)?.after];
      return calls > 1 && our && their ? [{ name, calls, our, their }] : [];
    });
  } finally {
    rmSync(found, { recursive: true, force: true });
  }
}

const wanted = cases(options.sets.split(",")).filter(({ id }) => new RegExp(options.match).test(id));
const rootOf = prepareProjects(resolve(options.work), wanted, 1, tools);
const rows = [];
for (const entry of wanted) {
  for (let seed = 1; seed <= Number(options.seeds); seed += 1) {
    for (const row of shrink(entry, rootOf(entry, 0), seed)) {
      rows.push(row);
      console.log(`${entry.id} ${row.name} seed ${seed}: ${row.calls} calls, ours ${row.our}, forge ${row.their}`);
    }
  }
}
const count = (is) => rows.filter(is).length;
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(
  `${rows.length} failures of ${new Set(rows.map(({ name }) => name)).size} invariants: ours is longer in ${count(({ our, their }) => our > their)}, ` +
    `as long in ${count(({ our, their }) => our === their)}, shorter in ${count(({ our, their }) => our < their)}; ` +
    `${sum("calls")} calls, ${sum("our")} by ours, ${sum("their")} by forge`,
);
