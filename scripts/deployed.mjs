#!/usr/bin/env node
// Compares scans of the same contracts from their sources, from bytecode and ABI alone, and on a chain (anvil).
//
//   node scripts/deployed.mjs --ours BINARY [--suites labelled,unseen] [--calls N] [--seed N] [--match REGEX] [--report]
//
// The contracts are the labelled ones of testdata. For the chain, each is deployed with the first arguments that its
// constructor accepts. The script prints how many findings (contract and oracle) of the scan of the sources the other two
// have, and those that only one of them has. --report writes docs/EVALUATION.md. Default: 20,000 calls of each contract.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { argumentSets } from "./deployed/arguments.mjs";
import { client, deploy } from "./deploy.mjs";
import { findingsOf, labels, projectOf, scan } from "./oracles/scan.mjs";
import { ROOT, percent, table, update } from "./page.mjs";
import { cleanEnvironment, compilerHome, findForge, newScratch } from "./parity/tools.mjs";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    suites: { type: "string", default: "labelled,unseen" },
    calls: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    match: { type: "string", default: "" },
    report: { type: "boolean", default: false },
  },
});
if (!options.ours) throw new Error("--ours BINARY: the forge-harvey to measure");
const MODULES = join(ROOT, "testdata", "node_modules");
const HOME = compilerHome(ROOT, MODULES);
const ETHER = 10n ** 18n;
const DEPTH = 100;

/** Returns the artifacts of a built project by the names of their contracts. */
function artifactsOf(root) {
  const out = join(root, "out");
  const files = readdirSync(out, { recursive: true }).filter((file) => file.endsWith(".json") && !file.startsWith("build-info"));
  const named = files.map((file) => [file.split("/").at(-1).split(".")[0], join(out, file)]);
  return Object.fromEntries(named.map(([name, file]) => [name, { file, ...JSON.parse(readFileSync(file, "utf8")) }]));
}

/** Runs `scan` in an empty directory, and returns the findings by the names of the contracts. */
function scanCode(flags, work, env) {
  const limits = ["--runs", Math.ceil(Number(options.calls) / DEPTH), "--depth", DEPTH, "--fuzz-seed", options.seed];
  const args = ["scan", "--json", "--no-corpus", "--solver", "none", ...limits.map(String), ...flags];
  const { status, stdout, stderr } = spawnSync(resolve(options.ours), args, { cwd: work, env, encoding: "utf8", maxBuffer: 1 << 30 });
  if (status === null || status > 1 || !stdout.startsWith("{")) throw new Error(`scan ${flags.join(" ")}: ${stderr.slice(-500)}`);
  const suites = Object.entries(JSON.parse(stdout));
  return Object.fromEntries(suites.map(([id, suite]) => [id.split(":").pop().split(".")[0], findingsOf(suite)]));
}

/** Starts a node, and calls `use` with its URL. */
async function withNode(use) {
  const port = await new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
  const node = spawn(findForge(MODULES).replace(/forge-linux(.*)forge$/, "anvil-linux$1anvil"), ["--port", String(port), "--quiet", "--code-size-limit", "100000"]);
  const url = `http://127.0.0.1:${port}`;
  try {
    for (let tries = 0; ; tries++) {
      try {
        await client(url)("eth_chainId");
        break;
      } catch (error) {
        if (tries === 100) throw error;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
    return await use(url);
  } finally {
    node.kill("SIGKILL");
  }
}

/** Deploys a contract with the contracts that its constructor takes. Returns its address, or undefined. */
async function deployed(rpc, artifacts, name, depth = 2) {
  const { abi, bytecode } = artifacts[name] ?? {};
  if (!bytecode || bytecode.object.length < 4 || bytecode.object.includes("__")) return undefined;
  const constructor = abi.find(({ type }) => type === "constructor");
  const given = {};
  for (const { name: param, internalType = "" } of constructor?.inputs ?? []) {
    const wanted = /^contract (\w+)$/.exec(internalType)?.[1];
    if (wanted && depth > 0) given[param] = await deployed(rpc, artifacts, wanted, depth - 1);
  }
  const values = constructor?.stateMutability === "payable" ? [ETHER, 0n] : [0n];
  for (const wei of values) {
    for (const args of argumentSets(constructor?.inputs ?? [], given)) {
      const address = await deploy(rpc, { code: bytecode.object, args, wei });
      if (address) return address;
    }
  }
  return undefined;
}

/** Scans each contract on a chain of its own node's. */
async function scanOnChain(artifacts, names, work, env) {
  return withNode(async (url) => {
    const found = {};
    for (const name of names) {
      const address = await deployed(client(url), artifacts, name);
      if (!address) continue;
      const flags = ["--address", address, "--abi", artifacts[name].file, "--fork-url", url];
      found[name] = Object.values(scanCode(flags, work, env))[0];
    }
    return found;
  });
}

/** Returns the findings as `contract oracle`. */
const pairsOf = (found, names) =>
  new Set(names.flatMap((name) => (found[name]?.findings ?? []).map(({ oracle }) => `${name} ${oracle}`)));

async function compared(suite, work, env) {
  const root = projectOf(suite);
  const limits = { binary: resolve(options.ours), home: HOME, root, oracles: ["--oracles", "all"], threads: 2 };
  const source = scan({ ...limits, seed: options.seed, calls: Number(options.calls), contracts: "(Bad|Good)$", match: options.match });
  const artifacts = artifactsOf(root);
  const names = Object.keys(labels(suite)).filter((name) => source[name] && !source[name].undeployed && artifacts[name]);
  console.error(`${suite}: ${names.length} contracts`);
  const linked = names.filter((name) => !artifacts[name].bytecode.object.includes("__"));
  const code = scanCode(linked.flatMap((name) => ["--bytecode", artifacts[name].file]), work, env);
  const chain = await scanOnChain(artifacts, linked, work, env);
  const from = pairsOf(source, names);
  return [["bytecode and ABI", code], ["on a chain", chain]].map(([way, found]) => {
    const called = names.filter((name) => found[name] && !found[name].undeployed);
    const [here, there] = [pairsOf(found, called), new Set([...from].filter((pair) => called.includes(pair.split(" ")[0])))];
    const missing = [...there].filter((pair) => !here.has(pair));
    const others = [...here].filter((pair) => !there.has(pair));
    console.error(`${suite}, ${way}: ${called.length} called\n  not found: ${missing.join(", ")}\n  found in addition: ${others.join(", ")}`);
    const both = there.size - missing.length;
    return [suite, way, `${called.length} of ${names.length}`, there.size, `${both} (${percent(both, there.size)})`, others.length];
  });
}

const work = mkdtempSync(join(tmpdir(), "deployed-"));
const scratch = newScratch(HOME);
try {
  const header = ["contracts", "scanned from", "called", "findings from sources", "found here as well", "found here only"];
  const rows = [header];
  for (const suite of options.suites.split(",")) rows.push(...(await compared(suite, work, cleanEnvironment(scratch))));
  if (options.report) update("docs/EVALUATION.md", { deployed: table(rows) }, "node scripts/deployed.mjs --report");
  else console.log(table(rows));
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true });
}
