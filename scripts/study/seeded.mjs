// Seeded faults: one mutant of each of the study's ten operators in each contract (section 3.3).
import { spawnSync } from "node:child_process";
import { jsonReport } from "../datasets/scan.mjs";
import { plainEnvironment } from "../parity/tools.mjs";

/** The study's operators, by its names in Figure 5. */
export const OPERATORS = [
  "integer-overflow",
  "integer-underflow",
  "division-by-zero",
  "timestamp",
  "tx-origin",
  "unchecked-send",
  "repeated-call",
  "relational",
  "logical",
  "arithmetic",
];

/** Seconds that a run may take beside its search: it compiles ten mutants. */
const PATIENCE_S = 900;

/** Returns the arguments that choose the mutants of a contract, in its own file. */
function choice({ root, path, contract }) {
  return ["mutate", path, "--root", root, "--match-contract", `^${contract}$`, "--operators", OPERATORS.join(",")];
}

/** Returns the lowest id of each operator. Ids are hashes, so the choice is random, but always the same. */
export function lowestIds(list) {
  const ids = new Map();
  for (const line of list.split("\n").filter(Boolean)) {
    const [, id, operator] = /^(\w+) \S+ ([\w-]+):/.exec(line) ?? [];
    if (id && (!ids.has(operator) || id < ids.get(operator))) ids.set(operator, id);
  }
  return [...ids.values()].sort();
}

/** Chooses the mutants of a contract. */
export function withMutants(binary, entry) {
  const env = { ...plainEnvironment(), ...entry.env };
  const { stdout } = spawnSync(binary, [...choice(entry), "--list"], { cwd: entry.root, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  return { ...entry, ids: lowestIds(stdout) };
}

/**
 * Searches the contract without a change for `seconds`, then runs the inputs that the search kept with each mutant.
 * Returns `{ mutants: [{ operator, verdict, kind }] }`, or an error. `kind` is that of a difference, if there is one.
 */
export async function runMutants({ binary, entry, strategy, solver, seed, seconds, corpus }) {
  const tests = ["--scan", "--match-suite", `^${entry.contract}$`, "--no-search", "--corpus-budget", String(seconds), "--budget", "60"];
  const args = [...choice(entry), "--ids", entry.ids.join(","), ...tests, "--strategy", strategy, "--fuzz-seed", String(seed), "--json", "--fresh"];
  const settings = { FOUNDRY_HARVEY_CORPUS: corpus, FOUNDRY_HARVEY_SOLVER: solver, FOUNDRY_THREADS: "1" };
  const env = { ...plainEnvironment(), ...entry.env, ...settings };
  const { report, error } = await jsonReport(binary, args, { cwd: entry.root, env, timeout: 1000 * (seconds + PATIENCE_S) });
  if (error) return { error };
  return { mutants: report.mutants.map(({ operator, verdict, difference }) => ({ operator, verdict, kind: difference?.kind })) };
}
