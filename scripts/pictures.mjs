#!/usr/bin/env node
// Makes the pictures of the README from a real run on testdata/demo: the terminal as docs/pictures/terminal.svg, and the HTML
// report as docs/pictures/report.png. Seed and threads are fixed, and times are replaced by constants, so that two runs of one
// build make the same pictures.
//
//   node scripts/pictures.mjs [PROGRAM]      default: target/release/forge-harvey
//
// It needs `npm ci --prefix testdata` and Chromium (Debian's package, or the program that CHROMIUM names).
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { ROOT } from "./page.mjs";
import { cleanEnvironment, compilerHome, newScratch } from "./parity/tools.mjs";

const PICTURES = join(ROOT, "docs", "pictures");
/** Settings that keep the picture small: no tables of calls, and sequences as Solidity. */
const SETTINGS = { FOUNDRY_INVARIANT_SHOW_METRICS: "false", FOUNDRY_INVARIANT_SHOW_SOLIDITY: "true" };
const ARGUMENTS = ["test", "--fuzz-seed", "2", "--threads", "1"];
/** The picture ends before this line, after which come the branches that nothing passed. */
const END = "\nEncountered a total of ";

/** Runs the demo with colours. Returns the terminal output and the HTML report, without times. */
function run(program) {
  const scratch = newScratch(compilerHome(ROOT, join(ROOT, "testdata", "node_modules")));
  const project = join(scratch, "demo");
  const report = join(scratch, "report.html");
  const start = (args) => {
    const env = { ...cleanEnvironment(scratch), ...SETTINGS };
    return spawnSync(program, [...args, "--offline"], { cwd: project, encoding: "utf8", env });
  };
  try {
    cpSync(join(ROOT, "testdata", "demo"), project, { recursive: true });
    // Compiles, which takes a different time whenever it is done.
    start(["test", "--list"]);
    const { status, stdout, stderr } = start([...ARGUMENTS, "--color", "always", "--report", `html=${report}`]);
    if (status !== 1) throw new Error(`the demo has a bug, and the exit code is ${status}:\n${stdout}${stderr}`);
    const text = stdout.slice(0, stdout.indexOf(END)).trimEnd();
    return {
      terminal: text.replace(/[\d.]+(ns|µs|ms|s) CPU/g, "40.00ms CPU").replace(/ in [\d.]+(ns|µs|ms|s) /g, " in 50.00ms "),
      report: steady(readFileSync(report, "utf8")),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns a report with constants for times, and the command line as a user types it. */
function steady(page) {
  const typed = `forge-harvey ${ARGUMENTS.join(" ")} --report html=report.html`;
  return page
    .replace(/\b\d+\.\d s\b/g, "0.1 s")
    .replace(/(<time[^>]*>)[^<]*/, (_, tag) => `${tag}2026-01-01 12:00 UTC`)
    .replace(/(<dt>command<\/dt><dd><code>)[^<]*/, (_, tags) => `${tags}${typed}`);
}

const COLUMNS = 104;
/** Width of a tab, as in terminals. */
const TAB = 8;
/** Size of a cell and of the margin around all cells, in pixels. */
const [WIDTH, HEIGHT, MARGIN] = [8, 18, 16];
const COLORS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea", 37: "#e6edf3" };
const [FOREGROUND, BACKGROUND, BOLD] = ["#e6edf3", "#0d1117", "#ffffff"];

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the colour after a select-graphic-rendition sequence with this parameter. */
function colorAfter(parameter) {
  if (["", "0", "39"].includes(parameter)) return FOREGROUND;
  if (parameter === "1") return BOLD;
  const color = COLORS[parameter];
  if (!color) throw new Error(`the converter does not know the colour ${JSON.stringify(parameter)}`);
  return color;
}

/**
 * Divides terminal output into lines. Each line is a list of pieces with a column, a text without blanks at its ends, and a
 * colour. Long lines are wrapped.
 */
function linesOf(output) {
  const lines = [[]];
  let [color, column] = [FOREGROUND, 0];
  const nextLine = () => {
    lines.push([]);
    column = 0;
  };
  for (const [part, parameter, blanks] of output.matchAll(/\x1b\[(\d*)m|([ \t\n])|[^\x1b \t\n]+/g)) {
    if (parameter !== undefined) color = colorAfter(parameter);
    else if (blanks === "\n") nextLine();
    else if (blanks) column += blanks === "\t" ? TAB - (column % TAB) : 1;
    else {
      if (column + part.length > COLUMNS) nextLine();
      const last = lines.at(-1).at(-1);
      if (last?.color === color && last.column + last.text.length + 1 === column) last.text += ` ${part}`;
      else if (last?.color === color && last.column + last.text.length === column) last.text += part;
      else lines.at(-1).push({ column, text: part, color });
      column += part.length;
    }
  }
  return lines;
}

/** Draws terminal output. The length of each piece is fixed, so that the columns fit in any font. */
function svg(output) {
  const lines = linesOf(output);
  const [width, height] = [2 * MARGIN + COLUMNS * WIDTH, 2 * MARGIN + lines.length * HEIGHT];
  const piece = ({ column, text, color }, line) => {
    const [x, y] = [MARGIN + column * WIDTH, MARGIN + line * HEIGHT + 13];
    return `<text x="${x}" y="${y}" fill="${color}" textLength="${text.length * WIDTH}">${escape(text)}</text>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
  role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<title>Terminal output of forge-harvey test</title>
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
${lines.flatMap((pieces, line) => pieces.map((one) => piece(one, line))).join("\n")}
</svg>
`;
}

/** Commands that print this output, as a user types them. */
function prompt() {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  const typed = [`export ${settings.join(" ")}`, `forge-harvey ${ARGUMENTS.join(" ")}`];
  return typed.map((line) => `\x1b[32m$\x1b[0m \x1b[1m${line}\x1b[0m\n`).join("");
}

/** Sections of the report that the picture leaves out, to fit on a screen. */
const LEFT_OUT = ["stuck", "functions"];

/** Takes the picture of a report. */
async function screenshot(html, path) {
  const directory = mkdtempSync(join(tmpdir(), "pictures-"));
  const browser = await launch();
  try {
    const file = join(directory, "report.html");
    writeFileSync(file, html);
    const page = await browser.newPage();
    await page.setViewport({ width: 1120, height: 1400 });
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: "light" },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    await page.goto(pathToFileURL(file).href);
    const height = await page.evaluate(async (sections) => {
      sections.forEach((id) => document.getElementById(id).remove());
      await document.fonts.ready;
      return document.querySelector("main").getBoundingClientRect().bottom;
    }, LEFT_OUT);
    await page.screenshot({ path, clip: { x: 0, y: 0, width: 1120, height: Math.ceil(height) } });
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const program = resolve(process.argv[2] ?? join(ROOT, "target", "release", "forge-harvey"));
const { terminal, report } = run(program);
mkdirSync(PICTURES, { recursive: true });
writeFileSync(join(PICTURES, "terminal.svg"), svg(prompt() + terminal));
await screenshot(report, join(PICTURES, "report.png"));
