import assert from "node:assert/strict";
import { test } from "node:test";
import { lowestIds } from "./seeded.mjs";

test("the lowest id of each operator is taken", () => {
  const list = [
    "b2 src/A.sol:3:5 relational: a < b -> a <= b",
    "a1 src/A.sol:4:5 relational: a > b -> a: >= b",
    "c3 src/A.sol:5:5 tx-origin: msg.sender -> tx.origin",
    "",
  ].join("\n");
  assert.deepEqual(lowestIds(list), ["a1", "c3"]);
});
