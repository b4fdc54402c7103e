// Starts a node on loopback with the blocks that the fork fixtures expect.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PREPARE = fileURLToPath(new URL("prepare.mjs", import.meta.url));
const PATIENCE_MS = 20_000;

/** Returns the anvil binary of the package that npm installed for this platform. */
function findAnvil(modules) {
  const scope = join(modules, "@foundry-rs");
  const packages = existsSync(scope) ? readdirSync(scope) : [];
  const binary = packages.map((name) => join(scope, name, "bin", "anvil")).find(existsSync);
  if (!binary) throw new Error(`no anvil below ${scope}: run \`npm ci\` in testdata`);
  return binary;
}

/** Returns a free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(url) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body }).catch(() => undefined))?.ok;
}

/** Starts a node. Returns its address, its port, and a function that stops it. */
export async function startNode(modules, home, wanted) {
  const port = wanted ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const args = ["--port", port, "--timestamp", 1700000000, "--chain-id", 271828, "--no-mining", "--order", "fifo", "--quiet"];
  const node = spawn(findAnvil(modules), args.map(String), { stdio: "ignore", env: { ...process.env, HOME: home } });
  const until = Date.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (node.exitCode !== null || Date.now() > until) throw new Error(`anvil does not answer at ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const prepared = spawnSync(process.execPath, [PREPARE, url], { encoding: "utf8" });
  if (prepared.status !== 0) throw new Error(`the node could not be prepared: ${prepared.stderr}`);
  return { url, port, stop: () => node.kill("SIGKILL") };
}
