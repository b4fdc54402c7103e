// Finds and runs the programs that are compared: forge and the compilers that npm installed, and ours.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** The forge binary of the one package that npm found fit for this machine. */
export function findForge(modules) {
  const scope = join(modules, "@foundry-rs");
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  const binary = packages.map((name) => join(scope, name, "bin", "forge")).find(existsSync);
  if (!binary) throw new Error(`no forge below ${scope}: run \`npm ci\` in testdata`);
  return binary;
}

/**
 * A home directory in which Forge finds the compilers of npm as if svm had installed them: Forge cannot
 * run soljson.js itself, so each version gets a small command around it.
 */
export function compilerHome(root, modules) {
  const home = join(root, "testdata", "cache", "home");
  const compilers = readdirSync(modules).filter((entry) => /^solc(-[\d.]+)?$/.test(entry));
  compilers.forEach((name) => addCompiler(root, home, join(modules, name)));
  return home;
}

/** Puts the compiler of npm's package `solc` that is unpacked at `source` into such a home directory. */
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

/** `0.8.30+commit.73712a01.Linux.g++`: what a native build of the same version prints. */
function longVersion(source) {
  const script = `require(${JSON.stringify(join(source, "soljson.js"))}).cwrap("solidity_version", "string", [])()`;
  const { stdout } = spawnSync(process.execPath, ["-p", script], { encoding: "utf8" });
  return stdout.trim().replace(".Emscripten.clang", ".Linux.g++");
}

/** A home directory for one run, with the compilers of `home`. Forge also keeps there the signatures that it met, and
 * words its messages by them. */
export function newScratch(home) {
  const scratch = mkdtempSync(join(tmpdir(), "parity-"));
  symlinkSync(join(home, ".svm"), join(scratch, ".svm"));
  return scratch;
}

/** The environment of a tester that remembers nothing of earlier runs and writes into `scratch`. */
export function cleanEnvironment(scratch) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FOUNDRY|DAPP|FORGE)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: scratch,
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: scratch,
    FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: scratch,
    FOUNDRY_TEST_FAILURES_FILE: join(scratch, "test-failures"),
    // Of ours; forge knows no such key.
    FOUNDRY_HARVEY_CORPUS: join(scratch, "corpus"),
  };
}

/**
 * Runs a tester's `test` command in a project, with nothing remembered from earlier runs.
 * Returns its exit code, stdout and stderr.
 */
export function runTests(binary, root, home, args, env = {}) {
  const scratch = newScratch(home);
  try {
    return runTestsIn(binary, root, scratch, args, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The same, remembering in `scratch`. */
export function runTestsIn(binary, root, scratch, args, env = {}) {
  const result = spawnSync(binary, ["test", "--offline", "--root", root, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...cleanEnvironment(scratch), ...env },
  });
  if (result.error) throw result.error;
  // As a shell counts: a crashed process has a signal instead of a code.
  const code = result.status ?? 128 + constants.signals[result.signal];
  return { code, stdout: result.stdout, stderr: result.stderr };
}
