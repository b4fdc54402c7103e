// Public data sets of labelled contracts. They are not part of the repository; each has its own license.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Oracles that report a bug of a category of SmartBugs-curated. Front running, short addresses and `other` are not
 * what any oracle looks for.
 */
const SMARTBUGS = {
  access_control: ["ownership-takeover", "ether-leak", "token-leak", "excess-withdrawal", "delegatecall", "selfdestruct", "tx-origin", "arbitrary-write"],
  arithmetic: ["integer-overflow"],
  bad_randomness: ["block-number-dependence", "timestamp-dependence"],
  denial_of_service: ["failed-call-dos", "gas-exhaustion"],
  reentrancy: ["reentrancy"],
  time_manipulation: ["timestamp-dependence"],
  unchecked_low_level_calls: ["unchecked-call"],
};

/** Oracles that report a bug of a class of Smartian's benchmark B2. */
const SMARTIAN = {
  BD: ["block-number-dependence", "timestamp-dependence"],
  ME: ["unchecked-call"],
  RE: ["reentrancy"],
};

/** Returns the first and the last line of the function whose header begins in the line; undefined if there is none. */
export function functionAt(source, line) {
  const blank = (text) => text.replace(/[^\n]/g, " ");
  const code = source.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"[^"\n]*"/g, blank).split("\n");
  if (!/^\s*(function|constructor|modifier)\b/.test(code[line - 1] ?? "")) return undefined;
  let depth = 0;
  for (let last = line; last <= code.length; last += 1) {
    for (const sign of code[last - 1].match(/[{};]/g) ?? []) {
      if (sign !== ";") depth += sign === "{" ? 1 : -1;
      if (depth === 0) return [line, last];
    }
  }
  return undefined;
}

/** Returns the labelled files of SmartBugs-curated, whose root is `data`. */
function smartbugs(data) {
  const entries = JSON.parse(readFileSync(join(data, "vulnerabilities.json"), "utf8"));
  const known = entries.map(({ path, vulnerabilities }) => ({ path, category: path.split("/")[1], vulnerabilities }));
  return known.filter(({ category }) => category in SMARTBUGS).map(({ path, category, vulnerabilities }) => {
    const lines = vulnerabilities.filter((label) => label.category === category).flatMap((label) => label.lines);
    const source = readFileSync(join(data, path), "utf8");
    const functions = lines.map((line) => functionAt(source, line)).filter(Boolean);
    const label = { category, oracles: SMARTBUGS[category], lines, functions };
    return { name: `${category}/${basename(path)}`, path: join(data, path), labels: [label] };
  });
}

/** Returns the contracts of B2. `data` holds `b2.json`, a list of `{ file, contract, labels }`. */
function smartian(data) {
  const entries = JSON.parse(readFileSync(join(data, "b2.json"), "utf8"));
  return entries.map(({ name, file, contract, labels }) => {
    const known = labels.map((category) => ({ category, oracles: SMARTIAN[category] }));
    return { name, path: join(data, file), contract, labels: known };
  });
}

export const SETS = { smartbugs, smartian };

/** Distance in lines within which a finding counts as found in the place of the label. */
const NEAR = 2;

/**
 * Says what the findings show of a label: `place`, `function` (elsewhere in a function whose header is labelled), `file`
 * (elsewhere in the file), or nothing.
 */
export function verdict({ oracles, lines, functions = [] }, findings) {
  const right = findings.filter(({ oracle }) => oracles.includes(oracle));
  if (right.length === 0) return undefined;
  const isNear = ({ line }) => lines === undefined || lines.some((label) => Math.abs(line - label) <= NEAR);
  const isInside = ({ line }) => functions.some(([first, last]) => first <= line && line <= last);
  if (right.some(isNear)) return "place";
  return right.some(isInside) ? "function" : "file";
}

/** Categories of SmartBugs-curated that the study (scripts/study.mjs) takes its 90 contracts from. */
export const PAPER = ["access_control", "arithmetic", "time_manipulation", "unchecked_low_level_calls"];
