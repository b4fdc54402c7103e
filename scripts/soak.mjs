#!/usr/bin/env node
// Searches one suite for a long time, and prints the memory and the calls per second of CPU time every few minutes:
//
//   scripts/soak.mjs PROGRAM PROJECT CONTRACT [MINUTES] [FLAGS...]
//
// The last lines compare the end with the start.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const [program, project, contract, minutes = "60", ...flags] = process.argv.slice(2);
if (!contract) {
    console.error("usage: scripts/soak.mjs PROGRAM PROJECT CONTRACT [MINUTES] [FLAGS...]");
    process.exit(2);
}
const line = ["test", "--match-contract", `^${contract}$`, "--timeout", String(60 * minutes), "--show-progress", ...flags];
const env = { ...process.env, FOUNDRY_HARVEY_FORGE: "1.7" };
const child = spawn(program, line, { cwd: project, env, stdio: ["ignore", "ignore", "pipe"] });
const TICKS = 100;
const samples = [];
let calls = 0, paths = 0;
let rest = "";

child.stderr.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const text of lines.filter((text) => text.startsWith("{"))) {
        const event = JSON.parse(text);
        if (event.event !== "pulse") continue;
        ({ calls, paths } = event.metrics);
        sample();
    }
});

/** Records the memory in MiB, the CPU time in seconds, and the calls so far. */
function sample() {
    try {
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
        const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
        const cpu = (Number(stat[11]) + Number(stat[12])) / TICKS;
        samples.push({ cpu, calls, paths, rss: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024 });
    } catch {
        // The process has ended.
    }
}

/** Returns the calls per second of CPU time between two samples. */
const rate = (from, to) => (to.calls - from.calls) / (to.cpu - from.cpu);

const every = Math.max(1, Math.round(minutes / 12));
console.log("minute | calls | paths | MiB | calls per CPU second");
let shown = null;
const timer = setInterval(() => {
    const last = samples.at(-1);
    if (!last) return;
    const since = shown ?? samples[0];
    const minute = Math.round((Date.now() - start) / 60000);
    console.log(`${minute} | ${last.calls} | ${last.paths} | ${last.rss.toFixed(0)} | ${rate(since, last).toFixed(0)}`);
    shown = last;
}, every * 60000);
const start = Date.now();

child.on("exit", (code) => {
    clearInterval(timer);
    if (samples.length < 12) throw new Error(`it ended with ${code} after ${samples.length} samples`);
    // The first and the last twelfth of the time are compared. The first memory is that after the first twelfth,
    // because memory is filled before.
    const part = Math.floor(samples.length / 12);
    const first = rate(samples[0], samples[part]);
    const last = rate(samples.at(-1 - part), samples.at(-1));
    const half = samples[Math.floor(samples.length / 2)].rss;
    console.log(`exit code ${code}; calls per CPU second: ${first.toFixed(0)} first, ${last.toFixed(0)} last, ${(100 * last / first).toFixed(1)} %`);
    console.log(`MiB: ${samples[part].rss.toFixed(0)} first, ${half.toFixed(0)} half-way, ${samples.at(-1).rss.toFixed(0)} last, ${Math.max(...samples.map((at) => at.rss)).toFixed(0)} at most`);
});
