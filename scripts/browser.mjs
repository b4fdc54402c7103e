// Checks an HTML report in a headless Chromium:
//
//   node scripts/browser.mjs REPORT [plots] [failures] [quick] [shots=DIR]
//
// plots       at least two plots must be visible
// failures    at least one failure must be shown, each with its source and with a reproducer that can be copied
// quick       no task of the main thread may take too long
// shots=DIR   writes screenshots into DIR
//
// It needs `npm ci --prefix testdata` and Chromium (Debian's package, or the program that CHROMIUM names).
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, require } from "./chromium.mjs";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [report, ...wanted] = process.argv.slice(2);
const URL_OF_REPORT = pathToFileURL(resolve(report)).href;
const shots = wanted.find((word) => word.startsWith("shots="))?.slice("shots=".length);

/** Maximum CPU time of a task, in milliseconds. */
const LONGEST_TASK = 200;

const VIEWS = [
  { name: "light", width: 1200, scheme: "light" },
  { name: "dark", width: 1200, scheme: "dark" },
  { name: "phone", width: 390, scheme: "light" },
  { name: "phone-dark", width: 390, scheme: "dark" },
];

const problems = [];
const wrong = (view, what) => problems.push(`${view}: ${what}`);

/** Opens the report in a page. Console messages, errors, dialogs and requests count as problems. */
async function open(browser, { name, width, scheme }) {
  const page = await browser.newPage();
  page.on("console", (message) => wrong(name, `console: ${message.text()}`));
  page.on("pageerror", (error) => wrong(name, `error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong(name, `a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== URL_OF_REPORT && !url.startsWith("data:")) wrong(name, `asks for ${url}`);
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: scheme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await page.goto(URL_OF_REPORT);
  return page;
}

/** Opens a source with the keyboard only. Returns how many lines are shown and how many it has. */
async function openSource(page) {
  const source = await page.$("main > section > details.source");
  if (!source) return undefined;
  await (await source.$("summary")).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((details) => details.querySelector(".line"), {}, source);
  await new Promise((done) => setTimeout(done, 300));
  return source.evaluate((details) => {
    const { text } = JSON.parse(details.querySelector("script").textContent);
    const line = details.querySelector(".line").getBoundingClientRect();
    return {
      shown: details.querySelectorAll(".line").length,
      all: text.split("\n").length,
      visible: line.height > 5 && line.width > 100,
      marked: details.querySelectorAll(".line.ran, .line.missed, .line.partly").length,
    };
  });
}

async function judgeLook(page, view) {
  await page.evaluate(() => document.querySelectorAll("details:not(.source)").forEach((details) => (details.open = true)));
  const source = await openSource(page);
  if (!source) wrong(view, "no source is listed");
  else if (source.shown !== source.all) wrong(view, `${source.shown} of ${source.all} lines of a source are shown`);
  else if (!source.visible || source.marked === 0) wrong(view, "the lines of a source are not to be seen");
  const seen = await page.evaluate(() => {
    const size = (element) => element.getBoundingClientRect();
    const background = getComputedStyle(document.body).backgroundColor;
    return {
      empty: [...document.querySelectorAll("h1, h2, article, table, figure svg")].filter((e) => size(e).height < 5).length,
      sections: document.querySelectorAll("main > section > h2").length,
      failures: document.querySelectorAll("article.failure").length,
      curves: [...document.querySelectorAll("svg .curve")].filter((curve) => {
        const box = curve.getBBox();
        return box.width > 100 && box.height > 20 && getComputedStyle(curve).stroke !== background;
      }).length,
      overflow: document.documentElement.scrollWidth - innerWidth,
      unmarked: [...document.querySelectorAll("pre, .wide")].filter((box) => {
        const style = getComputedStyle(box);
        return style.overflowX !== "auto" || !style.backgroundImage.includes("gradient");
      }).length,
    };
  });
  if (seen.unmarked > 0) wrong(view, `${seen.unmarked} wide boxes do not scroll, or do not show that they do`);
  if (seen.empty > 0) wrong(view, `${seen.empty} elements have no height`);
  if (seen.sections !== 5) wrong(view, `${seen.sections} sections instead of 5`);
  if (wanted.includes("failures") && seen.failures === 0) wrong(view, "no failure is shown");
  if (wanted.includes("plots") && seen.curves < 2) wrong(view, `${seen.curves} curves are to be seen`);
  if (seen.overflow > 0) wrong(view, `it is ${seen.overflow} pixels wider than the window`);
}

/** Checks what each failure has, and copies each reproducer. */
async function judgeFailures(page, view) {
  const failures = await page.$$("article.failure");
  for (const failure of failures) {
    const marked = await failure.$$eval(".excerpt .failing", (lines) => lines.filter((line) => line.getBoundingClientRect().height > 5).length);
    if (marked !== 1) wrong(view, `${marked} lines of an excerpt are marked`);
    const button = await failure.$("button[data-copies]");
    if (!button) {
      wrong(view, "a failure has no reproducer");
      continue;
    }
    await button.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((button) => button.parentElement.querySelector("[role=status]").textContent, {}, button);
    const copied = await button.evaluate((button) => {
      const source = document.getElementById(button.dataset.copies).textContent;
      return source.includes("contract ") && getSelection().toString().trim() === source.trim();
    });
    if (!copied) wrong(view, "a reproducer is not selected when it is copied");
  }
}

/** Checks the page without scripts. */
async function judgePlain(browser) {
  const view = "without scripts";
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(URL_OF_REPORT);
  const seen = await page.evaluate(() => ({
    failures: document.querySelectorAll("article.failure h3").length,
    excerpts: document.querySelectorAll("article.failure .excerpt .failing").length,
    buttons: [...document.querySelectorAll("button")].filter((button) => button.getBoundingClientRect().height > 0).length,
  }));
  if (wanted.includes("failures") && (seen.failures === 0 || seen.excerpts !== seen.failures)) {
    wrong(view, `${seen.failures} failures and ${seen.excerpts} excerpts are shown`);
  }
  if (seen.buttons > 0) wrong(view, "there is a button that does nothing");
  await page.close();
}

async function judgeAccess(page, view) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, help, nodes } of violations) wrong(view, `${id}: ${help}: ${nodes[0].html.slice(0, 200)}`);
  await page.evaluate(() => {
    scrollTo(0, 0);
    document.activeElement.blur();
  });
  await page.reload();
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => document.activeElement.className);
  if (first !== "skip") wrong(view, "the first thing that the keyboard reaches is not the way to the results");
}

