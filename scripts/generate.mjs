#!/usr/bin/env node
// Generates stateful systems with known bugs, as a Foundry project.
//
//   node scripts/generate.mjs --seed N --count K --out DIR
//
// --no-check      do not run the witnesses with the real forge
//
// The systems are state machines, grids, tokens and vaults, in turn. Each has properties that hold, and broken
// properties with the calls that break them. These calls are run as unit tests (witnesses), which shows that each bug
// can be reached. The same seed and count give the same project.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runWitnesses } from "./evaluate/witnesses.mjs";
import { grid } from "./generate/grid.mjs";
import { machine } from "./generate/machine.mjs";
import { sources, writeProject } from "./generate/project.mjs";
import { Random } from "./generate/random.mjs";
import { token } from "./generate/token.mjs";
import { vault } from "./generate/vault.mjs";

const FAMILIES = { Machine: machine, Grid: grid, Token: token, Vault: vault };

const { values: options } = parseArgs({
  options: {
    seed: { type: "string" },
    count: { type: "string" },
    out: { type: "string" },
    "no-check": { type: "boolean", default: false },
  },
});

/** Returns the numbers in a source. */
function literals(source) {
  const found = source.replace(/\/\/.*$/gm, "").matchAll(/\b(0x[0-9a-f]+|\d[\d_]*)\b/gi);
  return new Set([...found].map(([text]) => BigInt(text.replaceAll("_", ""))));
}

/**
 * Generates a suite of a family. It is drawn again while its source has an answer that a fuzzer should have to
 * compute.
 */
function generate(seed, index) {
  const [family, make] = Object.entries(FAMILIES)[index % Object.keys(FAMILIES).length];
  const name = `${family}${index}`;
  for (let attempt = 0; ; attempt += 1) {
    const generated = make(new Random(`${seed}/${index}/${attempt}`), name);
    const written = literals(sources(generated));
    if (!generated.derived.some((value) => written.has(value < 0n ? -value : value))) return [name, generated];
  }
}

/** Runs all witnesses. Returns their number. */
function check(out, suites) {
  const shown = runWitnesses(out);
  const written = suites.flatMap(([, { properties }]) => properties.filter(({ calls }) => calls)).length;
  if (shown !== written) throw new Error(`${shown} witnesses ran, ${written} were written`);
  return shown;
}

function main() {
  const count = Number(options.count);
  if (!options.seed || !options.out || !Number.isInteger(count) || count < 1) {
    throw new Error("usage: node scripts/generate.mjs --seed N --count K --out DIR [--no-check]");
  }
  const out = resolve(options.out);
  const suites = Array.from({ length: count }, (_, index) => generate(options.seed, index));
  writeProject(out, new Map(suites), { seed: options.seed, count });
  const shown = options["no-check"] ? "not checked" : `${check(out, suites)} witnesses show their bugs`;
  console.log(`${count} suites in ${options.out}; ${shown}`);
}

try {
  main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
