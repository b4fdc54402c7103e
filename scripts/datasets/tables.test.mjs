import assert from "node:assert/strict";
import { test } from "node:test";
import { functionAt, verdict } from "./sets.mjs";
import { setTable } from "./tables.mjs";

const label = { category: "reentrancy", oracles: ["reentrancy"], lines: [10] };

test("a finding counts in its place within two lines of a label, and only with the right oracle", () => {
  assert.equal(verdict(label, [{ oracle: "reentrancy", line: 12 }]), "place");
  assert.equal(verdict(label, [{ oracle: "reentrancy", line: 13 }]), "file");
  assert.equal(verdict(label, [{ oracle: "ether-leak", line: 10 }]), undefined);
  assert.equal(verdict({ ...label, lines: undefined }, [{ oracle: "reentrancy" }]), "place");
});

test("a finding counts in the function whose header is labelled", () => {
  const source = "contract C {\n  function f() // }\n    public\n  {\n    if (true) {}\n    x = 1;\n  }\n  function g();\n}\n";
  assert.deepEqual(functionAt(source, 2), [2, 7]);
  assert.deepEqual(functionAt(source, 8), [8, 8]);
  assert.equal(functionAt(source, 3), undefined);
  const labelled = { ...label, functions: [[10, 20]] };
  assert.equal(verdict(labelled, [{ oracle: "reentrancy", line: 18 }]), "function");
  assert.equal(verdict(labelled, [{ oracle: "reentrancy", line: 21 }]), "file");
});

test("the table has the median of the seeds, and the misses by name", () => {
  const run = (name, seed, found) => {
    return { set: "smartbugs", version: "x", seconds: 20, name, seed, verdicts: { reentrancy: found } };
  };
  const runs = [run("reentrancy/a.sol", 1, "place"), run("reentrancy/a.sol", 2, "place"), run("reentrancy/a.sol", 3, "file")];
  runs.push(run("reentrancy/b.sol", 1, ""), run("reentrancy/b.sol", 2, ""), run("reentrancy/b.sol", 3, "place"));
  const text = setTable("smartbugs", runs);
  assert.match(text, /\*\*all\*\* \| 2 \| 1 \| 50\.0 % \| 1 \|/);
  assert.match(text, /reentrancy: missed `b\.sol` 2\/3; elsewhere `a\.sol` 1\/3/);
});
