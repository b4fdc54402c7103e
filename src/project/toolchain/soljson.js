#!/bin/sh
":" //; exec node --stack-size=4000 "$0" "$@"

// A command line around the soljson.js that lies beside this file: what the compiler's npm package
// holds is a WebAssembly (or, before 0.5, asm.js) build without one. To a shell the second line starts
// node, with a stack that deep expressions need; to node it is a string and a comment.
"use strict";
const fs = require("fs");
const path = require("path");
const v8 = require("v8");

// Node compiles WebAssembly functions once more, with optimizations, as soon as they ran for a while. Most of them are
// not worth the time in a process that ends after seconds: with twenty times the usual limit, a compilation takes a fifth
// to a third less CPU time.
v8.setFlagsFromString("--wasm-tiering-budget=40000000");

const args = process.argv.slice(2);
const versionFile = path.join(__dirname, "version");

function load() {
  // Old builds print to the console and install handlers that would hide our own errors.
  console.log = () => {};
  const soljson = require(path.join(__dirname, "soljson.js"));
  process.removeAllListeners("uncaughtException");
  process.removeAllListeners("unhandledRejection");
  return soljson;
}

function text(soljson, pointer) {
  return (soljson.UTF8ToString || soljson.Pointer_stringify)(pointer);
}

function version() {
  // The installer leaves it in a file, because loading the compiler takes a second.
  const told = fs.existsSync(versionFile) ? fs.readFileSync(versionFile, "utf8").trim() : "";
  if (told) return told;
  const soljson = load();
  return text(soljson, (soljson._solidity_version || soljson._version)());
}

// soljson's own wrapper for JavaScript passes the input on the WebAssembly stack, which a few megabytes
// overflow. Here it goes through the heap.
function compile(input) {
  const soljson = load();
  if (!soljson._solidity_compile && !soljson._compileStandard) return compileOld(soljson, input);
  const pointer = (soljson._solidity_alloc || soljson._malloc)(input.length + 1);
  // Looked up after the allocation, which may have moved the heap.
  const heap = soljson.HEAPU8 || new Uint8Array(soljson.asm.memory.buffer);
  heap.set(input, pointer);
  heap[pointer + input.length] = 0;
  // Arguments: input, callback for imports, its context. There is none: standard JSON carries every source.
  const run = soljson._solidity_compile || soljson._compileStandard;
  return text(soljson, run(pointer, 0, 0));
}

// Compilers before 0.4.11 know nothing of standard JSON. Their own input and output are translated.
function compileOld(soljson, input) {
  const { sources, settings = {} } = JSON.parse(input.toString("utf8"));
  const contents = Object.fromEntries(Object.entries(sources).map(([file, { content }]) => [file, content]));
  const run = soljson.cwrap("compileJSONMulti", "string", ["string", "number"]);
  const optimize = settings.optimizer && settings.optimizer.enabled ? 1 : 0;
  const output = JSON.parse(run(JSON.stringify({ sources: contents }), optimize));
  const files = output.sourceList || Object.keys(contents);
  const result = { errors: (output.errors || []).map(oldError), sources: {}, contracts: {} };
  files.forEach((file, id) => {
    const { AST } = (output.sources || {})[file] || {};
    if (AST) result.sources[file] = { id, legacyAST: AST };
  });
  for (const [name, contract] of Object.entries(output.contracts || {})) {
    const [file, bare] = oldName(name, contents);
    (result.contracts[file] = result.contracts[file] || {})[bare] = oldContract(contract, contents);
  }
  return JSON.stringify(result);
}

function oldError(message) {
  const severity = /\bWarning:/.test(message) ? "warning" : "error";
  const short = message.split("\n")[0];
  return { component: "general", severity, type: "Error", message: short, formattedMessage: message };
}

// Before 0.4.9, contracts are named without their files.
function oldName(name, contents) {
  const at = name.lastIndexOf(":");
  if (at >= 0) return [name.slice(0, at), name.slice(at + 1)];
  const declares = ([, content]) => new RegExp(`\\b(contract|library|interface)\\s+${name}\\b`).test(content);
  const [file] = Object.entries(contents).find(declares) || Object.entries(contents)[0];
  return [file, name];
}

function oldContract(contract, contents) {
  const code = (object, sourceMap) => ({ object, sourceMap: sourceMap || "", linkReferences: links(object, contents) });
  return {
    abi: JSON.parse(contract.interface),
    metadata: contract.metadata || "",
    evm: {
      bytecode: code(contract.bytecode, contract.srcmap),
      deployedBytecode: code(contract.runtimeBytecode || "", contract["srcmap-runtime"] || contract.srcmapRuntime),
      methodIdentifiers: contract.functionHashes || {},
    },
  };
}

// The address of a library is left open as its name, with underscores around it to 40 characters.
function links(object, contents) {
  const references = {};
  for (const match of object.matchAll(/__[^]{38}/g)) {
    const [file, bare] = oldName(match[0].replace(/^_+|_+$/g, ""), contents);
    const known = (references[file] = references[file] || {});
    (known[bare] = known[bare] || []).push({ start: match.index / 2, length: 20 });
  }
  return references;
}

function write(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // a full pipe: try again
    }
  }
}

if (args.includes("--version")) {
  write(`solc, the solidity compiler commandline interface\nVersion: ${version()}\n`);
} else if (args.includes("--standard-json")) {
  // --allow-paths, --base-path and --include-path are about reading files, which does not happen.
  const file = args[args.indexOf("--standard-json") + 1];
  const output = compile(fs.readFileSync(file && !file.startsWith("-") ? file : 0));
  if (/Internal exception in StandardCompiler[^"]*std::bad_alloc/.test(output)) {
    process.stderr.write(
      "the compiler as npm has it (WebAssembly) ran out of memory, which a native one would not: " +
        "install it with svm, or give its path with `--use`\n",
    );
    process.exit(1);
  }
  write(output);
} else {
  process.stderr.write("this solc understands --version and --standard-json only\n");
  process.exit(2);
}
process.exit(0);
