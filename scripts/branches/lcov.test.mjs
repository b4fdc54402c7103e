import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, branchesOf, countedByForge } from "./lcov.mjs";

const lcov = (...ways) => ["SF:src/A.sol", ...ways.map((way) => `BRDA:${way}`), "end_of_record"].join("\n");
const of = (text) => branchesOf(text, "/root").get("src/A.sol");

test("branches are read with their ways in order", () => {
  const [first, second] = of(lcov("6,0,1,2", "5,0,0,0", "9,1,0,-"));
  assert.deepEqual([first.line, first.ways.map(({ ran }) => ran)], [5, [false, true]]);
  assert.deepEqual([second.line, second.ways.length], [9, 1]);
});

test("what forge does not count has larger numbers", () => {
  const ours = of(lcov("3,0,0,1", "3,0,1,0", "8,1,0,1", "8,1,1,1", "9,10002,0,1", "9,10002,1,1"));
  assert.deepEqual(countedByForge(ours).map(({ number }) => number), [0, 1]);
});

test("the body of an if may begin later, and what only forge has is left alone", () => {
  const forges = of(lcov("2,0,0,1", "5,1,0,1", "7,2,0,0", "7,2,1,3"));
  const ours = of(lcov("3,0,0,1", "3,0,1,1", "7,1,0,1", "7,1,1,0"));
  const [alone, late, require] = aligned(forges, ours);
  assert.equal(alone.mine, undefined);
  assert.deepEqual(late.block.outcomes(late.mine, "if ("), [[true, true]]);
  assert.deepEqual(require.block.outcomes(require.mine, "require(x);"), [[false, false], [true, true]]);
});
