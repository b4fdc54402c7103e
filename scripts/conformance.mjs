#!/usr/bin/env node
// Runs the fixtures of every cheatcode under the real forge and under forge-harvey, and compares them test by test.
//
//   node scripts/conformance.mjs --ours BINARY [--match REGEX] [--report | --check]
//   node scripts/conformance.mjs --interface          writes the Solidity interfaces of all cheatcodes
//
// Each test has to have the same status and the same reason in both. Exceptions are the tests in
// testdata/conformance/differences.json, where each difference has an explanation. A cheatcode conforms if a test that
// calls it agrees. The syntax tree tells which tests call it. --report writes the results into docs/cheatcodes.md, and
// --check fails if that page has other results.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callsByTest } from "./conformance/calls.mjs";
import { LISTS, cheatcodes, interfaceOf } from "./conformance/interface.mjs";
import { startNode } from "./conformance/node.mjs";
import { ROOT, read, table, update } from "./page.mjs";
import { compilerHome, findForge, runTests } from "./parity/tools.mjs";

const PROJECT = join("testdata", "conformance");
const MODULES = join(ROOT, "testdata", "node_modules");
/** Tests that run without a configured node. */
const WITHOUT_NODE = "test/NoNode.t.sol";

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    match: { type: "string", default: "" },
    interface: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});

/** Returns the results by test, from the JSON of a tester. */
function results(binary, root, home, args, env) {
  const { code, stdout, stderr } = runTests(binary, root, home, ["--json", ...args], env);
  let suites;
  try {
    suites = JSON.parse(stdout);
  } catch {
    throw new Error(`${binary} exited with ${code} and printed no JSON:\n${stdout.slice(0, 2000)}${stderr}`);
  }
  const found = Object.entries(suites).flatMap(([suite, { test_results }]) =>
    Object.entries(test_results).map(([test, { status, reason }]) => [`${suite}::${test}`, { status, reason: reason ?? "" }]),
  );
  return new Map(found);
}

/** Runs both parts of the fixtures: those with the node and those without one. */
function run(binary, root, home, node, more) {
  for (const name of ["scratch", "snapshots"]) rmSync(join(root, name), { recursive: true, force: true });
  const env = { FOUNDRY_NO_STORAGE_CACHING: "true" };
  const main = ["--no-match-path", WITHOUT_NODE, ...more];
  return new Map([
    ...results(binary, root, home, main, { ...env, CONFORMANCE_NODE: node.url }),
    ...results(binary, root, home, ["--match-path", WITHOUT_NODE, ...more], env),
  ]);
}

/**
 * Compares two reasons. forge-harvey always reports a call to an address without code; Forge does so with traces
 * only.
 */
function sameReason(forges, ours) {
  return forges === ours || (forges === "EvmError: Revert" && ours.startsWith("call to non-contract address"));
}

function show(result) {
  return result ? `${result.status} ${JSON.stringify(result.reason)}` : "absent";
}

async function main() {
  const root = mkdtempSync(join(tmpdir(), "conformance-"));
  let node;
  try {
    cpSync(join(ROOT, PROJECT), root, { recursive: true, filter: (path) => !/[\\/](out|cache|scratch|snapshots)$/.test(path) });
    const home = compilerHome(ROOT, MODULES);
    node = await startNode(MODULES, root);
    const forges = run(findForge(MODULES), root, home, node, []);
    const calls = callsByTest(root);
    const ours = run(options.ours, root, home, node, ["--unit"]);
    compare(forges, ours, calls);
  } finally {
    node?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

function compare(forges, ours, calls) {
  const differences = JSON.parse(read(join(PROJECT, "differences.json")));
  const named = new Set(Object.values(differences).flat());
  const wanted = new RegExp(options.match);
  const agreeing = new Set();
  let wrong = 0;
  const tests = [...new Set([...forges.keys(), ...ours.keys()])].filter((test) => wanted.test(test)).sort();
  for (const test of tests) {
    const [forge, our] = [forges.get(test), ours.get(test)];
    const agrees = forge && our && forge.status === our.status && sameReason(forge.reason, our.reason);
    if (agrees) agreeing.add(test);
    if (Boolean(agrees) === !named.has(test)) continue;
    wrong += 1;
    const what = agrees ? "agrees, though differences.json names it" : `\n  forge: ${show(forge)}\n  ours:  ${show(our)}`;
    console.log(`${test}: ${what}`);
  }
  console.log(`${agreeing.size} of ${tests.length} tests agree, ${tests.length - agreeing.size} differ, ${wrong} of them unexpectedly`);
  if (wrong > 0) process.exitCode = 1;
  if (options.match) return;
  report(forges, agreeing, calls, tests.length, differences);
}

/** Returns the cheatcodes that are called by agreeing tests with this status. */
function called(forges, agreeing, calls, status) {
  const tests = [...agreeing].filter((test) => forges.get(test).status === status);
  return new Set(tests.flatMap((test) => [...(calls.get(test) ?? [])]));
}

function report(forges, agreeing, calls, total, differences) {
  const all = cheatcodes(ROOT).map(({ signature }) => signature);
  const [passing, failing] = ["Success", "Failure"].map((status) => called(forges, agreeing, calls, status));
  const conforming = all.filter((signature) => passing.has(signature) || failing.has(signature));
  const missing = all.filter((signature) => !conforming.includes(signature));
  const share = ((100 * conforming.length) / all.length).toFixed(1);
  console.log(`${conforming.length} of ${all.length} cheatcodes (${share} %) have a test that agrees; ${missing.join(", ") || "none"} have none`);
  if (!options.report && !options.check) return;
  const rows = [
    ["cheatcodes, overloads counted one by one", all.length],
    ["with a test that passes in both", all.filter((signature) => passing.has(signature)).length],
    ["with a test that fails in both for the same reason", all.filter((signature) => failing.has(signature)).length],
    ["with one or the other", `${conforming.length} (${share} %)`],
    ["tests", total],
    ["tests that agree", agreeing.size],
  ];
  const list = Object.entries(differences).map(([why, tests]) => `* ${why} (${tests.length} ${tests.length === 1 ? "test" : "tests"})`);
  const without = missing.length > 0 ? `\n\nWithout a test that agrees: ${missing.map((signature) => `\`${signature}\``).join(", ")}.` : "";
  update("docs/cheatcodes.md", { conformance: `${table([["", "number"], ...rows])}${without}\n\nWhere they differ:\n\n${list.join("\n")}` }, "node scripts/conformance.mjs --ours BINARY --report");
}

if (options.interface) {
  // Those of 1.8 are called by fixtures of their own, which are compared with its specification (tests/it/cheatcodes.rs).
  const interfaces = [
    [join("src", "Vm.sol"), [LISTS.forge171], "1.7.1"],
    [join("forge-1.8", "src", "Vm.sol"), [LISTS.forge171, LISTS.forge18], "1.8 but for those of Tempo networks"],
  ];
  for (const [file, lists, version] of interfaces) {
    const path = join(ROOT, PROJECT, file);
    const text = interfaceOf(ROOT, lists, version);
    if (!options.check) writeFileSync(path, text);
    else if (readFileSync(path, "utf8") !== text) {
      console.error(`error: ${path} is stale; run scripts/conformance.mjs --interface`);
      process.exitCode = 1;
    }
  }
} else {
  if (!options.ours) throw new Error("--ours BINARY is missing");
  await main();
}
