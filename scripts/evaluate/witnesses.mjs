// Runs the witnesses of a project with the real forge. Witnesses are unit tests that show each bug. They are in the
// directory `witness`, which no fuzzer sees.
import { join } from "node:path";
import { ROOT } from "../page.mjs";
import { compilerHome, findForge, runTests } from "../parity/tools.mjs";

/** Runs all witnesses of a project under a profile. Returns their number; throws if one shows no bug. */
export function runWitnesses(root, profile = "default") {
  const modules = join(ROOT, "testdata", "node_modules");
  const env = { FOUNDRY_PROFILE: profile, FOUNDRY_TEST: "witness" };
  // The witnesses have artifacts of their own, because the project of the fuzzer has fewer sources.
  const own = { FOUNDRY_OUT: `out-witness-${profile}`, FOUNDRY_CACHE_PATH: `cache-witness-${profile}` };
  const args = ["--match-contract", "Witness$", "--json"];
  const { stdout, stderr } = runTests(findForge(modules), root, compilerHome(ROOT, modules), args, { ...env, ...own });
  const line = stdout.split("\n").findLast((text) => text.startsWith("{"));
  if (!line) throw new Error(`forge printed no results:\n${stdout}${stderr}`);
  const results = Object.entries(JSON.parse(line)).flatMap(([id, suite]) =>
    Object.entries(suite.test_results).map(([test, result]) => ({ id, test, ...result })),
  );
  const failed = results.filter(({ status }) => status !== "Success");
  const reasons = failed.map(({ id, test, reason }) => `\n  ${id} ${test}: ${reason}`).join("");
  if (failed.length > 0) throw new Error(`${failed.length} of ${results.length} witnesses show no bug:${reasons}`);
  return results.length;
}
