// What is run to see that a change changes no result, and where.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compilerHome, runTests } from "../parity/tools.mjs";
import { ROOT } from "../page.mjs";

/** The project of each set, its options, and how many sequences a campaign runs. */
export const SETS = {
  suites: { project: ".", args: ["--match-path", "testdata/suites/**", "--unit", "-vvvv"], sequences: 64 },
  evaluation: { project: "testdata/evaluation", args: ["-vvvv"], sequences: 256 },
  papers: { project: "testdata/papers", args: ["-vvvv"], sequences: 256 },
  fixtures: { project: ".", args: ["--match-path", "testdata/fixtures/**", "--unit", "-vvvvv"], sequences: 16 },
  workers: { project: ".", args: ["--match-contract", "^LendingMarketTest$", "-vvv"], sequences: 600 },
  scans: { project: "testdata/evaluation", args: ["--scan", "--oracles", "all"], sequences: 64 },
};

/** Copies of the projects, compiled once each, in which a program is run with nothing remembered. */
export function newProjects(program) {
  const home = compilerHome(ROOT, join(ROOT, "testdata", "node_modules"));
  const scratch = mkdtempSync(join(tmpdir(), "unchanged-"));
  const copies = new Map();
  /** The repository itself stands for `.`: what its suites import lies in it. */
  function rootOf(project) {
    if (!copies.has(project)) {
      const copy = project === "." ? ROOT : join(scratch, String(copies.size));
      if (copy !== ROOT) cpSync(join(ROOT, project), copy, { recursive: true });
      runTests(program, copy, home, ["--list"]);
      copies.set(project, copy);
    }
    return copies.get(project);
  }
  return {
    /** What a run prints and reports, as one text. */
    run(project, args) {
      const report = join(scratch, "report.json");
      const all = [...args, "--report", `json=${report}`, "--color", "never"];
      const { code, stdout, stderr } = runTests(program, rootOf(project), home, all);
      const json = JSON.stringify(JSON.parse(readFileSync(report, "utf8")), null, 1);
      rmSync(report);
      const text = `exit code ${code}\n\n${stdout}\n\n${stderr}\n\n${json}\n`;
      return text.replaceAll(/[^\s"']*\/(unchanged|parity)-\w{6}/g, "SCRATCH");
    },
    remove() {
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
