// Gives a clone without git's submodules the same files from npm.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Directory in a package from npm with the files of the commit that the submodule forge-std is at. */
const FORGE_STD = "@uniswap/v4-core/lib/forge-std";

const isFilled = (directory) => existsSync(directory) && readdirSync(directory).length > 0;

/**
 * Copies forge-std from npm to testdata/lib/forge-std, unless something is there. It is a copy, as a link in the place
 * of the submodule would be a change for git, and the compiler would follow it to the files of the package.
 */
export function layOutLibraries(root, modules) {
  const target = join(root, "testdata", "lib", "forge-std");
  if (isFilled(target)) return;
  const source = join(modules, FORGE_STD);
  if (!existsSync(source)) throw new Error(`no ${source}: run \`npm ci\` in testdata`);
  const cache = join(root, "testdata", "cache");
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, "libraries-"));
  try {
    cpSync(source, join(scratch, "forge-std"), { recursive: true });
    mkdirSync(target, { recursive: true });
    // Takes the place of the empty directory at once, so that nobody finds half a library.
    renameSync(join(scratch, "forge-std"), target);
  } catch (error) {
    // Another process was faster.
    if (!isFilled(target)) throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
