#!/usr/bin/env node
// Writes docs/cheatcodes.md: all cheatcodes of Forge 1.8 by group, whether forge-harvey supports them, and what they
// are compared with.
//
// Forge's cheatcodes come from forge-1.7.1.txt and from the lists of those that are new in 1.8. Those of forge-harvey
// come from the `sol!` interface in vm.rs, whose comments name the groups, and from the names of the assertions in
// asserts.rs. A test there checks that the assertions have all overloads of Forge.
//
//   node scripts/cheatcodes.mjs [--check]
import { LISTS, cheatcodes } from "./conformance/interface.mjs";
import { ROOT, read, table, update } from "./page.mjs";

const CHEATS = "src/evm/cheats";

/** Groups of missing cheatcodes. If some overloads of a name are supported, the others are in the same group. */
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
  ["Storage hooks", /^register\w+Hook$/],
  ["Tempo networks", /Keychain|LogoURI|ImplicitApproval$|^isImplicitlyApproved$/],
];

/** Returns the types of `type name, type name`, with structs as tuples. */
function types(parameters, structs) {
  const expand = (name) => (structs.has(name) ? `(${types(structs.get(name), structs)})` : name);
  const list = parameters.split(/[,;]/).map((parameter) => parameter.trim().split(/\s+/)[0]);
  return list.filter(Boolean).map((type) => type.replace(/^\w+/, expand)).join(",");
}

/** Returns the signatures of the interface, each with the comment above its group. */
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

/** Returns the names of the assertions: each operator, plain and with decimals. */
function assertions(source) {
  const operators = [...source.matchAll(/Self::\w+ => "(\w+)",/g)].map(([, name]) => name);
  return new Set(operators.flatMap((name) => [`assert${name}`, `assert${name}Decimal`]));
}

const nameOf = (signature) => signature.slice(0, signature.indexOf("("));
const vm = read(`${CHEATS}/vm.rs`);
const all = [...written(vm.slice(vm.indexOf("interface Vm")))];
// Names with an underscore are for Forge's own tests and are on no list.
const ours = new Map(all.filter(([signature]) => !signature.startsWith("_")));
const asserts = assertions(read(`${CHEATS}/asserts.rs`));
const [forges171, ...newer] = Object.values(LISTS).map((list) => cheatcodes(ROOT, list).map(({ signature }) => signature));
const forges = [forges171, ...newer].flat().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
const strangers = [...ours.keys()].filter((signature) => !forges.includes(signature));
if (strangers.length > 0) throw new Error(`not in Forge's list: ${strangers.join(", ")}`);

const groupOfName = new Map([...ours].map(([signature, group]) => [nameOf(signature), group]));

function groupOf(name) {
  const group = asserts.has(name) ? "Assertions" : groupOfName.get(name);
  const [missing] = GROUPS_OF_MISSING.find(([, pattern]) => pattern.test(name)) ?? [];
  if (!group && !missing) throw new Error(`scripts/cheatcodes.mjs: no group for ${name}`);
  return group ?? missing;
}

/** Overloads by group and name: first the groups of vm.rs in their order, then those with no supported cheatcode. */
const groups = new Map(["Assertions", ...ours.values()].map((group) => [group, new Map()]));
for (const signature of forges) {
  const name = nameOf(signature);
  const group = groupOf(name);
  if (!groups.has(group)) groups.set(group, new Map());
  const names = groups.get(group);
  names.set(name, [...(names.get(name) ?? []), signature]);
}

const has = (signature) => asserts.has(nameOf(signature)) || ours.has(signature);

/** Returns `yes`, `no`, or the supported overloads. */
function status(signatures) {
  const there = signatures.filter(has);
  if (there.length === signatures.length) return "yes";
  return there.length === 0 ? "no" : `only ${there.map((signature) => `\`${signature}\``).join(", ")}`;
}

/** Returns what the supported overloads are compared with: no forge of npm has those that are new in 1.8. */
function comparedWith(signatures) {
  const there = signatures.filter(has);
  const old = there.filter((signature) => forges171.includes(signature));
  if (old.length === there.length) return there.length > 0 ? "forge 1.7.1" : "";
  const specification = "specification of 1.8";
  return old.length === 0 ? specification : `forge 1.7.1, ${specification} (${there.length - old.length})`;
}

function renderGroup([group, names]) {
  const signatures = [...names.values()].flat();
  const rows = [...names].map(([name, overloads]) => [
    `\`${name}\``,
    overloads.length,
    status(overloads),
    comparedWith(overloads),
  ]);
  const title = `### ${group} (${signatures.filter(has).length} of ${signatures.length})`;
  return `${title}\n\n${table([["cheatcode", "overloads", "supported", "compared with"], ...rows])}`;
}

update("docs/cheatcodes.md", {
  count: `${forges.filter(has).length} of ${forges.length} are supported.`,
  groups: [...groups].map(renderGroup).join("\n\n"),
});
