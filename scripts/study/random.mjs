// Random contracts: of npm packages, and of files from Etherscan.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectOf } from "../datasets/scan.mjs";
import { read } from "../page.mjs";
import { plainEnvironment } from "../parity/tools.mjs";
import { homeOf, prepared } from "../projects/prepare.mjs";

/** Sources that are not meant to be deployed. */
const SCAFFOLDING = /test|mock|example|migration|interface/i;

const hash = (name) => createHash("sha256").update(name).digest("hex");

/** Sorts by what depends on the names only by a hash. */
const shuffled = (entries, nameOf) => entries.sort((a, b) => (hash(nameOf(a)) < hash(nameOf(b)) ? -1 : 1));

/** Returns the contracts of a project that can be deployed. */
function listed(binary, root, env) {
  const args = ["test", "--root", root, "--scan", "--list", "--json"];
  const { stdout, stderr } = spawnSync(binary, args, { env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (!stdout.startsWith("{")) throw new Error(`${root}: ${stderr.slice(-1000)}`);
  return Object.entries(JSON.parse(stdout)).flatMap(([path, contracts]) => Object.keys(contracts).map((contract) => ({ path, contract })));
}

/** Returns the contracts of a package that can be deployed, in random order. */
function contractsOf(work, binary, project) {
  const root = prepared(work, project);
  const env = { ...plainEnvironment(), HOME: homeOf(work) };
  const deployable = listed(binary, root, env).filter(({ path }) => !SCAFFOLDING.test(path));
  return shuffled(deployable, ({ path, contract }) => `${path}:${contract}`)
    .map((entry) => ({ name: `${project.name}/${entry.path}:${entry.contract}`, root, env: { HOME: env.HOME }, ...entry }));
}

/** Returns `count` contracts, taken from the packages in turns. */
export function randomContracts(work, binary, count) {
  const pools = JSON.parse(read("scripts/study/packages.json")).map((project) => contractsOf(work, binary, project));
  const turns = Math.max(...pools.map((pool) => pool.length));
  const all = Array.from({ length: turns }, (_, turn) => pools.map((pool) => pool[turn])).flat();
  return all.filter(Boolean).slice(0, count);
}

/** Returns the first `count` files of a directory, in random order, that compile and have a contract to deploy. */
export function randomFiles(directory, binary, count) {
  const found = [];
  const files = readdirSync(directory).filter((file) => file.endsWith(".sol"));
  for (const file of shuffled(files, (name) => name)) {
    if (found.length === count) break;
    const root = projectOf("etherscan", { name: file, path: join(directory, file) });
    try {
      if (listed(binary, root, plainEnvironment()).length > 0) found.push({ name: file, root });
    } catch {
      // It does not compile: another one is taken.
    }
  }
  return found;
}
