#!/usr/bin/env node
// Checks the fixtures against the real forge, and forge-harvey against both.
//
//   node scripts/parity.mjs                    checks that forge does what the fixtures say
//   node scripts/parity.mjs --ours BINARY      also checks `BINARY test`, apart from differences named in the fixtures
//
// --root DIR      project of the fixtures (default: the repository)
// --seed N        fuzz seed (default: a random one)
// --match REGEX   only suites whose id (`path:Contract`) matches
// --verbose       print every row, not only those that disagree
//
// The exit code is 1 if there is an unexpected difference. docs/differences.md lists the differences named in the
// fixtures.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkErrors } from "./parity/errors.mjs";
import { emptyFixture, fixtures } from "./parity/expectations.mjs";
import { compilerHome, findForge, runTests } from "./parity/tools.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    root: { type: "string", default: ROOT },
    seed: { type: "string" },
    match: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
  },
});

/** Returns the suites of the fixtures by id, from the JSON of a tester. */
function suites(name, binary, home, more = []) {
  const args = ["--json", "-vv", "--match-path", "testdata/fixtures/**", ...more];
  if (options.seed) args.push("--fuzz-seed", options.seed);
  const { code, stdout, stderr } = runTests(binary, options.root, home, args);
  try {
    return new Map(Object.entries(JSON.parse(stdout)));
  } catch {
    throw new Error(`${name} exited with ${code} and printed no JSON:\n${stdout}${stderr}`);
  }
}

function show(result) {
  if (!result) return "absent";
  const words = { Success: "PASS", Failure: "FAIL", Skipped: "SKIP" };
  const reason = typeof result.reason === "string" ? ` ${result.inexact ? "~" : ""}${JSON.stringify(result.reason)}` : "";
  return words[result.status] + reason;
}

/** Tells whether a result is the expected one. An expectation without a reason allows any reason. */
function agrees(expected, result) {
  if (!expected || !result) return !expected && !result;
  if (expected.status !== result.status) return false;
  if (expected.reason === undefined) return true;
  const reason = result.reason ?? "";
  return expected.inexact ? reason.includes(expected.reason) : reason === expected.reason;
}

/** Returns the functions called in a campaign, as `Contract.function`. */
function called(result) {
  return Object.keys(result.kind.Invariant?.metrics ?? {}).map((key) => key.replace(/^.*:/, "")).sort();
}

/** Yields one row for each statement of a fixture about a suite. */
function* compare(fixture, suite, ours) {
  const results = suite?.test_results ?? {};
  if (fixture.none) yield { what: "suite", wanted: "none", got: suite ? "a suite" : "none", ok: !suite };
  const wanted = new Map([...fixture.expect, ...(ours ? fixture.ours : [])]);
  for (const name of new Set([...wanted.keys(), ...Object.keys(results)])) {
    const [expected, actual] = [wanted.get(name), results[name]];
    yield { what: name, wanted: show(expected), got: show(actual), ok: agrees(expected, actual) };
  }
  for (const [name, wantedCalls] of fixture.calls) {
    if (!results[name]) continue;
    const calls = called(results[name]);
    // forge-harvey also calls functions that Forge does not call, to find failed assertions.
    const ok = ours ? wantedCalls.every((call) => calls.includes(call)) : wantedCalls.join() === calls.join();
    yield { what: `${name} calls`, wanted: wantedCalls.join(" "), got: calls.join(" "), ok };
  }
  for (const [name, best] of fixture.best) {
    const got = String(results[name]?.kind.Invariant?.optimization_best_value);
    yield { what: `${name} best`, wanted: best, got, ok: best === got };
  }
  for (const [name, length] of fixture.shrunk) {
    const got = String(results[name]?.counterexample?.Sequence?.[1].length);
    yield { what: `${name} shrunk length`, wanted: length, got, ok: length === got };
  }
  for (const [name, lines] of fixture.logs) {
    const [wantedLogs, got] = [lines, results[name]?.decoded_logs ?? []].map((list) => JSON.stringify(list));
    yield { what: `${name} logs`, wanted: wantedLogs, got, ok: wantedLogs === got };
  }
  const warnings = [...fixture.warnings, ...(ours ? fixture.ourWarnings : [])];
  yield* compareWarnings(warnings, suite?.warnings ?? []);
  if (ours) yield* compareFindings(fixture, suite);
}

