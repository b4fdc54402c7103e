// Compiles testdata/shapes with every compiler that npm installed, with several settings, for the tests of comparison
// tracing:
//
//   node scripts/shapes.mjs FILE
//
// FILE gets an array of objects with compiler version, settings (`way`), contract and runtime code. Nothing is compiled
// again while sources and compilers are unchanged.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compilerHome } from "./parity/tools.mjs";

const WAYS = {
  plain: { optimizer: { enabled: false } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  "via-IR": { optimizer: { enabled: true, runs: 200 }, viaIR: true },
};

const root = resolve(import.meta.dirname, "..");
const shapes = join(root, "testdata", "shapes");
const svm = join(compilerHome(root, join(root, "testdata", "node_modules")), ".svm");
// The sources need compilers from 0.5 on.
const versions = readdirSync(svm).filter((version) => !version.startsWith("0.4.")).sort();
const sources = Object.fromEntries(readdirSync(shapes).map((name) => [name, readFileSync(join(shapes, name), "utf8")]));

const file = process.argv[2];
const key = createHash("sha256").update(JSON.stringify([WAYS, versions, sources])).digest("hex");
if (!existsSync(file) || JSON.parse(readFileSync(file, "utf8")).key !== key) {
  const codes = versions.flatMap((version) => Object.keys(WAYS).flatMap((way) => compile(version, way)));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ key, codes }));
  renameSync(`${file}.${process.pid}`, file);
}

/** Returns the runtime code of all contracts that this compiler version supports. */
function compile(version, way) {
  const minor = version.split(".").map(Number)[1];
  if (WAYS[way].viaIR && minor < 8) return [];
  const known = Object.entries(sources).filter(([name]) => minor >= 8 || name !== "Modern.sol");
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(known.map(([name, content]) => [name, { content }])),
    settings: { ...WAYS[way], outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } } },
  };
  const command = join(svm, version, `solc-${version}`);
  const { stdout, stderr } = spawnSync(command, ["--standard-json"], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const output = JSON.parse(stdout || JSON.stringify({ errors: [{ severity: "error", formattedMessage: stderr }] }));
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(`solc ${version} ${way}\n${errors.map((error) => error.formattedMessage).join("\n")}`);
  const contracts = Object.values(output.contracts).flatMap(Object.entries);
  return contracts.map(([contract, { evm }]) => ({ version, way, contract, code: evm.deployedBytecode.object }));
}
