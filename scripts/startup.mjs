#!/usr/bin/env node
// Measures the cost of starting: the CPU time (user and system, with child processes) of `forge test` and of
// `forge-harvey test` on an unchanged project of more than a hundred sources, with runs = 1 and depth = 1. The two
// run in turn, so that a busy machine slows both. There are two cases:
//
// * All tests. Here Forge also runs the unit tests and shrinks the failures.
// * A single suite that holds. Here little but the start is left.
//
//   node scripts/startup.mjs [--ours BINARY] [--repetitions N]
//   node scripts/startup.mjs --project DIR [--ours BINARY] [--repetitions N] [-- FLAGS...]
//
// With --project, the tests that FLAGS choose in another project are the only case. Its compilers are those of the user,
// and settings of Forge in the environment (FOUNDRY_...) hold. It is compiled first.
//
// The exit code is 1 if forge-harvey takes longer than Forge in one of the cases.
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "./evaluate/statistics.mjs";
import { approval, compilerHome, findForge, runTests } from "./parity/tools.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(ROOT, "testdata", "node_modules");
const FEWEST_SOURCES = 100;
const CASES = [
  ["all tests", []],
  ["one suite", ["--match-contract", "^SelfTargetSelector$"]],
];

// bash measures the CPU time of its child and of the processes for which the child waits, to the millisecond.
const TIMER = `#!/usr/bin/env bash
TIMEFORMAT='%3U %3S'
{ time "$STARTUP_BINARY" "$@" 2>/dev/null; } 2>"$STARTUP_TIMES"
`;

const { values: options, positionals: flags } = parseArgs({
  allowPositionals: true,
  options: {
    ours: { type: "string" },
    repetitions: { type: "string", default: "7" },
    project: { type: "string" },
  },
});

/** Settings of Forge that hold in another project. */
const SETTINGS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => options.project && name.startsWith("FOUNDRY_")),
);

/** Returns the binary to measure: that of --ours, else the release build, else the debug build. */
function findOurs() {
  const built = ["release", "debug"].map((profile) => join(ROOT, "target", profile, "forge-harvey"));
  const binary = options.ours ?? built.find(existsSync);
  if (!binary) throw new Error("no forge-harvey in target/: run `cargo build --release`, or name one with --ours");
  return binary;
}

/** Copies the fixtures and suites of this repository into `scratch` as a project, without the programs from npm. */
function copyProject(scratch) {
  const programs = ["@foundry-rs", "solc", "solc-0.8.19"].map((name) => join(MODULES, name));
  const filter = (path) => !programs.some((program) => path === program || path.startsWith(program + sep));
  for (const part of ["foundry.toml", "testdata/fixtures", "testdata/suites", "testdata/lib", "testdata/node_modules"]) {
    cpSync(join(ROOT, part), join(scratch, part), { recursive: true, filter });
  }
}

/** Returns the CPU seconds of one run. With `unchanged`, it fails if the run compiled anything. */
function measure(binary, filter, { scratch, root, home }, unchanged = true) {
  // Stored failures of the run before would be replayed instead of searched for.
  if (root === scratch) rmSync(join(scratch, "testdata", "cache", "harvey"), { recursive: true, force: true });
  const times = join(scratch, "times");
  const { code, stdout } = runTests(join(scratch, "timer"), root, home, [...filter, ...approval(binary)], {
    ...SETTINGS,
    STARTUP_BINARY: binary,
    STARTUP_TIMES: times,
    FOUNDRY_FUZZ_RUNS: "1",
    FOUNDRY_INVARIANT_RUNS: "1",
    FOUNDRY_INVARIANT_DEPTH: "1",
  });
  const said = stdout.slice(-2000);
  if (code > 1 || !/^Ran \d+ test suites?/m.test(stdout)) throw new Error(`${binary} exited with ${code}:\n${said}`);
  if (unchanged && !stdout.includes("No files changed, compilation skipped")) {
    throw new Error(`${binary} compiled an unchanged project:\n${stdout.slice(0, 2000)}`);
  }
  const [user, system] = readFileSync(times, "utf8").trim().split(" ").map(Number);
  return user + system;
}

/** Measures the testers in turn. Returns forge-harvey's time divided by Forge's. */
function compare([title, filter], testers, place) {
  const seconds = testers.map(() => []);
  for (let repetition = 0; repetition < Number(options.repetitions); repetition += 1) {
    testers.forEach(([, binary], index) => seconds[index].push(measure(binary, filter, place)));
  }
  const ratio = median(seconds[1]) / median(seconds[0]);
  console.log(`${title}: ratio ${ratio.toFixed(3)}`);
  testers.forEach(([name], index) => {
    const [least, most] = [Math.min(...seconds[index]), Math.max(...seconds[index])];
    const numbers = [median(seconds[index]), least, most].map((number) => number.toFixed(3));
    console.log(`  ${name.padEnd(12)} ${numbers[0]} (${numbers[1]} to ${numbers[2]})`);
  });
  return ratio;
}

/** Returns the number of sources of this repository's project, and fails if there are too few. */
function sourcesIn(scratch) {
  const cache = JSON.parse(readFileSync(join(scratch, "testdata", "cache", "solidity-files-cache.json"), "utf8"));
  const sources = Object.keys(cache.files).length;
  if (sources < FEWEST_SOURCES) throw new Error(`only ${sources} sources, ${FEWEST_SOURCES} wanted`);
  return `${sources} sources`;
}

function main(scratch) {
  const { project } = options;
  const home = project ? process.env.HOME : compilerHome(ROOT, MODULES);
  const place = { scratch, home, root: project ? resolve(project) : scratch };
  const cases = project ? [[flags.join(" "), flags]] : CASES;
  const testers = [["forge", findForge(MODULES)], ["forge-harvey", findOurs()]];
  if (!project) copyProject(scratch);
  writeFileSync(join(scratch, "timer"), TIMER);
  chmodSync(join(scratch, "timer"), 0o755);
  // Forge compiles. Then each tester runs once without being measured, so that files and caches are warm for both. With
  // flags, Forge compiles only a part of the project, and forge-harvey the rest.
  measure(testers[0][1], project ? flags : [], place, false);
  for (const [, binary] of testers) measure(binary, project ? flags : [], place, !project);

  const name = project ?? sourcesIn(scratch);
  console.log(`${name}, unchanged; ${options.repetitions} runs each; CPU seconds, median (least to most)`);
  console.log(`ours is ${testers[1][1]}`);
  const ratios = cases.map((kind) => compare(kind, testers, place));
  return ratios.every((ratio) => ratio <= 1) ? 0 : 1;
}

const scratch = mkdtempSync(join(tmpdir(), "startup-"));
try {
  process.exitCode = main(scratch);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
