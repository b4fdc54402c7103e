// Mutants of protocols whose invariants are realistic: what forge, the search and a random walk notice.
import { join, resolve } from "node:path";
import { cases } from "../evaluate/cases.mjs";
import { prepareProjects } from "../evaluate/projects.mjs";
import { ROOT, percent } from "../page.mjs";
import { compilerHome, findForge } from "../parity/tools.mjs";
import { judge } from "./forge.mjs";
import { mutate } from "./ours.mjs";

/** Strategies of the search, by their names in the table. */
export const STRATEGIES = { harvey: "forge-harvey", blackbox: "`--strategy blackbox`" };

/** Verdicts on mutants that do something else than the original. */
export const isCounted = ({ verdict }) => ["killed", "survived", "not-reached"].includes(verdict);

/**
 * Tests mutants of the protocols that no setting was tuned on with each strategy, and lets forge judge the first
 * `judged` of those that differ. Forge gets `budget` seconds for each invariant, and forge-harvey for all together.
 */
export function runSuites({ ours, work, sample, judged, budget }) {
  const [forge, home] = [findForge(join(ROOT, "testdata", "node_modules")), compilerHome(ROOT, join(ROOT, "testdata", "node_modules"))];
  const entries = cases(["reporting"]);
  const root = prepareProjects(resolve(work), entries, 1, { forge, home })(entries[0], 0);
  const names = entries.map(({ contract }) => contract.replace(/BugTest$/, ""));
  const sources = names.map((name) => join("src", `${name}.sol`));
  const choice = ["--match-contract", `^(${names.join("|")})$`, "--match-suite", `^(${names.join("|")})(Unit)?Test$`];
  const runs = Object.keys(STRATEGIES).map((strategy) => {
    const args = [...sources, ...choice, "--strategy", strategy, "--sample", sample, "--budget", budget];
    return { strategy, ...mutate({ ours, root, args, env: { HOME: home } }) };
  });
  const mutants = runs[0].report.mutants.filter(isCounted).sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, Number(judged));
  const start = Date.now();
  const byForge = judge(root, home, mutants, ({ path }) => ({
    args: ["--fuzz-seed", "1", "--match-contract", `^${/(\w+)\.sol$/.exec(path)[1]}(Unit)?Test$`],
    env: { FOUNDRY_INVARIANT_TIMEOUT: budget, FOUNDRY_INVARIANT_RUNS: "1000000", FOUNDRY_FUZZ_TIMEOUT: budget },
    counts: () => true,
  }));
  return { suites: true, budget, runs, forge: byForge, forgeSeconds: (Date.now() - start) / 1000 };
}

/** Returns the rows of the table for the last such run. */
export function suiteRows(runs) {
  const last = runs.filter(({ suites }) => suites).at(-1);
  const judged = new Map(last.forge.map((one) => [one.id, one]));
  const killed = (mutants, by) => mutants.filter((mutant) => mutant.verdict === "killed" && (!by || mutant.by === by)).length;
  const ours = last.runs.map(({ strategy, seconds, report }) => {
    const counted = report.mutants.filter(isCounted);
    const shared = counted.filter(({ id }) => judged.has(id));
    const steps = ["unit-test", "corpus", "search"].map((by) => killed(counted, by));
    const beside = counted.filter(({ verdict, difference }) => verdict === "survived" && difference).length;
    return [
      STRATEGIES[strategy],
      `${report.mutants.length} in ${seconds.toFixed(0)} s`,
      counted.length,
      ...steps,
      percent(steps[1], steps[1] + steps[2]),
      `${counted.length - killed(counted)} (${beside})`,
      `${killed(shared)} of ${judged.size}`,
    ];
  });
  const forgeKilled = last.forge.filter(({ by }) => by).length;
  const forge = ["forge 1.7.1", `${judged.size} in ${last.forgeSeconds.toFixed(0)} s`, judged.size, "", "", "", "", judged.size - forgeKilled, `${forgeKilled} of ${judged.size}`];
  const header = ["program", "mutants", "that differ", "killed by unit tests", "by the corpus", "by the search", "corpus of both", "survived (with a difference)", "killed of those that forge judges"];
  return [header, ...ours, forge];
}
