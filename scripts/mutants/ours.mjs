// Runs `forge-harvey mutate`.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { plainEnvironment } from "../parity/tools.mjs";

/** Runs `mutate` in a project with these arguments. Returns the report and the seconds that it took. */
export function mutate({ ours, root, args, env }) {
  const line = ["mutate", "--root", root, "--json", "--fresh", "--fuzz-seed", "1", ...args];
  const start = Date.now();
  const { status, stdout, stderr } = spawnSync(resolve(ours), line, { cwd: root, env: { ...plainEnvironment(), ...env }, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${root}: exit code ${status}: ${stderr.slice(-2000)}`);
  return { report: JSON.parse(stdout), seconds: (Date.now() - start) / 1000 };
}
