#!/usr/bin/env node
// Writes all findings of a fixed run for readers who judge them, and counts their verdicts.
//
//   node scripts/readers.mjs write --out DIR --files DIR       single files: each is a project of its own
//   node scripts/readers.mjs write --out DIR --packages        the npm packages of scripts/oracles/real.json
//   node scripts/readers.mjs count --out DIR VERDICTS...       the share of right findings, for each file of verdicts
//
// A reader gets the files in DIR, the sources, and `oracles.txt`, but not the code of the oracles. A file of verdicts
// has one line of JSON for each finding: { "id": ..., "verdict": "RIGHT" or "WRONG", "why": ... }.
//
// --binary BINARY     forge-harvey to run (default: target/release/forge-harvey)
// --seconds N         seconds for each single file (default: 6)
// --calls N           calls for each contract of the packages (default: 50000)
// --threads N         threads of a run (default: 2)
// --oracles LIST      oracles (default: all)
// --most N            findings of each oracle that are written, of different projects (default: all findings)
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { UNBOUNDED, projectOf } from "./datasets/scan.mjs";
import { readRaw } from "./evaluate/runner.mjs";
import { ROOT, percent, read, table } from "./page.mjs";
import { plainEnvironment } from "./parity/tools.mjs";
import { homeOf, prepared } from "./projects/prepare.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    out: { type: "string" },
    files: { type: "string", multiple: true, default: [] },
    packages: { type: "boolean", default: false },
    seconds: { type: "string", default: "6" },
    calls: { type: "string", default: "50000" },
    threads: { type: "string", default: "2" },
    oracles: { type: "string", default: "all" },
    most: { type: "string" },
  },
});

const DEPTH = 100;

function run(args, env = {}) {
  const { stdout, stderr, status } = spawnSync(resolve(options.binary), args, {
    encoding: "utf8",
    env: { ...plainEnvironment(), ...env },
    maxBuffer: 1 << 30,
  });
  if (status === null || status > 1) throw new Error(`${args.join(" ")}: status ${status}: ${stderr.slice(-500)}`);
  return stdout;
}

/** Returns the findings of all oracles in a project with seed 1. */
function scan(root, args, env) {
  rmSync(join(root, "cache", "harvey"), { recursive: true, force: true });
  const fixed = ["test", "--root", root, "--json", "--scan", "--oracles", options.oracles, "--fuzz-seed", "1"];
  const report = JSON.parse(run([...fixed, "--threads", options.threads, ...args], env));
  return Object.values(report).flatMap(({ harvey }) => harvey?.findings ?? []);
}

/** Returns a function that takes from the findings of a project one of each oracle that has fewer than `--most`. */
function sampler() {
  const counts = new Map();
  const isWanted = ({ oracle }, index, findings) => {
    const count = counts.get(oracle) ?? 0;
    if (count >= Number(options.most) || findings.findIndex((other) => other.oracle === oracle) !== index) return false;
    counts.set(oracle, count + 1);
    return true;
  };
  return (findings) => (options.most ? findings.filter(isWanted) : findings);
}

/** Yields the name, the sources and the findings of each project. A file that does not compile has none. */
function* projects() {
  for (const directory of options.files) {
    const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith(".sol")).sort();
    for (const file of files) {
      const name = file.replaceAll("/", "__").replace(/\.sol$/, "");
      const path = join(directory, file);
      const root = projectOf(join("readers", basename(directory)), { name, path });
      try {
        yield { name, sources: path, findings: scan(root, ["--budget", options.seconds], UNBOUNDED) };
      } catch (error) {
        console.error(`${name}: ${error.message}`);
      }
    }
  }
  if (!options.packages) return;
  const work = join(ROOT, "testdata", "cache", "oracles", "real");
  for (const project of JSON.parse(read("scripts/oracles/real.json"))) {
    const root = prepared(work, project);
    const runs = String(Math.ceil(Number(options.calls) / DEPTH));
    const env = { HOME: homeOf(work), FOUNDRY_INVARIANT_DEPTH: String(DEPTH), FOUNDRY_INVARIANT_RUNS: runs };
    yield { name: project.name, sources: root, findings: scan(root, ["--offline"], env) };
  }
}

