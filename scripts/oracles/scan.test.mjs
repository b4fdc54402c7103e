import assert from "node:assert/strict";
import { test } from "node:test";
import { labels, oracleNames } from "./scan.mjs";
import { labelledTable, pairsTable } from "./tables.mjs";

test("every labelled contract has its label, and every class an oracle", () => {
  const known = Object.values(labels());
  const classes = new Set(known.filter((label) => label !== "safe"));
  assert.equal(known.length, 306);
  assert.equal(known.filter((label) => label === "safe").length, 177);
  assert.equal(Object.values(labels("unseen")).length, 40);
  assert.deepEqual([...classes].sort(), Object.values(oracleNames()).sort());
});

const version = "x";
const finding = (oracle) => ({ findings: [{ oracle, function: "f()", calls: 7 }] });

test("recall and precision count each class, and consequences neither way", () => {
  const found = {
    DaoFundBad: { findings: [...finding("reentrancy").findings, ...finding("ether-leak").findings] },
    MintCapBad: { findings: [] },
    MintCapGood: finding("reentrancy"),
    Helper: finding("reentrancy"),
  };
  const text = labelledTable([{ plan: "labelled", version, calls: 10, found }]);
  assert.match(text, /`reentrancy` \| 2 \| 50\.0 % \| 50\.0 % \| missed: MintCapBad 1\/1; alarms: MintCapGood 1\/1/);
  assert.doesNotMatch(text, /ether-leak/);
});

test("a pair passes when the bad one is found in every run and the good one is silent", () => {
  const bad = { plan: "pairs", version, calls: 10, found: { ReentrancyBad: finding("reentrancy") } };
  const good = { plan: "pairs", version, calls: 30, found: { ReentrancyGood: { findings: [] } } };
  const row = (records) => pairsTable(records).find(([oracle]) => oracle === "`reentrancy`");
  assert.equal(row([bad, good]).at(-1), "pass");
  assert.equal(row([bad, { ...good, found: { ReentrancyGood: finding("reentrancy") } }]).at(-1), "FAIL");
  assert.equal(row([bad, { ...bad, found: { ReentrancyBad: { findings: [] } } }, good]).at(-1), "FAIL");
});
