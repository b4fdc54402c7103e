// How the text of two runs is compared.

/** Durations as the terminal and the report print them, and what is counted by the clock. */
const TIMES = [
  [/\b\d+(\.\d+)?(ns|µs|ms|s)\b/g, "TIME"],
  [/("timestamp":)\d+/g, "$1TIME"],
  [/("\w*(seconds?|duration(_[a-z]+)?)": ).*?(,?)$/gm, "$1TIME$4"],
  // Coverage over time: the only fractions that stand in a list.
  [/^( *)\d+\.\d+(e-\d+)?(,?)$/gm, "$1TIME$3"],
];

/** A text without times; lines of events, which threads print when they come to it, stand sorted at its end. */
export function withoutTimes(text) {
  const lines = TIMES.reduce((result, [pattern, word]) => result.replace(pattern, word), text).split("\n");
  const isEvent = (line) => line.startsWith(`{"timestamp":`);
  return [...lines.filter((line) => !isEvent(line)), ...lines.filter(isEvent).sort()].join("\n");
}

/** A function that replaces words of before by those of after: whole words, the longest first. */
export function renamedBy(table) {
  const words = Object.keys(table).sort((a, b) => b.length - a.length);
  if (!words.length) return (text) => text;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w])(${escaped.join("|")})(?![\\w])`, "g");
  return (text) => text.replace(pattern, (word) => table[word]);
}

/** Where two texts first differ, or undefined. */
export function firstDifference(before, after) {
  if (before === after) return undefined;
  const [old, now] = [before.split("\n"), after.split("\n")];
  const line = old.findIndex((text, index) => text !== now[index]);
  const at = line < 0 ? old.length : line;
  return `differs at line ${at + 1}\n  before: ${old[at] ?? "nothing"}\n  after:  ${now[at] ?? "nothing"}`;
}
