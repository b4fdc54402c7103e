#!/usr/bin/env node
// Measures the suites that `forge-harvey init CONTRACT` writes, on contracts of OpenZeppelin, solmate and solady.
//
//   node scripts/starters.mjs --ours BINARY [--match REGEX] [--report]
//
// For each contract of testdata/starters below, it writes the suite, runs it with the real forge 1.7.1, and reads from
// `forge coverage` how many branches of the library's source the suite covers. Nothing but the suite runs. It prints one
// row a contract: invariants that pass, functions of the handler of which at least half of the calls succeed, and
// branches. --report writes the table of docs/EVALUATION.md. The exit code is 1 if a suite does not compile or fails.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, percent, table, update } from "./page.mjs";
import { cleanEnvironment, compilerHome, findForge, newScratch } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    match: { type: "string", default: "" },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
const OURS = resolve(options.ours);
const MODULES = join(ROOT, "testdata", "node_modules");
const FORGE = findForge(MODULES);
const HOME = compilerHome(ROOT, MODULES);

/** Directories that the project has in lib/. */
const LIBRARIES = ["@openzeppelin/contracts", "solmate", "solady"].map((name) => `node_modules/${name}`).concat("lib/forge-std");

/** Sources of the libraries whose branches count, by contract. */
const SOURCES = {
  CappedCoin: ["contracts/token/ERC20/ERC20.sol", "extensions/ERC20Capped.sol", "extensions/ERC20Burnable.sol"],
  OzVault: ["extensions/ERC4626.sol", "contracts/token/ERC20/ERC20.sol"],
  OzNft: ["contracts/token/ERC721/ERC721.sol", "contracts/access/Ownable.sol"],
  OzMulti: ["contracts/token/ERC1155/ERC1155.sol"],
  Vesting: ["contracts/finance/VestingWallet.sol", "contracts/access/Ownable.sol"],
  Timelock: ["contracts/governance/TimelockController.sol"],
  MateCoin: ["solmate/src/tokens/ERC20.sol"],
  MateVault: ["solmate/src/tokens/ERC4626.sol", "solmate/src/tokens/ERC20.sol"],
  MateNft: ["solmate/src/tokens/ERC721.sol", "solmate/src/auth/Owned.sol"],
  MateWeth: ["solmate/src/tokens/WETH.sol", "solmate/src/tokens/ERC20.sol"],
  MateRoles: ["authorities/RolesAuthority.sol", "solmate/src/auth/Auth.sol"],
  DayVault: ["solady/src/tokens/ERC4626.sol", "solady/src/tokens/ERC20.sol"],
  DayCoin: ["solady/src/tokens/ERC20.sol"],
  DayRoles: ["solady/src/auth/OwnableRoles.sol", "solady/src/auth/Ownable.sol"],
};

function run(program, args, cwd, env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, stdout, output: stdout + stderr };
}

/** Returns the branches of sources in an lcov report: those hit, and all. */
function branches(lcov, sources) {
  let [source, hit, all] = ["", 0, 0];
  for (const line of lcov.split("\n")) {
    if (line.startsWith("SF:")) source = line.slice(3);
    const counted = sources.some((wanted) => source.endsWith(wanted));
    if (counted && line.startsWith("BRF:")) all += Number(line.slice(4));
    if (counted && line.startsWith("BRH:")) hit += Number(line.slice(4));
  }
  return [hit, all];
}

/** Returns the row of a contract. */
function measured(contract) {
  const work = mkdtempSync(join(tmpdir(), "starters-"));
  const scratch = newScratch(HOME);
  try {
    cpSync(join(ROOT, "testdata", "starters"), work, { recursive: true });
    for (const library of LIBRARIES) {
      cpSync(join(ROOT, "testdata", library), join(work, "lib", basename(library)), { recursive: true, dereference: true });
    }
    const env = cleanEnvironment(scratch);
    const written = run(OURS, ["init", contract, "--offline"], work, env);
    if (written.status !== 0) throw new Error(`${contract}: init fails:\n${written.output.slice(-2000)}`);
    const rows = [...written.stdout.matchAll(/Handler\.(\w+)\s+(\d+) %/g)].map(([, , rate]) => Number(rate));
    const args = ["coverage", "--offline", "--include-libs", "--report", "lcov", "--report-file", "lcov.info"];
    const covered = run(FORGE, args, work, env);
    const passed = [...covered.output.matchAll(/\[PASS\] invariant_/g)].length;
    if (/\[FAIL/.test(covered.output) || covered.status !== 0 || !passed) {
      throw new Error(`${contract}: forge fails:\n${covered.output.slice(-2000)}`);
    }
    const [hit, all] = branches(readFileSync(join(work, "lcov.info"), "utf8"), SOURCES[contract]);
    const successful = rows.filter((rate) => rate >= 50).length;
    return [contract, passed, `${successful} of ${rows.length}`, `${hit} of ${all}`, percent(hit, all)];
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

const rows = [["contract", "invariants", "functions that succeed", "branches", "share"]];
for (const contract of Object.keys(SOURCES).filter((name) => name.match(options.match))) {
  try {
    rows.push(measured(contract));
    console.error(rows.at(-1).join("  "));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
if (options.report) update("docs/EVALUATION.md", { starters: table(rows) }, "node scripts/starters.mjs --report");
else console.log(table(rows));
