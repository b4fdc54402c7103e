#!/usr/bin/env node
// Lays out testdata/lib for a clone without git's submodules, from what `npm ci` installed in testdata.
import { join } from "node:path";
import { ROOT } from "./page.mjs";
import { layOutLibraries } from "./parity/libraries.mjs";

layOutLibraries(ROOT, join(ROOT, "testdata", "node_modules"));
