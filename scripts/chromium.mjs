// Starts a headless Chromium: Debian's package, or the program that CHROMIUM names. Needs `npm ci --prefix testdata`.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./page.mjs";

/** Resolves packages that npm installed in testdata. */
export const require = createRequire(join(ROOT, "testdata", "package.json"));

function chromium() {
  const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean);
  const found = names.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (!found) throw new Error("Chromium is missing: install it (Debian: apt-get install chromium) or name one in CHROMIUM");
  const { stdout } = spawnSync("sh", ["-c", `command -v "${found}"`], { encoding: "utf8" });
  return stdout.trim();
}

/** Starts the browser. */
export async function launch() {
  const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));
  return puppeteer.launch({ executablePath: chromium(), args: ["--no-sandbox", "--disable-gpu"] });
}
