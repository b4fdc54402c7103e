// Runs the soljson.js that lies beside this file as a command line `solc`: what the compiler's npm
// package holds is a WebAssembly (or asm.js) build without a command line of its own.
"use strict";
const fs = require("fs");
const path = require("path");

// Written by the installer, so that `--version` needs not load the compiler.
const version = fs.readFileSync(path.join(__dirname, "version"), "utf8").trim();

const args = process.argv.slice(2);
if (args.includes("--version")) {
  process.stdout.write(
    "solc, the solidity compiler commandline interface\n" + `Version: ${version}\n`,
  );
  process.exit(0);
}
// --allow-paths, --base-path and --include-path need no handling: standard JSON carries every source.
if (!args.includes("--standard-json")) {
  process.stderr.write("this solc only understands --version and --standard-json\n");
  process.exit(2);
}

const file = args[args.indexOf("--standard-json") + 1];
const input = fs.readFileSync(file && !file.startsWith("--") && file !== "-" ? file : 0);
// Old builds print to the console and install handlers that hide errors; keep both off our stdout.
console.log = () => {};
const soljson = require(path.join(__dirname, "soljson.js"));
process.removeAllListeners("uncaughtException");
process.removeAllListeners("unhandledRejection");

function compile() {
  const alloc = soljson._solidity_alloc || soljson._malloc;
  const source = alloc(input.length + 1);
  // The heap may have been replaced while growing: look it up after each allocation.
  const heap = () => soljson.HEAPU8 || new Uint8Array(soljson.asm.memory.buffer);
  heap().set(input, source);
  heap()[source + input.length] = 0;
  const run = soljson._solidity_compile || soljson._compileStandard;
  const result = soljson._solidity_compile ? run(source, 0, 0) : run(source, 0);
  return (soljson.UTF8ToString || soljson.Pointer_stringify)(result);
}

fs.writeSync(1, "");
const output = Buffer.from(compile());
for (let at = 0; at < output.length; ) {
  try {
    at += fs.writeSync(1, output, at);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
}
process.exit(0);
