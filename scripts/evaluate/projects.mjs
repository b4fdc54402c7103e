// Makes working copies of the projects. They have no witnesses, and Forge compiles them once. Each worker has a copy of
// its own, so that no two runs share a cache or a directory of failures.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../page.mjs";
import { approval, cleanEnvironment, newScratch } from "../parity/tools.mjs";

/** What the realistic suites import: parts of git submodules and of npm packages, below testdata. */
const PACKAGES = {
  "forge-std/": "lib/forge-std/src",
  "@openzeppelin/contracts/": "node_modules/@openzeppelin/contracts",
  "@uniswap/v4-core/src/": "node_modules/@uniswap/v4-core/src",
  "solady/": "node_modules/solady/src",
  "solmate/": "node_modules/solmate/src",
};

const CONFIG = `[profile.default]
src = "src"
test = "test"
libs = ["lib"]
auto_detect_remappings = false
remappings = [${Object.keys(PACKAGES).map((prefix) => `"${prefix}=lib/${prefix}"`).join(", ")}]
solc = "0.8.30"
`;

/** Settings of the compiler, and depth of the sequences. */
const SUITES = `
[profile.default.invariant]
depth = 20
`;
const PROTOCOLS = `optimizer = true
optimizer_runs = 200

[profile.default.invariant]
depth = 50
`;

function copyPackages(to, settings) {
  for (const [prefix, path] of Object.entries(PACKAGES)) {
    cpSync(join(ROOT, "testdata", path), join(to, "lib", prefix), { recursive: true });
  }
  writeFileSync(join(to, "foundry.toml"), CONFIG + settings);
}

/** Copies the realistic suites into a project of their own, without the tests that show the bugs. */
function copySuites(to) {
  copyPackages(to, SUITES);
  cpSync(join(ROOT, "testdata", "suites"), join(to, "test"), { recursive: true });
  for (const file of readdirSync(join(to, "test"), { recursive: true }).filter((name) => name.endsWith(".t.sol"))) {
    const path = join(to, "test", file);
    // A fuzzer that takes calls or constants from unit tests could read the answers there.
    const text = readFileSync(path, "utf8").replace(/\n    function test_bug_shown\(\) public \{\n[^]*?\n    \}\n/g, "");
    if (text.includes("test_bug_shown")) throw new Error(`${file}: the witness was not recognised`);
    writeFileSync(path, text);
  }
  mkdirSync(join(to, "src"));
}

/** Copies a project that uses the same packages. */
function copyProtocols(project, to) {
  copyPackages(to, PROTOCOLS);
  for (const part of ["src", "test"]) {
    cpSync(join(ROOT, "testdata", project, part), join(to, part), { recursive: true });
  }
}

function copyPlain(from, to) {
  for (const part of ["foundry.toml", "src", "test"]) cpSync(join(from, part), join(to, part), { recursive: true });
}

/** Returns the environment that selects a profile. */
export function profileEnvironment(profile) {
  return profile === "default" ? {} : { FOUNDRY_PROFILE: profile };
}

function compile(forge, home, root, profile) {
  const scratch = newScratch(home);
  const env = { ...cleanEnvironment(scratch), ...profileEnvironment(profile) };
  const { status, stdout, stderr } = spawnSync(forge, ["build", "--offline", "--root", root, ...approval(forge)], { encoding: "utf8", env });
  rmSync(scratch, { recursive: true, force: true });
  if (status !== 0) throw new Error(`${root} does not compile:\n${stdout}${stderr}`);
}

/**
 * Prepares the projects of all cases below `directory`, for a number of workers. Returns a function that gives the
 * root of the copy for a case and a worker.
 */
export function prepareProjects(directory, cases, workers, { forge, home }) {
  rmSync(directory, { recursive: true, force: true });
  for (const project of new Set(cases.map((entry) => entry.project))) {
    const used = cases.filter((entry) => entry.project === project);
    const first = join(directory, "worker0", project);
    if (project === "suites") copySuites(first);
    else if (project === "protocols" || project === "harness") copyProtocols(project, first);
    else copyPlain(used[0].source ?? join(ROOT, "testdata", project), first);
    for (const profile of new Set(used.map((entry) => entry.profile))) compile(forge, home, first, profile);
    for (let worker = 1; worker < workers; worker += 1) {
      cpSync(first, join(directory, `worker${worker}`, project), { recursive: true, preserveTimestamps: true });
    }
  }
  return (entry, worker) => join(directory, `worker${worker}`, entry.project);
}

/** Removes the files that an earlier run stored in a working copy. */
export function forget(root) {
  for (const cache of readdirSync(root).filter((name) => name.startsWith("cache"))) {
    for (const kept of ["harvey", "invariant", "fuzz", "corpus"]) {
      const path = join(root, cache, kept);
      if (existsSync(path)) rmSync(path, { recursive: true });
    }
  }
}
