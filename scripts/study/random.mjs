// Contracts of npm packages, in place of the study's random contracts from Etherscan.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { read } from "../page.mjs";
import { plainEnvironment } from "../parity/tools.mjs";
import { homeOf, prepared } from "../projects/prepare.mjs";

/** Sources that are not meant to be deployed. */
const SCAFFOLDING = /test|mock|example|migration|interface/i;

/** Returns the contracts of a package that can be deployed, in an order that depends on their names only by a hash. */
function contractsOf(work, binary, project) {
  const root = prepared(work, project);
  const env = { ...plainEnvironment(), HOME: homeOf(work) };
  const args = ["test", "--root", root, "--scan", "--list", "--json"];
  const { stdout, stderr } = spawnSync(binary, args, { env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (!stdout.startsWith("{")) throw new Error(`${project.name}: ${stderr.slice(-1000)}`);
  const listed = Object.entries(JSON.parse(stdout)).flatMap(([path, contracts]) => Object.keys(contracts).map((contract) => ({ path, contract })));
  const hash = ({ path, contract }) => createHash("sha256").update(`${path}:${contract}`).digest("hex");
  return listed
    .filter(({ path }) => !SCAFFOLDING.test(path))
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .map((entry) => ({ name: `${project.name}/${entry.path}:${entry.contract}`, root, env: { HOME: env.HOME }, ...entry }));
}

/** Returns `count` contracts, taken from the packages in turns. */
export function randomContracts(work, binary, count) {
  const pools = JSON.parse(read("scripts/study/packages.json")).map((project) => contractsOf(work, binary, project));
  const turns = Math.max(...pools.map((pool) => pool.length));
  const all = Array.from({ length: turns }, (_, turn) => pools.map((pool) => pool[turn])).flat();
  return all.filter(Boolean).slice(0, count);
}
