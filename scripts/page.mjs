// Updates the generated parts of the pages in docs/. A part is between `<!-- begin NAME -->` and `<!-- end NAME -->`.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root directory of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns the text of a file of the repository. */
export function read(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Formats rows of cells as a Markdown table. The first row is the header. */
export function table([header, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Formats a share, with `-` for a share of nothing. */
export const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);

function replacePart(path, page, [name, text]) {
  const [begin, end] = [`<!-- begin ${name} -->\n`, `<!-- end ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no part between ${begin.trim()} and ${end}`);
  return page.slice(0, from + begin.length) + `\n${text.trim()}\n\n` + page.slice(to);
}

/**
 * Writes the parts (text by name) into a page. With `--check` it only compares them, and if the page is stale, it sets
 * the exit code to 1 and prints the command that writes the page.
 */
export function update(path, parts, by = "scripts/docs") {
  const check = process.argv.includes("--check");
  const old = read(path);
  const fresh = Object.entries(parts).reduce((page, part) => replacePart(path, page, part), old);
  if (fresh === old) return;
  if (check) {
    console.error(`error: ${path} is stale; run ${by}`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, path), fresh);
    console.log(`wrote ${path}`);
  }
}
