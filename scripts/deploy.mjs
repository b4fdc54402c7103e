#!/usr/bin/env node
// Deploys contracts on a development node (anvil), and prints an address for each.
//
//   node scripts/deploy.mjs URL ARTIFACT[,ARGUMENTS[,WEI]]...
//
// ARTIFACT    JSON of Forge with the creation code
// ARGUMENTS   encoded arguments of the constructor, in hex; `@N` stands for the address of the Nth of these contracts, as
//             a word
// WEI         balance that the contract has afterwards
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Returns a function that makes JSON-RPC requests. */
export function client(url) {
  let id = 0;
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { error, result } = await answer.json();
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
}

const hex = (number) => `0x${BigInt(number).toString(16)}`;

/** Sends a transaction from the first account of the node, mines it, and returns the receipt. */
async function send(rpc, transaction) {
  const [from] = await rpc("eth_accounts");
  const hash = await rpc("eth_sendTransaction", { from, gas: hex(15_000_000), ...transaction });
  if ((await rpc("eth_getTransactionReceipt", hash)) === null) await rpc("evm_mine");
  return rpc("eth_getTransactionReceipt", hash);
}

/** Creates a contract and returns its address; undefined if its constructor reverts. */
export async function deploy(rpc, { code, args = "", wei = 0 }) {
  const { status, contractAddress } = await send(rpc, { data: code + args, value: hex(wei) });
  return status === "0x1" ? contractAddress : undefined;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [url, ...contracts] = process.argv.slice(2);
  const rpc = client(url);
  const made = [];
  for (const contract of contracts) {
    const [file, args = "", wei = "0"] = contract.split(",");
    const { bytecode } = JSON.parse(readFileSync(file, "utf8"));
    const filled = args.replace(/@(\d)/g, (_, index) => made[index].slice(2).padStart(64, "0"));
    const address = await deploy(rpc, { code: bytecode.object, args: filled });
    if (!address) throw new Error(`${contract}: its constructor reverts`);
    if (wei !== "0") await rpc("anvil_setBalance", address, hex(wei));
    made.push(address);
    console.log(address);
  }
}
