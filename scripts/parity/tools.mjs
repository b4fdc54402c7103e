// Finds and runs the programs that are compared: forge-harvey, and forge and the compilers from npm.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { layOutLibraries } from "./libraries.mjs";

/** Returns the forge binary of the package that npm installed for this platform. */
export function findForge(modules) {
  const scope = join(modules, "@foundry-rs");
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  const binary = packages.map((name) => join(scope, name, "bin", "forge")).find(existsSync);
  if (!binary) throw new Error(`no forge below ${scope}: run \`npm ci\` in testdata`);
  return binary;
}

/**
 * Returns a home directory in which Forge finds the compilers from npm as if svm had installed them. Forge cannot run
 * soljson.js itself, so each version gets a small command that does. Libraries that are missing are laid out as well.
 */
export function compilerHome(root, modules) {
  layOutLibraries(root, modules);
  const home = join(root, "testdata", "cache", "home");
  const compilers = readdirSync(modules).filter((entry) => /^solc(-[\d.]+)?$/.test(entry));
  compilers.forEach((name) => addCompiler(root, home, join(modules, name)));
  return home;
}

/** Adds the compiler of npm's package `solc`, unpacked at `source`, to such a home directory. */
export function addCompiler(root, home, source) {
  const { version } = createRequire(import.meta.url)(join(source, "package.json"));
  const directory = join(home, ".svm", version);
  const command = join(directory, `solc-${version}`);
  if (existsSync(command)) return;
  mkdirSync(directory, { recursive: true });
  copyFileSync(join(root, "src", "project", "toolchain", "soljson.js"), join(directory, "cli.js"));
  copyFileSync(join(source, "soljson.js"), join(directory, "soljson.js"));
  writeFileSync(join(directory, "version"), longVersion(source));
  writeFileSync(command, `#!/bin/sh\nexec node --stack-size=4000 "\${0%/*}/cli.js" "$@"\n`);
  chmodSync(command, 0o755);
}

/** Returns the version that a native build prints, such as `0.8.30+commit.73712a01.Linux.g++`. */
function longVersion(source) {
  const script = `require(${JSON.stringify(join(source, "soljson.js"))}).cwrap("solidity_version", "string", [])()`;
  const { stdout } = spawnSync(process.execPath, ["-p", script], { encoding: "utf8" });
  return stdout.trim().replace(".Emscripten.clang", ".Linux.g++");
}

/**
 * Returns a home directory for one run, with the compilers of `home`. Each run has its own, because Forge stores the
 * signatures that it met in the home directory, and its messages depend on them.
 */
export function newScratch(home) {
  const scratch = mkdtempSync(join(tmpdir(), "parity-"));
  symlinkSync(join(home, ".svm"), join(scratch, ".svm"));
  return scratch;
}

/** Returns the environment of this process without the settings of Forge. */
export function plainEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(FOUNDRY|DAPP|FORGE)_/.test(name));
  // The forge that testers are compared with is 1.7.1. It does not know this key. No compiler is downloaded.
  return { ...Object.fromEntries(kept), FOUNDRY_HARVEY_FORGE: "1.7", FORGE_HARVEY_SOLC_RELEASES: "" };
}

/** Returns the environment of a tester that knows nothing of earlier runs and writes into `scratch`. */
export function cleanEnvironment(scratch) {
  return {
    ...plainEnvironment(),
    HOME: scratch,
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: scratch,
    FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: scratch,
    FOUNDRY_TEST_FAILURES_FILE: join(scratch, "test-failures"),
    // This key is for forge-harvey; forge does not know it.
    FOUNDRY_HARVEY_CORPUS: join(scratch, "corpus"),
  };
}

const approvals = new Map();

/**
 * Returns the flags without which a tester asks before it runs in a project, and fails if there is no terminal. Only
 * forge 1.8 and later asks. Each program is asked for its version once.
 */
export function approval(binary) {
  if (!approvals.has(binary)) {
    const { stdout } = spawnSync(binary, ["--version"], { encoding: "utf8" });
    const [, major, minor] = /^forge Version: (\d+)\.(\d+)/m.exec(stdout ?? "")?.map(Number) ?? [0, 0, 0];
    const asks = major > 1 || (major === 1 && minor >= 8);
    approvals.set(binary, asks ? ["--allow-local-compiler", "--allow-project-env"] : []);
  }
  return approvals.get(binary);
}

/** Returns the arguments of bash that run a program and print its CPU time on the last line of stderr. */
export function timed(program, args) {
  return ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", program, ...args];
}

/** Returns the CPU time in seconds that a run of `timed` printed; NaN if it printed none. */
export function cpuSeconds(stderr) {
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

/**
 * Runs a tester's `test` command in a project, without anything from earlier runs. Returns its exit code, stdout and
 * stderr.
 */
export function runTests(binary, root, home, args, env = {}) {
  const scratch = newScratch(home);
  try {
    return runTestsIn(binary, root, scratch, args, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs a `test` command in the same way, with the home directory `scratch`, which later runs may use again. */
export function runTestsIn(binary, root, scratch, args, env = {}) {
  const result = spawnSync(binary, ["test", "--offline", "--root", root, ...approval(binary), ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...cleanEnvironment(scratch), ...env },
  });
  if (result.error) throw result.error;
  // A crashed process has a signal instead of an exit code. It is converted as in a shell.
  const code = result.status ?? 128 + constants.signals[result.signal];
  return { code, stdout: result.stdout, stderr: result.stderr };
}
