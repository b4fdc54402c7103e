// Makes projects of npm packages, in a work directory that is reused.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../page.mjs";
import { addCompiler } from "../parity/tools.mjs";

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error || status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** Returns the directory of an unpacked npm package. Downloads the package if it is missing. */
function unpacked(work, spec) {
  const place = join(work, "packages", spec.replaceAll("/", "+"));
  if (existsSync(place)) return place;
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const archive = run("npm", ["pack", "--silent", spec], fresh).split("\n").at(-1);
  run("tar", ["xzf", archive, "--strip-components=1"], fresh);
  rmSync(join(fresh, archive));
  renameSync(fresh, place);
  return place;
}

/** Installs packages of PyPI. Returns the directory of their programs. */
export function installed(work, packages) {
  const place = join(work, "python", packages.join("+"));
  if (existsSync(place)) return join(place, "bin");
  try {
    run("python3", ["-m", "venv", place], work);
    run(join(place, "bin", "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages], work);
  } catch (error) {
    // A virtual environment has its path in it. It cannot be made elsewhere and moved, so an incomplete one is removed.
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  return join(place, "bin");
}

/** Returns the home directory with the compilers of all projects. */
export const homeOf = (work) => join(work, "home");

/** Returns the directory of a project. Creates it if missing. */
export function prepared(work, project) {
  for (const version of project.solc) addCompiler(ROOT, homeOf(work), unpacked(work, `solc@${version}`));
  const place = join(work, project.name);
  if (existsSync(place)) return place;
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (project.local) cpSync(join(ROOT, project.local), fresh, { recursive: true });
  for (const [to, from] of Object.entries(project.parts ?? {})) {
    const [, spec, part = ""] = /^(@?[^@]+@[^:]+)(?::(.*))?$/.exec(from);
    cpSync(join(unpacked(work, spec), part), join(fresh, to), { recursive: true });
  }
  // Builds in the package are removed, because they are not the ones to compare.
  for (const path of ["out", "cache", "foundry-out", ...(project.remove ?? [])]) {
    rmSync(join(fresh, path), { recursive: true, force: true });
  }
  if (project.config) writeFileSync(join(fresh, "foundry.toml"), `${project.config.join("\n")}\n`);
  for (const [path, edits] of Object.entries(project.edits ?? {})) {
    const edited = (text, [from, to]) => text.replaceAll(new RegExp(from, "g"), to);
    writeFileSync(join(fresh, path), edits.reduce(edited, readFileSync(join(fresh, path), "utf8")));
  }
  renameSync(fresh, place);
  return place;
}
