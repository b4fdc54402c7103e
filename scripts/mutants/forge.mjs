// Lets the real forge run the tests of a project with mutants.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../page.mjs";
import { findForge, newScratch, runTestsIn } from "../parity/tools.mjs";

/**
 * Returns the tests that fail under forge in a directory, as `suite::test`; `setUp()` and deployments are among them.
 * `args` and `env` are those of `forge test`, and `counts` tells from the result of a test whether it counts.
 */
function failures({ directory, scratch, args, env, counts }) {
  const { stdout, stderr } = runTestsIn(findForge(join(ROOT, "testdata", "node_modules")), directory, scratch, ["--json", ...args], env);
  if (!stdout.startsWith("{")) return { error: stderr.slice(-300) };
  const failed = Object.entries(JSON.parse(stdout)).flatMap(([suite, { test_results: results }]) =>
    Object.entries(results).filter(([, result]) => result.status === "Failure" && counts(result)).map(([test]) => `${suite}::${test}`),
  );
  return { failed: new Set(failed) };
}

/**
 * Runs the tests of a project with each mutant, in a copy of the project. Returns a list of `{ id, by, error }`: `by` is
 * a test that fails with the mutant and does not fail without it. `home` has the compilers, and `options` returns the
 * `{ args, env, counts }` for a mutant.
 */
export function judge(project, home, mutants, options) {
  const scratch = newScratch(home);
  const copy = mkdtempSync(join(tmpdir(), "mutants-"));
  const before = new Map();
  const failing = (mutant) => failures({ directory: copy, scratch, ...options(mutant) });
  try {
    cpSync(project, copy, { recursive: true, filter: (path) => !path.startsWith(join(project, "cache", "harvey")) });
    return mutants.map((mutant) => {
      const tests = options(mutant).args.join(" ");
      if (!before.has(tests)) before.set(tests, failing(mutant).failed ?? new Set());
      const file = join(copy, mutant.path);
      const source = readFileSync(file);
      const { start, end } = mutant.range;
      writeFileSync(file, Buffer.concat([source.subarray(0, start), Buffer.from(mutant.replacement), source.subarray(end)]));
      const { failed, error } = failing(mutant);
      writeFileSync(file, source);
      return { id: mutant.id, by: failed && [...failed].find((test) => !before.get(tests).has(test)), error };
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}
