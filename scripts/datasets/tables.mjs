// Tables of the runs of scripts/datasets.mjs, for the latest version that ran each set.
import { median } from "../evaluate/statistics.mjs";
import { percent, table } from "../page.mjs";
import { PAPER } from "./sets.mjs";

const unique = (values) => [...new Set(values)];

/** Returns the labels of the runs as `{ name, category, seed, verdict }`. */
function labelsOf(records) {
  return records.flatMap(({ name, seed, verdicts }) =>
    Object.entries(verdicts).map(([category, verdict]) => ({ name, category, seed, verdict })),
  );
}

/** Returns the median over the seeds of the number of labels that `counts` accepts. */
function found(labels, seeds, counts) {
  return median(seeds.map((seed) => labels.filter((label) => label.seed === seed && counts(label.verdict)).length));
}

function missesOf(labels, seeds, counts) {
  const missed = labels.filter(({ verdict }) => !counts(verdict)).map(({ name }) => name.split("/").pop());
  return unique(missed).map((name) => {
    const times = missed.filter((other) => other === name).length;
    return times === seeds.length ? `\`${name}\`` : `\`${name}\` ${times}/${seeds.length}`;
  });
}

/**
 * Returns how many labelled files of a set are found in each category. A file is found when an oracle of its category
 * reports anything in it, and found in place when a report is within two lines of a label.
 */
export function setTable(set, records) {
  const all = records.filter((record) => record.set === set);
  const runs = all.filter(({ version, seconds }) => version === all.at(-1).version && seconds === all.at(-1).seconds);
  if (runs.length === 0) return "";
  const seeds = unique(runs.map(({ seed }) => seed));
  const labels = labelsOf(runs);
  const row = (title, part) => {
    const files = part.filter(({ seed }) => seed === seeds[0]).length;
    const [anywhere, inPlace] = [found(part, seeds, (verdict) => verdict), found(part, seeds, (verdict) => verdict === "place")];
    return [title, files, anywhere, percent(anywhere, files), inPlace];
  };
  const categories = unique(labels.map(({ category }) => category)).sort();
  const of = (wanted) => labels.filter(({ category }) => wanted.includes(category));
  const rows = categories.map((category) => row(category.replaceAll("_", " "), of([category])));
  if (set === "smartbugs") rows.push(row("*the study's 90*", of(PAPER)));
  rows.push(row("**all**", labels));
  const header = ["category", "files", "found", "share", "found in place"];
  const misses = categories.map((category) => {
    const part = of([category]);
    const missed = missesOf(part, seeds, (verdict) => verdict);
    const elsewhere = missesOf(part.filter(({ verdict }) => verdict), seeds, (verdict) => verdict === "place");
    const text = [missed.length > 0 ? `missed ${missed.join(", ")}` : "", elsewhere.length > 0 ? `elsewhere ${elsewhere.join(", ")}` : ""];
    return `* ${category.replaceAll("_", " ")}: ${text.filter(Boolean).join("; ") || "none missed"}`;
  });
  const failed = runs.filter(({ error }) => error).map(({ name, error }) => `* ${name}: ${error.split("\n")[0]}`);
  const errors = failed.length > 0 ? `\n\nNot run:\n\n${unique(failed).join("\n")}` : "";
  const about = `Median of ${seeds.length} seeds, ${runs[0].seconds} s for each file, one thread.`;
  return `${about}\n\n${table([header, ...rows])}\n\n${misses.join("\n")}${errors}`;
}
