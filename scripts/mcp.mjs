// Uses the MCP server as the official client for JavaScript does:
//
//   node scripts/mcp.mjs PROGRAM ROOT [HOME]
//
// It calls each tool on a project with a failing test (a copy of testdata/demo), lets the client check the results
// against their schemas, and cancels a run. With HOME, the server gets no other variable than that and PATH. It needs
// `npm ci --prefix testdata`.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { require } from "./chromium.mjs";

const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");

// The client warns about schemas that it does not understand.
console.warn = console.error = (...words) => assert.fail(words.join(" "));

const [program, root, home] = process.argv.slice(2);
const env = home ? { HOME: home, PATH: process.env.PATH } : process.env;
const transport = new StdioClientTransport({
  command: program,
  args: ["mcp", "--root", root, "--offline"],
  env,
  stderr: "pipe",
});
let log = "";
transport.stderr.on("data", (text) => (log += text));
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
assert.equal(client.getServerVersion().name, "forge-harvey");
assert.match(client.getInstructions(), /list_tests/);

// With the list, the client checks structured results against the schemas of the tools.
const { tools } = await client.listTools();
const called = new Set();

/** Calls a tool, and returns its result. */
async function call(name, args = {}, options = {}) {
  called.add(name);
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  assert.equal(result.content[0].type, "text");
  return { text: result.content[0].text, data: result.structuredContent, failed: result.isError === true };
}

const listed = await call("list_tests");
const [{ suite }] = listed.data.suites;

const progress = [];
const run = await call("run_tests", { suite, budget_seconds: 3, seed: 1 }, { onprogress: (step) => progress.push(step) });
assert.equal(run.data.verdict, "failed", run.text);
assert.ok(progress.length >= 2 && progress.every((step, i) => i === 0 || step.progress > progress[i - 1].progress));

const [{ id, rule }] = (await call("list_failures")).data.failures;
const shown = await call("show_failure", { id, lines: 400 });
assert.equal(shown.data.still_fails, true);
assert.match(shown.text, /Traces:/);
await call("show_stuck");
assert.match((await call("explain_rule", { rule })).text, new RegExp(`^${rule}`));
assert.equal((await call("replay_failures")).data.still_failing, 1);
const { file } = (await call("write_reproducer", { id })).data;
assert.ok(existsSync(join(root, file)), file);
assert.deepEqual([...called].sort(), tools.map((tool) => tool.name).sort(), "each tool was called");

const wrong = await call("run_tests", { budget_seconds: "long" });
assert.ok(wrong.failed && wrong.text.includes("budget_seconds"), wrong.text);
await assert.rejects(call("no_such_tool"), /no_such_tool/);

// A cancelled run leaves the server usable. What the run found is the last run.
const stop = new AbortController();
const cancelled = call("run_tests", { budget_seconds: 600 }, { signal: stop.signal, onprogress: () => stop.abort() });
await assert.rejects(cancelled);
assert.equal((await call("replay_failures")).data.still_failing, 1);

await client.close();
assert.ok(!log.includes("panicked"), log);
console.log(`${tools.length} tools work`);
