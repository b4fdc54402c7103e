// Finds the cheatcodes that each test calls, from the syntax trees in the artifacts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Yields all nodes of a tree. */
function* nodes(node) {
  if (Array.isArray(node)) for (const item of node) yield* nodes(item);
  else if (node && typeof node === "object") {
    if (node.nodeType) yield node;
    for (const value of Object.values(node)) yield* nodes(value);
  }
}

/** Returns the type of a parameter as in a signature. */
function canonical(parameter, structs) {
  const text = parameter.typeDescriptions.typeString.replace(/ (memory|calldata|storage ref|storage pointer)/g, "");
  const [, base, brackets] = /^(.*?)((?:\[\d*\])*)$/.exec(text);
  const struct = /^struct (?:\w+\.)?(\w+)$/.exec(base);
  const written = struct ? `(${structs.get(struct[1]).map((member) => canonical(member, structs)).join(",")})` : base;
  return written + brackets;
}

/** Returns the functions by id, with signatures for those of the interface, and the contracts by id. */
function collect(trees) {
  const structs = new Map();
  const functions = new Map();
  const contracts = new Map();
  for (const tree of trees) {
    for (const node of nodes(tree)) {
      if (node.nodeType === "StructDefinition") structs.set(node.name, node.members);
      if (node.nodeType === "ContractDefinition") contracts.set(node.id, { node, path: tree.absolutePath });
    }
  }
  for (const { node } of contracts.values()) {
    for (const member of node.nodes.filter(({ nodeType }) => /^(Function|Modifier)Definition$/.test(nodeType))) {
      const isCheatcode = node.name === "Vm" && node.contractKind === "interface";
      const parameters = () => member.parameters.parameters.map((parameter) => canonical(parameter, structs));
      functions.set(member.id, { node: member, signature: isCheatcode ? `${member.name}(${parameters().join(",")})` : undefined });
    }
  }
  return { functions, contracts };
}

/** Returns the cheatcodes that a function calls, directly or through other functions. */
function reached(id, functions, known) {
  if (known.has(id)) return known.get(id);
  const found = new Set();
  known.set(id, found);
  const { node, signature } = functions.get(id) ?? {};
  if (signature) found.add(signature);
  for (const { referencedDeclaration } of nodes(node?.body ?? node?.modifiers ?? [])) {
    if (functions.has(referencedDeclaration)) for (const name of reached(referencedDeclaration, functions, known)) found.add(name);
  }
  return found;
}

/** Returns the signatures of cheatcodes by `path:Contract::test()`. The calls of setUp count for every test. */
export function callsByTest(root) {
  const out = join(root, "out");
  const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".json") && !name.includes("build-info"));
  const trees = new Map();
  for (const file of files) {
    const { ast } = JSON.parse(readFileSync(join(out, file), "utf8"));
    if (ast) trees.set(ast.absolutePath, ast);
  }
  const { functions, contracts } = collect([...trees.values()]);
  const known = new Map();
  const calls = new Map();
  for (const { node, path } of contracts.values()) {
    const inherited = node.linearizedBaseContracts.flatMap((id) => contracts.get(id)?.node.nodes ?? []);
    const own = inherited.filter(({ nodeType }) => nodeType === "FunctionDefinition");
    const before = own.filter(({ name, kind }) => name === "setUp" || kind === "constructor").flatMap(({ id }) => [...reached(id, functions, known)]);
    for (const { id, name } of own.filter(({ name }) => name.startsWith("test"))) {
      calls.set(`${path}:${node.name}::${name}()`, new Set([...before, ...reached(id, functions, known)]));
    }
    for (const name of ["setUp", "constructor"]) calls.set(`${path}:${node.name}::${name}()`, new Set(before));
  }
  return calls;
}
