// Tables of the runs of scripts/oracles.mjs, for the latest version that ran each plan, and the baseline that it was
// compared with.
import { percent, table } from "../page.mjs";
import { labels, oracleNames } from "./scan.mjs";

function latest(records, plan) {
  const all = records.filter((record) => record.plan === plan);
  const { version, baseline } = all.at(-1) ?? {};
  return all.filter((record) => record.version === version && record.baseline === baseline);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? "-" : sorted[Math.floor(sorted.length / 2)].toLocaleString("en-US");
}

/**
 * Returns how often the bug of each pair is found, after how many calls, and whether the corrected contract is
 * silent.
 */
export function pairsTable(records) {
  const runs = latest(records, "pairs");
  const rows = Object.entries(oracleNames()).map(([name, oracle]) => {
    const found = (suffix) =>
      runs.filter(({ found }) => `${name}${suffix}` in found).map(({ found, calls }) => {
        const at = found[`${name}${suffix}`].findings.filter((finding) => finding.oracle === oracle).map(({ calls: at }) => at);
        return { at: Math.min(...at), calls };
      });
    const [bad, good] = [found("Bad"), found("Good")];
    const hits = bad.map(({ at }) => at).filter(Number.isFinite);
    const silent = good.every(({ at }) => !Number.isFinite(at));
    const calls = good.map(({ calls }) => calls.toLocaleString("en-US")).join(", ");
    const most = hits.length === 0 ? "-" : Math.max(...hits).toLocaleString("en-US");
    const verdict = bad.length > 0 && hits.length === bad.length && good.length > 0 && silent ? "pass" : "FAIL";
    return [`\`${oracle}\``, `${hits.length}/${bad.length}`, median(hits), most, silent ? `silent for ${calls}` : "ALARM", verdict];
  });
  return [["oracle", "bad one found", "median calls", "most calls", "good one", ""], ...rows];
}

/** Classes whose bugs let an attacker do anything. */
const ANYTHING = ["arbitrary-write", "arbitrary-jump", "delegatecall"];

/**
 * Consequences of a labelled bug that count neither as hits nor as false alarms. For example, lost wei is also
 * frozen, and an attacker who gets access also takes the wei and tokens.
 */
const CONSEQUENCES = {
  "unchecked-call": ["freezing-ether"],
  "gasless-send": ["freezing-ether"],
  "failed-call-dos": ["freezing-ether", "gasless-send"],
  reentrancy: ["ether-leak", "token-leak", "excess-withdrawal"],
  "tx-origin": ["ether-leak", "token-leak", "reentrancy"],
  "integer-overflow": ["ether-leak", "token-leak", "excess-withdrawal"],
  "ownership-takeover": ["ether-leak", "token-leak", "excess-withdrawal", "selfdestruct"],
  "ether-leak": ["excess-withdrawal", "ownership-takeover"],
  selfdestruct: ["ownership-takeover"],
  "timestamp-dependence": ["excess-withdrawal"],
  "block-number-dependence": ["excess-withdrawal"],
};

const isConsequence = (label, oracle) => ANYTHING.includes(label) || (CONSEQUENCES[label] ?? []).includes(oracle);

/**
 * Returns recall and precision of each class, over all seeds, with the missed bugs and the false alarms. Of the suite
 * `unseen`, it returns the totals only.
 */
export function labelledTable(records, suite = "labelled") {
  const runs = latest(records, suite);
  const known = labels(suite);
  const classes = new Map();
  const of = (oracle) => {
    if (!classes.has(oracle)) classes.set(oracle, { pairs: 0, hits: 0, falses: 0, missed: new Map(), alarms: new Map() });
    return classes.get(oracle);
  };
  const note = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const { found } of runs) {
    for (const [name, { findings }] of Object.entries(found).filter(([name]) => known[name])) {
      const [label, oracles] = [known[name], new Set(findings.map(({ oracle }) => oracle))];
      if (label !== "safe") {
        of(label).pairs += 1;
        if (oracles.has(label)) of(label).hits += 1;
        else note(of(label).missed, name);
      }
      for (const oracle of [...oracles].filter((oracle) => oracle !== label && !isConsequence(label, oracle))) {
        of(oracle).falses += 1;
        note(of(oracle).alarms, name);
      }
    }
  }
  const count = runs.length;
  const names = (map) => [...map].map(([name, times]) => `${name} ${times}/${count}`).join(", ");
  const row = (name, { pairs, hits, falses, missed, alarms }) => {
    const notes = [missed.size > 0 ? `missed: ${names(missed)}` : "", alarms.size > 0 ? `alarms: ${names(alarms)}` : ""];
    const shares = [percent(hits, pairs), percent(hits, hits + falses)];
    return [name, count === 0 ? 0 : pairs / count, ...shares, notes.filter(Boolean).join("; ")];
  };
  const sorted = [...classes].sort(([a], [b]) => a.localeCompare(b));
  const sum = (field) => sorted.reduce((total, [, all]) => total + all[field], 0);
  const total = { pairs: sum("pairs"), hits: sum("hits"), falses: sum("falses"), missed: new Map(), alarms: new Map() };
  const rows = suite === "unseen" ? [] : sorted.map(([oracle, all]) => row(`\`${oracle}\``, all));
  if (count === 0) return "";
  const header = ["class", "pairs", "recall", "precision", ""];
  const calls = [...new Set(runs.map(({ calls }) => calls.toLocaleString("en-US")))].join(", ");
  return `${count} seeds, ${calls} calls for each contract.\n\n${table([header, ...rows, row("**all**", total)])}`;
}

/**
 * Returns for each package how many contracts could be called, the findings in them, and why the others could not be
 * called.
 */
export function realTable(records) {
  const runs = latest(records, "real");
  const rows = runs.map(({ project, calls, found }) => {
    const contracts = Object.entries(found);
    const left = contracts.filter(([, { undeployed }]) => undeployed);
    const alarms = contracts.flatMap(([name, { findings }]) => findings.map(({ oracle, function: called }) => `${name}.${called} (${oracle})`));
    const called = contracts.length - left.length;
    return [project, contracts.length, called, calls.toLocaleString("en-US"), alarms.join(", ") || "none"];
  });
  const reasons = runs.flatMap(({ project, found }) =>
    Object.entries(found)
      .filter(([, { undeployed }]) => undeployed)
      .map(([name, { undeployed }]) => `* ${project}, ${name}: ${undeployed.replaceAll("\n", " ")}`),
  );
  const header = ["package", "contracts", "deployed and called", "calls for each", "found"];
  const list = reasons.length > 0 ? `\n\nNot deployed:\n\n${reasons.join("\n")}` : "";
  return `${table([header, ...rows])}${list}`;
}

/** Returns the calls and executions per CPU second of the binary and of the baseline, over all seeds. */
export function costTable(records) {
  const runs = latest(records, "cost");
  if (runs.length === 0) return "";
  const sum = (side, field) => runs.reduce((total, run) => total + run[side][field], 0);
  const rows = ["calls", "executions"].map((field) => {
    const [before, now] = ["before", "now"].map((side) => sum(side, field) / sum(side, "cpu"));
    const each = runs.map(({ before, now }) => (now[field] / now.cpu / (before[field] / before.cpu)).toFixed(2));
    const rate = (value) => Math.round(value).toLocaleString("en-US");
    return [`${field} per CPU second`, rate(before), rate(now), (now / before).toFixed(2), each.join(", ")];
  });
  return table([["", "baseline", "this build", "ratio", "ratio for each seed"], ...rows]);
}
