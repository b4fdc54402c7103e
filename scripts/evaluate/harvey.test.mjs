import assert from "node:assert/strict";
import { test } from "node:test";
import { harveyTable } from "./harvey.mjs";

/** Runs of two seeds. Times are in CPU seconds; null is a miss. */
const runs = (configuration, times, instructions, limit = 60) =>
  times.map((cpu, seed) => ({
    ...{ case: "protocols/Pool", configuration, seed, limit, measure: "campaign", instructions },
    bugs: { solvency: cpu === null ? null : { cpu } },
  }));

test("times, misses and instructions are compared by configuration", () => {
  const old = runs("A", [1, 1], 1, 10);
  const all = [...old, ...runs("A", [40, 20], 200), ...runs("B", [3, 5], 300), ...runs("C", [6, 10], 250), ...runs("D", [null, null], 100)];
  const { summary, rows, instructions } = harveyTable(all);
  assert.deepEqual(rows[1].slice(0, 7), ["protocols/Pool solvency", "30.00", "4.00", "8.00", "60.00", "2/2 2/2 2/2 0/2", "7.50"]);
  assert.deepEqual(instructions[1].slice(0, 4), ["protocols/Pool", "200", "300", "1.50"]);
  assert.equal(instructions[1].at(-1), "1.00");
  assert.deepEqual(summary.slice(1).map(([, measured]) => measured), ["7.50", "1.50", "0.50", "0.50"]);
});

test("nothing measured gives no rows", () => {
  assert.deepEqual(harveyTable([]).rows, []);
});
