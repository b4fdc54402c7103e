#!/usr/bin/env node
// Compares a run in four parts, whose corpora are merged, with one run that has as much CPU time:
//
//   scripts/partitions.mjs PROGRAM PROJECT SECONDS SEEDS [FLAGS...]
//
// Each process has one thread. The single run has SECONDS, and each part has a quarter of that. The failures are all
// that the runs reported. The branches and paths are those that the merged corpora cover when they are run again. Two
// seeds run at a time. The project must have been compiled before. Its failures are stored elsewhere, so that no run
// learns from another.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds, timed } from "./parity/tools.mjs";

const PARTS = 4;
const [program, project, seconds, seeds, ...flags] = process.argv.slice(2);
if (!seeds) {
    console.error("usage: scripts/partitions.mjs PROGRAM PROJECT SECONDS SEEDS [FLAGS...]");
    process.exit(2);
}

/** Runs the program. Returns its output and its CPU time in seconds. */
function run(directory, command, ...args) {
    const env = {
        ...process.env,
        FOUNDRY_HARVEY_FORGE: "1.7",
        FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: join(directory, "forge"),
        FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: join(directory, "forge"),
    };
    const child = spawn("bash", timed(program, [command, ...args, "--offline"]), { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
    const texts = ["", ""];
    child.stdout.on("data", (data) => (texts[0] += data));
    child.stderr.on("data", (data) => (texts[1] += data));
    return new Promise((resolve, reject) => {
        child.on("close", (code) => {
            const cpu = cpuSeconds(texts[1]);
            if (code > 1 || Number.isNaN(cpu)) reject(new Error(`${args.join(" ")}: exit code ${code}\n${texts[1]}`));
            else resolve({ text: texts[0], cpu });
        });
    });
}

/** Returns the ids of the failures and findings. */
function failures(json) {
    return Object.entries(JSON.parse(json)).flatMap(([suite, { test_results, harvey }]) => [
        ...Object.entries(test_results).filter(([, test]) => test.status === "Failure").map(([name]) => `${suite} ${name}`),
        ...harvey.findings.map((finding) => finding.id),
    ]);
}

async function search(seed, count) {
    const directory = mkdtempSync(join(tmpdir(), "partitions-"));
    try {
        const found = new Set();
        let cpu = 0;
        for (let part = 1; part <= count; part++) {
            const corpus = join(directory, `part-${part}`);
            const share = count === 1 ? [] : ["--partition", `${part}/${count}`];
            const bounds = ["--budget", String(seconds / count), "--threads", "1", "--fuzz-seed", String(seed)];
            // Each part stores its failures in a directory of its own. With the failures of another part, it would not
            // have to search for them.
            const ran = await run(join(directory, `home-${part}`), "test", "--json", "--corpus", corpus, ...bounds, ...share, ...flags);
            failures(ran.text).forEach((id) => found.add(id));
            cpu += ran.cpu;
        }
        const merged = join(directory, "merged");
        const parts = Array.from({ length: count }, (_, part) => join(directory, `part-${part + 1}`));
        await run(directory, "corpus", "merge", ...parts, "--corpus", merged);
        const again = await run(directory, "test", "--json", "--corpus", merged, "--runs", "1", "--threads", "1", "--fuzz-seed", String(seed), ...flags);
        const kept = new Set(failures(again.text));
        const lost = [...found].filter((id) => !kept.has(id));
        const stats = Object.values(JSON.parse(again.text)).map((suite) => suite.harvey.stats);
        const sum = (key) => stats.reduce((total, stats) => total + stats[key], 0);
        return { found: found.size, lost, branches: sum("branches"), paths: sum("paths"), cpu };
    } finally {
        rmSync(directory, { recursive: true, force: true });
    }
}

const rows = [];
const waiting = Array.from({ length: Number(seeds) }, (_, index) => index + 1);
console.log("| seed | found by one | by four | branches of one | of four | paths of one | of four | CPU s of one | of four |");
console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
const work = async () => {
    for (let seed = waiting.shift(); seed; seed = waiting.shift()) {
        const [one, four] = [await search(seed, 1), await search(seed, PARTS)];
        rows.push([one, four]);
        const cells = ["found", "branches", "paths", "cpu"].flatMap((key) => [one[key], four[key]].map((value) => (key === "cpu" ? value.toFixed(1) : value)));
        console.log(`| ${seed} | ${cells.join(" | ")} |`);
        for (const { lost } of [one, four]) {
            if (lost.length) console.log(`not replayed from the merged corpus: ${lost.join(", ")}`);
        }
    }
};
await Promise.all([work(), work()]);
const mean = (which, key) => rows.reduce((total, row) => total + row[which][key], 0) / rows.length;
const means = ["found", "branches", "paths", "cpu"].flatMap((key) => [mean(0, key), mean(1, key)].map((value) => value.toFixed(1)));
console.log(`| mean | ${means.join(" | ")} |`);
const atLeast = rows.filter(([one, four]) => four.found >= one.found).length;
console.log(`four found at least as much in ${atLeast} of ${rows.length}`);
