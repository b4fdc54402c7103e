import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageOf, edgesBySeed, sizeOf } from "./results.mjs";

const counts = (ran, all) => Object.fromEntries(["instructions", "branches", "events", "calls"].map((kind) => [kind, [ran, all]]));
const techniques = { mutation: { operators: { covering: { edges: 3 }, nearest: { edges: 1 } } }, seeds: { operators: { random: { edges: 9 } } } };
const suite = (contracts) => ({ harvey: { contracts, stats: { calls: 7, seconds: 0.5, suite: [2, 5], techniques } } });

test("a contract of several suites counts once, with what covers most of it", () => {
  const suites = { one: suite({ A: counts(3, 9), B: counts(1, 1) }), two: suite({ A: counts(5, 9) }), none: {} };
  assert.deepEqual(coverageOf(suites), counts(6, 10));
  assert.deepEqual(sizeOf(suites), { calls: 14, seconds: 1, kept: 4, keptCalls: 10 });
  assert.deepEqual(edgesBySeed(suites), { covering: 6, nearest: 2 });
});
