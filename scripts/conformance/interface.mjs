// Generates the Solidity interface of all cheatcodes from the lists in the source (forge-1.7.1.txt and those of 1.8).
// With it, a fixture can call each cheatcode by its signature.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Members of the structs. A nested struct comes before the struct that has it. */
const STRUCTS = {
  AccessListItem: "address target, bytes32[] storageKeys",
  PotentialRevert: "address reverter, bool partialMatch, bytes revertData",
  SignedDelegation: "uint8 v, bytes32 r, bytes32 s, uint64 nonce, address implementation",
  Wallet: "address addr, uint256 publicKeyX, uint256 publicKeyY, uint256 privateKey",
  EthGetLogs:
    "address emitter, bytes32[] topics, bytes data, bytes32 blockHash, uint64 blockNumber, bytes32 transactionHash, uint64 transactionIndex, uint256 logIndex, bool removed",
  FsMetadata:
    "bool isDir, bool isSymlink, uint256 length, bool readOnly, uint256 modified, uint256 accessed, uint256 created",
  BroadcastTxSummary: "bytes32 txHash, uint8 txType, address contractAddress, uint64 blockNumber, bool success",
  Chain: "string name, uint256 chainId, string chainAlias, string rpcUrl",
  Log: "bytes32[] topics, bytes data, address emitter",
  StorageAccess:
    "address account, bytes32 slot, bool isWrite, bytes32 previousValue, bytes32 newValue, bool reverted",
  Gas: "uint64 gasLimit, uint64 gasTotalUsed, uint64 gasMemoryUsed, int64 gasRefunded, uint64 gasRemaining",
  DirEntry: "string errorMessage, string path, uint64 depth, bool isDir, bool isSymlink",
  Rpc: "string key, string url",
  DebugStep: "uint256[] stack, bytes memoryInput, uint8 opcode, uint64 depth, bool isOutOfGas, address contractAddr",
  FfiResult: "int32 exitCode, bytes stdout, bytes stderr",
  ChainInfo: "uint256 forkId, uint256 chainId",
  AccountAccess:
    "ChainInfo chainInfo, uint8 kind, address account, address accessor, bool initialized, uint256 oldBalance, uint256 newBalance, bytes deployedCode, uint256 value, bytes data, bool reverted, StorageAccess[] storageAccesses, uint64 depth, uint64 oldNonce, uint64 newNonce",
};

/** Returns the members of a struct as a tuple of types, such as `(address,bool)`. Nested structs become tuples, too. */
function tuple(members, known) {
  const types = members.split(", ").map((member) => member.split(" ")[0]);
  const written = types.map((type) => {
    const [, name, brackets] = /^(\w+)(.*)$/.exec(type);
    return (known.get(name) ?? name) + brackets;
  });
  return `(${written.join(",")})`;
}

/** Splits a comma-separated list. Parentheses are not split. */
function split(list) {
  const parts = [];
  let depth = 0;
  for (const [place, char] of [...list].entries()) {
    depth += (char === "(") - (char === ")");
    if (place === 0 || (char === "," && depth === 0)) parts.push("");
    if (char !== "," || depth > 0) parts[parts.length - 1] += char;
  }
  return parts;
}

/** Parses a line of the list: signature, name, types of the parameters and types of the results. */
export function cheatcode(line) {
  let depth = 0;
  const end = [...line].findIndex((char) => {
    depth += (char === "(") - (char === ")");
    return char === ")" && depth === 0;
  });
  const open = line.indexOf("(");
  return {
    signature: line.slice(0, end + 1),
    name: line.slice(0, open),
    inputs: split(line.slice(open + 1, end)),
    outputs: split(line.slice(end + 2, -1)),
  };
}

/** Lists of the cheatcodes that came with a version of Forge, by the version and what is special about them. */
export const LISTS = { forge171: "forge-1.7.1.txt", forge18: "forge-1.8.txt", tempo: "forge-1.8-tempo.txt" };

/** Returns the cheatcodes of a list, in its order. */
export function cheatcodes(root, list = LISTS.forge171) {
  const text = readFileSync(join(root, "src", "evm", "cheats", list), "utf8");
  return text.trim().split("\n").map(cheatcode);
}

/** Returns the text of the interface with the cheatcodes of these lists. */
export function interfaceOf(root, lists, version) {
  const known = new Map();
  const named = new Map();
  for (const [name, members] of Object.entries(STRUCTS)) {
    known.set(name, tuple(members, known));
    named.set(known.get(name), name);
  }
  const type = (text) => {
    const [, base, brackets] = /^(.*?)((?:\[\])*)$/.exec(text);
    if (base.startsWith("(") && !named.has(base)) throw new Error(`no struct has the members ${base}`);
    const name = named.get(base) ?? base;
    const isReference = brackets || base.startsWith("(") || ["string", "bytes"].includes(base);
    return [name + brackets, isReference];
  };
  const list = (types, location) => {
    const written = types.map(type).map(([name, isReference]) => (isReference ? `${name} ${location}` : name));
    return written.join(", ");
  };
  const structs = Object.entries(STRUCTS).map(
    ([name, members]) => `    struct ${name} {\n${members.split(", ").map((member) => `        ${member};\n`).join("")}    }\n`,
  );
  const all = lists.flatMap((name) => cheatcodes(root, name));
  const functions = all.map(({ name, inputs, outputs }) => {
    const returns = outputs.length > 0 ? ` returns (${list(outputs, "memory")})` : "";
    return `    function ${name}(${list(inputs, "calldata")}) external${returns};\n`;
  });
  const head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\n// Generated by scripts/conformance.mjs --interface.\n";
  return `${head}\n/// All cheatcodes of Forge ${version}.\ninterface Vm {\n${structs.join("\n")}\n${functions.join("")}}\n`;
}
