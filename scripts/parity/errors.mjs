// Runs copies of the small projects of testdata/errors, and compares exit code and output with the expect.json of each.
// Each project is broken or odd in one way.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "./tools.mjs";

function run(binary, home, project, env) {
  const copy = mkdtempSync(join(tmpdir(), "parity-project-"));
  try {
    cpSync(project, copy, { recursive: true });
    return runTests(binary, copy, home, [], env);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns a line for each disagreement. */
function disagreements(wanted, { code, stdout, stderr }) {
  const missing = wanted.output.filter((text) => !stdout.includes(text) && !stderr.includes(text));
  const lines = missing.map((text) => `not printed: ${text}`);
  if (code !== wanted.exit) lines.unshift(`wanted exit code ${wanted.exit}, got ${code}`);
  return lines;
}

/** Checks one tester on all projects. Prints the disagreements and returns the number of projects that have one. */
export function checkErrors(title, binary, root, home, ours, { match, verbose }) {
  console.log(`\n== ${title} against testdata/errors`);
  const directory = join(root, "testdata", "errors");
  let [projects, bad] = [0, 0];
  for (const name of readdirSync(directory).sort()) {
    if (!new RegExp(match).test(join("testdata", "errors", name))) continue;
    const expected = JSON.parse(readFileSync(join(directory, name, "expect.json"), "utf8"));
    const result = run(binary, home, join(directory, name), expected.env);
    const lines = disagreements((ours && expected.ours) || expected, result);
    projects += 1;
    if (lines.length > 0) bad += 1;
    if (lines.length > 0 || verbose) console.log(`${lines.length > 0 ? "DIFF" : "ok  "} ${name}: ${expected.why}`);
    for (const line of lines) console.log(`       ${line}`);
    if (lines.length > 0) console.log(`${result.stdout}${result.stderr}`.slice(0, 2000).replace(/^/gm, "       | "));
  }
  console.log(`${projects} projects, ${bad} disagreements`);
  return bad;
}
