// Runs the scripts that need the libraries of requirements.txt: statistics and figures.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read } from "../page.mjs";
import { installed } from "../projects/prepare.mjs";

/** Runs a script of the repository, and returns what it prints. The libraries are installed in `work` once. */
export function python(work, script, args) {
  mkdirSync(work, { recursive: true });
  const libraries = read("scripts/study/requirements.txt").trim().split("\n");
  const program = join(installed(work, libraries), "python");
  const { status, stdout, stderr } = spawnSync(program, [join(ROOT, script), ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
  return stdout;
}
