#!/bin/sh
":" //; exec node --stack-size=4000 "$0" "$@"

// A command line around the soljson.js that lies beside this file: what the compiler's npm package
// holds is a WebAssembly (or, before 0.5, asm.js) build without one. To a shell the second line starts
// node, with a stack that deep expressions need; to node it is a string and a comment.
"use strict";
const fs = require("fs");
const path = require("path");

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
  const pointer = (soljson._solidity_alloc || soljson._malloc)(input.length + 1);
  // Looked up after the allocation, which may have moved the heap.
  const heap = soljson.HEAPU8 || new Uint8Array(soljson.asm.memory.buffer);
  heap.set(input, pointer);
  heap[pointer + input.length] = 0;
  // Arguments: input, callback for imports, its context. There is none: standard JSON carries every source.
  const run = soljson._solidity_compile || soljson._compileStandard;
  return text(soljson, run(pointer, 0, 0));
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
