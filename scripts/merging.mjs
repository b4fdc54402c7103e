#!/usr/bin/env node
// Runs the suites of a project in parts, two at a time, and measures the time in which their corpora are merged:
//
//   scripts/merging.mjs PROGRAM PROJECT PARTS SECONDS [FLAGS...]
//
// Each part has one thread and SECONDS. The project must have been compiled before.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [program, project, parts, seconds, ...flags] = process.argv.slice(2);
if (!seconds) {
    console.error("usage: scripts/merging.mjs PROGRAM PROJECT PARTS SECONDS [FLAGS...]");
    process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), "merging-"));
const corpus = (part) => join(directory, `part-${part}`);

/** Runs the program. Returns its standard error. */
function run(...args) {
    const stored = join(directory, "forge");
    const env = { ...process.env, FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: stored, FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: stored };
    const child = spawn(program, [...args, "--offline"], { cwd: project, env, stdio: ["ignore", "ignore", "pipe"] });
    let text = "";
    child.stderr.on("data", (data) => (text += data));
    return new Promise((resolve, reject) => {
        child.on("close", (code) => (code > 1 ? reject(new Error(`${args.join(" ")}: exit code ${code}\n${text}`)) : resolve(text)));
    });
}

/** Returns the size of all files below a directory in MiB. */
function size(path) {
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0) / 2 ** 20;
}

const numbers = Array.from({ length: Number(parts) }, (_, index) => index + 1);
const waiting = [...numbers];
const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
        const own = ["--corpus", corpus(part), "--partition", `${part}/${parts}`, "--fuzz-seed", String(part)];
        await run("test", "--json", ...own, "--budget", seconds, "--threads", "1", ...flags);
    }
};
try {
    await Promise.all([work(), work()]);
    const merged = join(directory, "merged");
    const start = performance.now();
    const said = await run("corpus", "merge", ...numbers.map(corpus), "--corpus", merged);
    const took = (performance.now() - start) / 1000;
    const before = numbers.reduce((sum, part) => sum + size(corpus(part)), 0);
    console.log(said.trim());
    console.log(`${parts} corpora of ${before.toFixed(1)} MiB were merged into ${size(merged).toFixed(1)} MiB in ${took.toFixed(2)} s`);
} finally {
    rmSync(directory, { recursive: true, force: true });
}
