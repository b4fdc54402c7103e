#!/usr/bin/env node
// Measures the speed of the search on the realistic suites. Each figure is a comparison within one run of this script.
// The campaign of a suite has one thread, unless the plan says otherwise. The testers take turns, and the fastest of
// several repetitions counts.
//
//   node scripts/speed.mjs [limit] [steps] [forge] [threads] [memory] [--binary FILE] [--match REGEX] [--calls N]
//                          [--repetitions N] [--minutes N] [--report]
//
//   limit     benchmark `limit`: whole campaigns compared with the bare EVM, with three times the calls
//   steps     benchmark `steps`: the last call of a hundred compared with one call
//   forge     target calls per second of both testers, with the same calls of a campaign, depth and check_interval
//   threads   two threads compared with one: calls per second and per CPU second, and the failures found
//   memory    memory of the process during a campaign of --minutes on one suite, with one thread and with two
//
// --report writes the tables into docs/PERFORMANCE.md.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cases } from "./evaluate/cases.mjs";
import { forget, prepareProjects } from "./evaluate/projects.mjs";
import { reportOf } from "./evaluate/results.mjs";
import { median } from "./evaluate/statistics.mjs";
import { ROOT, table, update } from "./page.mjs";
import { approval, cleanEnvironment, compilerHome, findForge, newScratch } from "./parity/tools.mjs";

const MODULES = join(ROOT, "testdata", "node_modules");
const DEPTH = 20;
/** Suite for the plan `memory`. */
const LARGEST = "TickPoolTest";
const SAMPLE_MS = 2000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(ROOT, "target", "release", "forge-harvey") },
    match: { type: "string", default: "" },
    calls: { type: "string", default: "10000" },
    repetitions: { type: "string", default: "3" },
    minutes: { type: "string", default: "10" },
    report: { type: "boolean", default: false },
  },
});
const [calls, repetitions, minutes] = ["calls", "repetitions", "minutes"].map((name) => Number(options[name]));

/**
 * Runs `test` on one suite. Returns the report of the suite, the CPU seconds of the process, and samples of its
 * memory.
 */
async function run(binary, root, home, contract, variables, flags = []) {
  forget(root);
  const scratch = newScratch(home);
  const env = { ...cleanEnvironment(scratch), FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0", ...variables(scratch) };
  const args = ["test", "--offline", "--root", root, "--json", "--match-contract", `^${contract}$`, "--fuzz-seed", "7"];
  // The shell prints the CPU time of its child when the child has ended.
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 3>&- 2>/dev/null; } 2>&3';
  const child = spawn("bash", ["-c", script, "bash", binary, ...args, ...approval(binary), ...flags], { env, stdio: ["ignore", "pipe", "ignore", "pipe"] });
  const [output, times] = [child.stdio[1], child.stdio[3]].map((stream) => {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString("utf8");
  });
  const memory = [];
  const sampler = setInterval(() => memory.push(residentMemory(child.pid)), SAMPLE_MS);
  const code = await new Promise((done) => child.on("close", done));
  clearInterval(sampler);
  rmSync(scratch, { recursive: true, force: true });
  const report = reportOf(output());
  if (code > 1 || !report) throw new Error(`${binary} exited with ${code} on ${contract}:\n${output().slice(0, 1000)}`);
  const [suite] = Object.values(report);
  const cpu = times().trim().split(" ").reduce((sum, seconds) => sum + Number(seconds), 0);
  return { suite, cpu, memory: memory.filter(Boolean) };
}