function described(call) {
  const value = BigInt(call.value ?? 0) > 0n ? ` with ${BigInt(call.value)} wei` : "";
  const [seconds, blocks] = [BigInt(call.warp ?? 0), BigInt(call.roll ?? 0)];
  const delay = seconds + blocks > 0n ? ` ${seconds} s and ${blocks} blocks later` : "";
  const name = `${call.contract_name?.split(":").pop() ?? call.addr}.${call.func_name ?? call.calldata}`;
  const back = call.reentry;
  const answer = back ? `; its outside call ${back.nth + 1} is answered by calling back ${back.addr} with ${back.calldata}` : "";
  return `- ${call.sender}${delay}${value}: ${name}(${call.args ?? ""})${answer}`;
}

function page(name, sources, findings) {
  const parts = findings.map((finding, index) => {
    const also = finding.also?.length > 0 ? `, also ${finding.also.join(", ")}` : "";
    const entry = `${finding.contract.split(":").pop()}.${finding.function}${also}`;
    const head = [`## ${name}#${index + 1}: ${finding.oracle}`, "", `${finding.location}, entered by ${entry}`, finding.reason, ""];
    return [...head, ...finding.sequence.map(described), ""].join("\n");
  });
  return `# ${name}\n\nSources: ${sources}\n\n${parts.join("\n")}`;
}

function write(out) {
  mkdirSync(out, { recursive: true });
  const oracles = run(["explain"]).split("\n").map((line) => line.split(/\s/)[0]).filter(Boolean);
  const texts = Object.fromEntries(oracles.map((oracle) => [oracle, run(["explain", oracle])]));
  writeFileSync(join(out, "oracles.txt"), Object.values(texts).join("\n"));
  const sample = sampler();
  for (const { name, sources, findings: all } of projects()) {
    const findings = sample(all);
    if (findings.length === 0) continue;
    writeFileSync(join(out, `${name}.md`), page(name, sources, findings));
    findings.forEach(({ oracle }, index) => {
      const confidence = /^Confidence: (\w+)$/m.exec(texts[oracle])?.[1];
      const byDefault = !texts[oracle].includes("It is looked for with `--oracles");
      appendFileSync(join(out, "findings.jsonl"), `${JSON.stringify({ id: `${name}#${index + 1}`, oracle, confidence, byDefault })}\n`);
    });
    console.log(`${name}: ${findings.length}`);
  }
}

/** Prints how many findings each reader took for right, by the confidence of the oracle and by oracle. */
function count(out, files) {
  const findings = readRaw(join(out, "findings.jsonl"));
  const groups = {
    "high confidence": ({ confidence }) => confidence === "high",
    "lower confidence": ({ confidence }) => confidence !== "high",
    "at default settings": ({ byDefault }) => byDefault,
  };
  for (const oracle of [...new Set(findings.map((finding) => finding.oracle))].sort()) {
    groups[`\`${oracle}\``] = (finding) => finding.oracle === oracle;
  }
  for (const file of files) {
    const verdicts = new Map(readRaw(file).map(({ id, verdict }) => [id, verdict]));
    const rows = Object.entries(groups).map(([name, isIn]) => {
      const judged = findings.filter((finding) => isIn(finding) && verdicts.has(finding.id));
      const right = judged.filter(({ id }) => verdicts.get(id) === "RIGHT").length;
      return [name, judged.length, right, percent(right, judged.length)];
    });
    console.log(`\n${basename(file)}\n\n${table([["oracles", "findings judged", "right", "share"], ...rows])}`);
  }
}

try {
  const [command, ...files] = positionals;
  if (!options.out) throw new Error("--out DIR is needed: where the findings are written");
  if (command === "write") write(resolve(options.out));
  else if (command === "count") count(resolve(options.out), files);
  else throw new Error(`no such command: ${command}; there are write, count`);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