async function judgePrint(page) {
  await page.emulateMediaType("print");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const shown = await page.evaluate(() => ({
    nav: getComputedStyle(document.querySelector("nav")).display,
    closed: document.querySelectorAll(".failure details:not([open]), .suite:not([open])").length,
    overflow: document.documentElement.scrollWidth - innerWidth,
  }));
  if (shown.nav !== "none" || shown.closed > 0) wrong("print", "links are printed, or what failed is closed");
  if (shown.overflow > 0) wrong("print", `it is ${shown.overflow} pixels wider than the paper`);
  const pdf = await page.pdf({ format: "A4" });
  if (pdf.length < 10_000) wrong("print", `${pdf.length} bytes`);
}

/** CPU time in milliseconds of the longest task of the main thread, while the page and a source are opened. */
async function longestTask(browser) {
  const page = await browser.newPage();
  const trace = join(tmpdir(), `page-${process.pid}.json`);
  await page.tracing.start({ path: trace, categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  await page.goto(URL_OF_REPORT);
  await openSource(page);
  await page.tracing.stop();
  const { traceEvents } = JSON.parse(readFileSync(trace, "utf8"));
  rmSync(trace);
  const thread = traceEvents.find(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isMain = (event) => threads.some(({ pid, tid }) => pid === event.pid && tid === event.tid);
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && isMain(event) && event.tdur !== undefined);
  if (!thread || tasks.length === 0) throw new Error("the trace has no tasks");
  return Math.max(...tasks.map((task) => task.tdur)) / 1000;
}

const browser = await launch();
try {
  for (const view of VIEWS) {
    const page = await open(browser, view);
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${view.name}.png`), fullPage: true });
    }
    await judgeLook(page, view.name);
    if (wanted.includes("failures")) await judgeFailures(page, view.name);
    if (shots) await page.screenshot({ path: join(shots, `${view.name}-source.png`) });
    await judgeAccess(page, view.name);
    if (view.name === "light") await judgePrint(page);
    await page.close();
  }
  await judgePlain(browser);
  if (wanted.includes("quick")) {
    const longest = await longestTask(browser);
    console.log(`the longest task takes ${longest.toFixed(0)} ms of CPU`);
    if (longest > LONGEST_TASK) wrong("quick", `a task takes ${longest.toFixed(0)} ms of CPU, and ${LONGEST_TASK} may be`);
  }
} finally {
  await browser.close();
}
problems.forEach((problem) => console.log(problem));
if (problems.length === 0) console.log("the page is as it should be");