/** Returns the resident memory of the child of a shell, in bytes. */
function residentMemory(shell) {
  try {
    const [child] = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ");
    const [, kilobytes] = readFileSync(`/proc/${child}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB$/m);
    return Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

const bounded = (count) => () => ({
  FOUNDRY_INVARIANT_RUNS: String(Math.ceil(count / DEPTH)),
  FOUNDRY_INVARIANT_DEPTH: String(DEPTH),
});
const withCorpus = (count) => (scratch) => ({
  ...bounded(count)(),
  FOUNDRY_INVARIANT_CORPUS_DIR: join(scratch, "corpus"),
});

/** Converts a duration in Forge's format (`1s 23ms 45µs`) to seconds. */
function seconds(duration) {
  const units = { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9, m: 60 };
  const parts = duration.matchAll(/(\d+)(ms|µs|ns|s|m)/g);
  return [...parts].reduce((sum, [, number, unit]) => sum + Number(number) * units[unit], 0);
}

/** Returns the calls and seconds of Forge's campaigns. Forge has one campaign for each invariant. */
function ofForge({ suite }) {
  const campaigns = Object.values(suite.test_results).flatMap(({ kind }) => kind.Invariant ?? []);
  const made = campaigns.reduce((sum, campaign) => sum + campaign.calls, 0);
  return { calls: made, seconds: seconds(suite.duration) };
}

/** Returns the calls and seconds of forge-harvey's campaign. It has one campaign for all invariants. */
function ofOurs({ suite }) {
  const { calls: made, seconds: taken } = suite.harvey.stats;
  return { calls: made, seconds: taken };
}

const rate = (result) => result.calls / result.seconds;

/** Runs the testers in turn, several times. Returns the fastest run of each. */
async function fastest(testers) {
  const best = testers.map(() => undefined);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [index, tester] of testers.entries()) {
      const result = await tester();
      if (!best[index] || rate(result) > rate(best[index])) best[index] = result;
    }
  }
  return best;
}

const times = (number) => number.toFixed(1);
const spread = (numbers) => `median ${times(median(numbers))}, least ${times(Math.min(...numbers))}`;

/** Runs a cargo benchmark. Returns its output. */
function bench(name, args) {
  const { status, stdout, stderr } = spawnSync("cargo", ["bench", "--bench", name, "--", ...args], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`the benchmark ${name} exited with ${status}:\n${stderr.slice(-1000)}`);
  return stdout;
}

/** Converts a duration in divan's format (`12.3 µs`) to nanoseconds. */
function nanoseconds(text) {
  const [number, unit] = text.trim().split(" ");
  return Number(number) * { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 }[unit];
}

const PLANS = {
  async limit({ suites }) {
    const printed = bench("limit", [`^(${suites.join("|")})$`, String(calls * 3)]);
    return printed.slice(printed.indexOf("|"));
  },

  async steps() {
    const means = {};
    let group;
    for (const line of bench("steps", []).split("\n")) {
      const name = line.match(/^[├╰]─ (\w+)/)?.[1];
      if (name) group = name;
      const [, contract] = line.match(/[├╰]─ (\w+Test) /) ?? [];
      const cells = line.split("│").map((cell) => cell.trim());
      if (contract && cells.length > 4) ((means[contract] ??= {}))[group] = nanoseconds(cells.at(-3));
    }
    const rows = Object.entries(means).map(([contract, { one_call: one, last_of_a_hundred: last, untracked }]) => [
      contract, ...[one, last, untracked].map((mean) => `${(mean / 1e3).toFixed(1)} µs`), (last / one).toFixed(2), (one / untracked).toFixed(2),
    ]);
    const header = ["suite", "one call", "last of a hundred", "one call, untracked", "last / one", "tracked / untracked"];
    return table([header, ...rows]);
  },

  async forge({ binary, forge, home, root, suites }) {
    const rows = [];
    const ratios = { "ours / forge": [], "each / forge": [], "ours / corpus": [], "suite done": [] };
    const one = ["--threads", "1"];
    for (const contract of suites) {
      const [plain, corpus, ours, each] = await fastest([
        async () => ofForge(await run(forge, root, home, contract, bounded(calls), one)),
        async () => ofForge(await run(forge, root, home, contract, withCorpus(calls / 4), one)),
        async () => ofOurs(await run(binary, root, home, contract, bounded(calls), one)),
        async () => ofOurs(await run(binary, root, home, contract, bounded(calls), [...one, "--without", "reuse"])),
      ]);
      // Forge makes the calls once for each invariant, forge-harvey once for all.
      const done = plain.seconds / ((ours.seconds * calls) / ours.calls);
      const ratio = [rate(ours) / rate(plain), rate(each) / rate(plain), rate(ours) / rate(corpus), done];
      Object.values(ratios).forEach((numbers, index) => numbers.push(ratio[index]));
      const rates = [plain, corpus, ours, each].map((result) => Math.round(rate(result)));
      rows.push([contract, ...rates, ...ratio.map(times)]);
      console.log(rows.at(-1).join(" "));
    }
    const header = ["suite", "forge", "with corpus", "ours", "each property run", ...Object.keys(ratios)];
    const summary = Object.entries(ratios).map(([name, numbers]) => `* ${name}: ${spread(numbers)}`);
    return `${table([header, ...rows])}\n\n${summary.join("\n")}`;
  },

  async threads({ binary, home, root, suites }) {
    const rows = [];
    const ratios = [];
    for (const contract of suites) {
      const on = (threads) => async () => {
        const many = calls * 10;
        const result = await run(binary, root, home, contract, bounded(many), ["--threads", String(threads)]);
        const broken = Object.entries(result.suite.test_results).filter(([, test]) => test.status === "Failure");
        const found = [...broken.map(([name]) => name), ...result.suite.harvey.findings.map(({ id }) => id)].sort();
        return { ...ofOurs(result), cpu: result.cpu, found: found.join(" ") };
      };
      const [one, two] = await fastest([on(1), on(2)]);
      const perCpu = two.calls / two.cpu / (one.calls / one.cpu);
      ratios.push(perCpu);
      rows.push([contract, (rate(two) / rate(one)).toFixed(2), perCpu.toFixed(2), one.found === two.found ? "the same" : "others"]);
      console.log(rows.at(-1).join(" "));
    }
    const header = ["suite", "calls per second", "calls per CPU second", "found"];
    return `${table([header, ...rows])}\n\nCalls per CPU second: median ${median(ratios).toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}.`;
  },

  async memory({ binary, home, root }) {
    const bound = () => ({ FOUNDRY_INVARIANT_TIMEOUT: String(Math.round(minutes * 60)), FOUNDRY_INVARIANT_DEPTH: "100" });
    const header = ["threads", "executions", ...[10, 25, 50, 75, 100].map((part) => `at ${part} %`), "most"];
    const rows = [];
    for (const threads of [1, 2]) {
      const { suite, memory } = await run(binary, root, home, LARGEST, bound, ["--threads", String(threads)]);
      const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
      const at = (part) => mebibytes(memory[Math.ceil((memory.length - 1) * part / 100)]);
      rows.push([threads, suite.harvey.stats.executions, ...[10, 25, 50, 75, 100].map(at), mebibytes(Math.max(...memory))]);
      console.log(rows.at(-1).join(" "));
    }
    return `${LARGEST}, ${minutes} minutes, resident memory in MiB:\n\n${table([header, ...rows])}`;
  },
};

/**
 * Returns the suites with a bug, or their corrected counterparts. Forge is compared on the corrected ones, because it
 * would end a campaign at the first failure.
 */
function wantedSuites(entries, isBug) {
  const wanted = new RegExp(options.match);
  const contracts = entries.map(({ contract }) => (isBug ? contract : contract.replace(/BugTest$/, "Test")));
  return contracts.filter((contract) => wanted.test(contract));
}

async function main(scratch) {
  const unknown = positionals.find((name) => !PLANS[name]);
  if (unknown) throw new Error(`no such plan: ${unknown}; there are ${Object.keys(PLANS).join(", ")}`);
  const entries = cases(["suites"]);
  const [forge, home] = [findForge(MODULES), compilerHome(ROOT, MODULES)];
  const root = prepareProjects(scratch, entries, 1, { forge, home })(entries[0], 0);
  const tools = { binary: resolve(options.binary), forge, home, root };
  for (const name of positionals) {
    const part = await PLANS[name]({ ...tools, suites: wantedSuites(entries, name === "threads") });
    console.log(`\n${part}\n`);
    if (options.report) update("docs/PERFORMANCE.md", { [name]: part });
  }
}

const scratch = mkdtempSync(join(tmpdir(), "speed-"));
try {
  await main(scratch);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
