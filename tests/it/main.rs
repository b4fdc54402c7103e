//! One integration test binary: the real program on real Foundry projects, and the real forge on what it emits.
//!
//! Needs node and what `npm ci --prefix testdata` installs; nothing else is fetched.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod harness;

mod action;
mod budgets;
mod cache;
mod campaigns;
mod cheatcodes;
mod commands;
mod comments;
mod confirmation;
mod conformance;
mod corpus;
mod coverage;
mod deployed;
mod determinism;
mod dynamic_linking;
mod endings;
mod errors;
mod faults;
mod fixtures;
mod flags;
mod foreign;
mod forge_1_8;
mod forge_flags;
mod forge_versions;
mod forks;
mod formats;
mod fuzz;
mod hook;
mod hostile;
mod html;
mod init;
mod installing;
mod isolation;
mod keys;
mod libraries;
mod limits;
mod mcp;
mod mutant_verdicts;
mod mutants;
mod output;
mod persisted;
mod readme;
mod ready;
mod reentrancy;
mod regressions;
mod resume;
mod reuse;
mod scan;
mod solc_download;
mod solver;
mod strategies;
mod submodules;
mod symbolic;
mod tidy;
mod traces;
mod tracking;
mod unchanged;
mod untrusted;
mod variants;
mod versions;
