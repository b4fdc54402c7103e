// Branches of lcov files, and the alignment of those of forge with ours.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../page.mjs";

/** Branch of a source: its number, its first line, and its ways in the order of their numbers. */
class Block {
  constructor(number) {
    this.number = number;
    this.ways = [];
  }

  get line() {
    return Math.min(...this.ways.map(({ line }) => line));
  }

  /** Pairs forge's ways with our outcomes (first true, then false). `text` is the line of the source. */
  outcomes({ ways: [{ ran: yes }, { ran: no }] }, text) {
    const ran = this.ways.map((way) => way.ran);
    if (ran.length === 1) return [[ran[0], yes]];
    // Those of a `require` begin with the one that fails, those of an `if` with the true one.
    const isRequire = /\brequire\b/.test(text) && !/\bif\s*\(/.test(text);
    return isRequire ? [[ran[0], no], [ran[1], yes]] : [[ran[0], yes], [ran[1], no]];
  }
}

/** Returns the branches by source. */
export function branchesOf(lcov, root) {
  const files = new Map();
  let blocks;
  for (const line of lcov.split("\n")) {
    const source = /^SF:(.*)$/.exec(line);
    if (source) {
      blocks = new Map();
      // Ours are relative to the repository, which is this one if the project is below it.
      const known = [root, ROOT].map((base) => join(base, source[1])).find(existsSync);
      files.set(known ? relative(root, known) : source[1], blocks);
    }
    const way = /^BRDA:(\d+),(\d+),(\d+),(\d+|-)$/.exec(line);
    if (!way) continue;
    const [at, number, index] = way.slice(1, 4).map(Number);
    if (!blocks.has(number)) blocks.set(number, new Block(number));
    blocks.get(number).ways[index] = { line: at, ran: way[4] !== "-" && way[4] !== "0" };
  }
  return new Map([...files].map(([path, blocks]) => [path, [...blocks.values()].sort((a, b) => a.number - b.number)]));
}

/** Number from which our branches are counted that forge does not count. */
const OTHERS = 10_000;

/** Returns those of our branches that forge counts, too. */
export const countedByForge = (ours) => ours.filter(({ number }) => number < OTHERS);

/**
 * Returns forge's branches, each with ours: the nearest one that begins on the same line or before, and that no other
 * of forge's has. Forge's line of an `if` is that of its body.
 */
export function aligned(forges, ours) {
  const free = new Set(countedByForge(ours));
  return [...forges]
    .sort((a, b) => a.line - b.line || b.number - a.number)
    .map((block) => {
      const before = [...free].filter(({ line }) => line <= block.line);
      const mine = before.sort((a, b) => b.line - a.line || b.number - a.number)[0];
      free.delete(mine);
      return { block, mine };
    });
}
