#!/usr/bin/env node
// Shows that a change of the code changes no result: runs the suites of testdata with a build from before the change and compares
// the JSON report, the terminal output and the exit code with those of a build from after it.
//
//   node scripts/unchanged.mjs record PROGRAM RECORD    keep what a build prints in the directory RECORD
//   node scripts/unchanged.mjs check PROGRAM RECORD     compare a build with it; exit code 1 where anything differs
//
// --sets NAMES    projects and options to run (default: all of scripts/unchanged/plan.mjs)
// --seeds LIST    fuzz seeds (default: 1,2,3)
// --threads LIST  worker threads (default: 1,2)
// --runs N        sequences per campaign (default: what the set says)
// --match REGEX   only suites of contracts that match
//
// Times are left out. Words that a change renamed are listed in scripts/unchanged/renamed.json and applied to the record.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { read } from "./page.mjs";
import { firstDifference, renamedBy, withoutTimes } from "./unchanged/compare.mjs";
import { SETS, newProjects } from "./unchanged/plan.mjs";

const { values: options, positionals: [mode, program, record] } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: "string", default: Object.keys(SETS).join() },
    seeds: { type: "string", default: "1,2,3" },
    threads: { type: "string", default: "1,2" },
    runs: { type: "string" },
    match: { type: "string", default: "" },
  },
});
if (!["record", "check"].includes(mode) || !record) {
  throw new Error("usage: scripts/unchanged.mjs record|check PROGRAM RECORD [--sets NAMES] [--seeds LIST] [--threads LIST]");
}

/** All runs that are asked for, each with the name of its file in the record. */
function* runs() {
  for (const set of options.sets.split(",")) {
    if (!SETS[set]) throw new Error(`no set ${set}: there are ${Object.keys(SETS).join(", ")}`);
    for (const seed of options.seeds.split(",")) {
      for (const threads of options.threads.split(",")) {
        const { project, args, sequences } = SETS[set];
        const all = [...args, "--fuzz-seed", seed, "--threads", threads, "--runs", options.runs ?? String(sequences)];
        if (options.match) all.push("--match-contract", options.match);
        const key = createHash("sha256").update(all.join(" ")).digest("hex").slice(0, 8);
        yield { project, args: all, name: `${set}-seed${seed}-threads${threads}-${key}` };
      }
    }
  }
}

const projects = newProjects(resolve(program));
const rename = renamedBy(JSON.parse(read("scripts/unchanged/renamed.json")));
let differing = 0;
try {
  mkdirSync(record, { recursive: true });
  for (const { project, args, name } of runs()) {
    const printed = withoutTimes(projects.run(project, args));
    const path = join(record, `${name}.txt`);
    if (mode === "record") {
      writeFileSync(path, printed);
      console.log(`${name}: ${printed.split("\n").length} lines`);
      continue;
    }
    const difference = firstDifference(rename(readFileSync(path, "utf8")), printed);
    console.log(`${name}: ${difference ?? "the same"}`);
    if (difference) {
      writeFileSync(join(record, `${name}.now.txt`), printed);
      differing += 1;
    }
  }
} finally {
  projects.remove();
}
process.exitCode = differing ? 1 : 0;
