#!/usr/bin/env node
// Writes docs/cheatcodes.md: all cheatcodes of Forge 1.7.1 by group, and whether we have them.
//
// Forge's come from forge-1.7.1.txt. Ours are the `sol!` interface in vm.rs, whose comments name the groups, and the
// names of the assertions in asserts.rs, where a test says that the table has all of Forge's overloads.
//
//   node scripts/cheatcodes.mjs [--check]
import { read, table, update } from "./page.mjs";

const CHEATS = "src/evm/cheats";

/** Groups of cheatcodes that we lack; those of a name that we have in part are in its group. */
const GROUPS_OF_MISSING = [
  ["Recordings", /StateDiff|RecordedLogs|DebugTrace|^(getStorageAccesses|getStorageSlots|interceptInitcode)$/],
  ["JSON", /Json|^serialize|^keyExists$/],
  ["TOML", /Toml/],
  ["Forks", /[Ff]ork|[pP]ersistent$|^rpc(Url|Urls|UrlStructs)?$|^(transact|eth_getLogs|getChain|getRawBlockHeader)$/],
  ["Scripts", /[bB]roadcast|[dD]elegation|^(attachBlob|getDeployments?)$/],
  ["Prompts", /^prompt/],
  ["Files", /^(read|write|copy|create|remove|close|is)(File|Dir|Line|Link)|^(exists|fsMetadata|currentFilePath)$/],
  ["Gas snapshots", /^(start|stop)?[sS]napshot(Gas|Value)/],
  ["Keys", /P256|Ed25519|^signWithNonceUnsafe$/],
  ["Accounts", /^(cloneAccount|dumpState|loadAllocs|executeTransaction)$|AccessList$|^accessList$/],
  ["The block and the transaction", /^setEvmVersion$/],
  ["Expectations", /SafeMemory/],
  ["Code", /^getArtifactPath/],
  ["Hashes and encodings", /^eip712|Rlp$|^ensNamehash$/],
  ["The environment", /^(tryFfi|resolveEnv)$/],
];

/** `name(type,...)` at the head of a line of Forge's list; what follows is returned. */
function forgeSignature(line) {
  let depth = 0;
  for (const [index, character] of [...line].entries()) {
    depth += (character === "(") - (character === ")");
    if (character === ")" && depth === 0) return line.slice(0, index + 1);
  }
  throw new Error(`forge-1.7.1.txt: not understood: ${line}`);
}

/** Types of `type name, type name`, structs as tuples. */
function types(parameters, structs) {
  const expand = (name) => (structs.has(name) ? `(${types(structs.get(name), structs)})` : name);
  const list = parameters.split(/[,;]/).map((parameter) => parameter.trim().split(/\s+/)[0]);
  return list.filter(Boolean).map((type) => type.replace(/^\w+/, expand)).join(",");
}

/** The interface's signatures with the comment above their group. */
function written(source) {
  const structs = new Map([...source.matchAll(/struct (\w+) \{([^}]*)\}/g)].map(([, name, fields]) => [name, fields]));
  const found = new Map();
  let group;
  for (const [, heading, name, parameters] of source.matchAll(/\/\/ (.+)\.$|function (\w+)\(([^)]*)\)/gm)) {
    if (heading) group = heading;
    else found.set(`${name}(${types(parameters, structs)})`, group);
  }
  return found;
}

/** Names of the assertions: each operator, plain and with decimals. */
function assertions(source) {
  const operators = [...source.matchAll(/Self::\w+ => "(\w+)",/g)].map(([, name]) => name);
  return new Set(operators.flatMap((name) => [`assert${name}`, `assert${name}Decimal`]));
}

const vm = read(`${CHEATS}/vm.rs`);
const all = [...written(vm.slice(vm.indexOf("interface Vm")))];
// What Forge tests its own cheatcodes with is on no list.
const ours = new Map(all.filter(([signature]) => !signature.startsWith("_")));
const asserts = assertions(read(`${CHEATS}/asserts.rs`));
const forges = read(`${CHEATS}/forge-1.7.1.txt`).trim().split("\n").map(forgeSignature);
const strangers = [...ours.keys()].filter((signature) => !forges.includes(signature));
if (strangers.length > 0) throw new Error(`not in Forge's list: ${strangers.join(", ")}`);

const nameOf = (signature) => signature.slice(0, signature.indexOf("("));
const groupOfName = new Map([...ours].map(([signature, group]) => [nameOf(signature), group]));

function groupOf(name) {
  const group = asserts.has(name) ? "Assertions" : groupOfName.get(name);
  const [missing] = GROUPS_OF_MISSING.find(([, pattern]) => pattern.test(name)) ?? [];
  if (!group && !missing) throw new Error(`scripts/cheatcodes.mjs: no group for ${name}`);
  return group ?? missing;
}

/** Overloads by name by group: those of vm.rs in its order, then those of which we have nothing. */
const groups = new Map(["Assertions", ...ours.values()].map((group) => [group, new Map()]));
for (const signature of forges) {
  const name = nameOf(signature);
  const group = groupOf(name);
  if (!groups.has(group)) groups.set(group, new Map());
  const names = groups.get(group);
  names.set(name, [...(names.get(name) ?? []), signature]);
}

const has = (signature) => asserts.has(nameOf(signature)) || ours.has(signature);

/** `yes`, `no`, or the overloads that are there. */
function status(signatures) {
  const there = signatures.filter(has);
  if (there.length === signatures.length) return "yes";
  return there.length === 0 ? "no" : `only ${there.map((signature) => `\`${signature}\``).join(", ")}`;
}

function renderGroup([group, names]) {
  const signatures = [...names.values()].flat();
  const rows = [...names].map(([name, overloads]) => [`\`${name}\``, overloads.length, status(overloads)]);
  const title = `### ${group} (${signatures.filter(has).length} of ${signatures.length})`;
  return `${title}\n\n${table([["cheatcode", "overloads", "supported"], ...rows])}`;
}

update("docs/cheatcodes.md", {
  count: `${forges.filter(has).length} of ${forges.length} are supported.`,
  groups: [...groups].map(renderGroup).join("\n\n"),
});