function* compareWarnings(wanted, warnings) {
  const matches = ({ inexact, text }, warning) => (inexact ? warning.includes(text) : warning === text);
  for (const expected of wanted) {
    const got = warnings.find((warning) => matches(expected, warning)) ?? "none";
    yield { what: "warning", wanted: expected.text, got, ok: got !== "none" };
  }
  for (const got of warnings.filter((warning) => !wanted.some((expected) => matches(expected, warning)))) {
    yield { what: "warning", wanted: "none", got, ok: false };
  }
}

function* compareFindings(fixture, suite) {
  const text = ({ contract, function: fn, reason }) => `${contract.replace(/^.*:/, "")}.${fn} "${reason}"`;
  const wanted = new Set(fixture.findings.map(text));
  const actual = new Set((suite?.harvey?.findings ?? []).map(text));
  for (const finding of new Set([...wanted, ...actual])) {
    const [expected, found] = [wanted.has(finding), actual.has(finding)];
    const ok = expected === found;
    yield { what: "finding", wanted: expected ? finding : "none", got: found ? finding : "none", ok };
  }
}

/**
 * Returns the figures of a test that do not depend on random inputs. For tests with no inputs or with fixed inputs,
 * these are all figures.
 */
function figures({ status, kind, counterexample }) {
  const { Fuzz: fuzz, ...same } = kind;
  if (fuzz && status === "Success") same.Fuzz = { runs: fuzz.runs };
  else if (fuzz) same.Fuzz = {};
  return JSON.stringify({ ...same, counterexample: Object.keys(counterexample ?? {}) });
}

/**
 * Compares the figures of unit, fuzz and table tests with Forge's, if both give the same verdict. Returns how many
 * differ.
 */
function checkFigures(forge, ours) {
  console.log("\n== figures of tests that are no invariants");
  let [rows, bad] = [0, 0];
  for (const [id, { test_results: results }] of forge) {
    if (!new RegExp(options.match).test(id)) continue;
    for (const [name, wanted] of Object.entries(results)) {
      const got = ours.get(id)?.test_results[name];
      if (wanted.kind.Invariant || wanted.status !== got?.status) continue;
      rows += 1;
      const [expected, actual] = [figures(wanted), figures(got)];
      if (expected === actual) continue;
      bad += 1;
      console.log(`DIFF ${id} ${name}\n       wanted ${expected}\n       got    ${actual}`);
    }
  }
  console.log(`${rows} tests, ${bad} disagreements`);
  return bad;
}

/** Compares all fixtures with the suites of one tester. Prints the rows that disagree and returns their number. */
function check(title, all, actual, ours) {
  console.log(`\n== ${title}`);
  let [rows, bad] = [0, 0];
  const ids = [...new Set([...all.keys(), ...actual.keys()])].sort();
  for (const id of ids.filter((name) => new RegExp(options.match).test(name))) {
    const fixture = all.get(id) ?? emptyFixture(id);
    for (const row of compare(fixture, actual.get(id), ours)) {
      rows += 1;
      if (!row.ok) bad += 1;
      if (row.ok && !options.verbose) continue;
      console.log(`${row.ok ? "ok  " : "DIFF"} ${id} ${row.what}\n       wanted ${row.wanted}`);
      if (!row.ok) console.log(`       got    ${row.got}`);
    }
  }
  console.log(`${rows} statements, ${bad} disagreements`);
  return bad;
}

function main() {
  const modules = join(ROOT, "testdata", "node_modules");
  const forge = findForge(modules);
  const home = compilerHome(ROOT, modules);
  const all = fixtures(options.root, join(options.root, "testdata", "fixtures"));
  const statements = [...all.values()].reduce((sum, fixture) => sum + fixture.expect.size, 0);
  console.log(`${all.size} fixtures with ${statements} verdicts`);

  const forges = suites("forge", forge, home);
  let bad = check("forge against the fixtures", all, forges, false);
  bad += checkErrors("forge", forge, ROOT, home, false, options);
  if (options.ours) {
    // Stored failures of an earlier run would be replayed instead of searched for.
    rmSync(join(options.root, "testdata", "cache", "harvey"), { recursive: true, force: true });
    const ours = suites("forge-harvey", options.ours, home, ["--unit"]);
    bad += check("forge-harvey against the fixtures", all, ours, true);
    bad += checkFigures(forges, ours);
    bad += checkErrors("forge-harvey", options.ours, ROOT, home, true, options);
  }
  return bad === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
