//! `forge-harvey`: a fuzzer for the invariants of Foundry projects, whose verdicts Forge confirms.
//!
//! # The idea
//!
//! 1. [`config`] and [`project`] turn a directory into settings and compiled contracts; nothing changes them later.
//! 2. [`evm`] deploys a suite as Forge does and keeps the state after `setUp`.
//! 3. [`engine`] is asked for a candidate sequence and told what running it showed.
//! 4. [`evm`] runs sequences, [`oracle`] says which steps are bugs.
//! 5. [`campaign`] is the only place where these meet: it asks, runs, judges, tells, shrinks and persists.
//! 6. [`report`] turns events and results into text, [`cli`] writes it and chooses the exit code.
//!
//! # Who may use whom
//!
//! ```text
//! floor 4                       cli
//! floor 3                     campaign
//! floor 2              evm (also uses project)
//! floor 1            project   engine     oracle      report       strangers to one another
//! floor 0                    model . config . files                config uses model and files
//! ```
//!
//! A room uses rooms on lower floors only; `campaign` does not use `report`, and `evm` neither `engine` nor `oracle`.
//! `tests/it/tidy.rs` proves it from the sources.
//!
//! # What is not there
//!
//! * `model`, `engine` and `oracle` have no clock, thread, file or environment variable.
//! * `engine` and `oracle` know no EVM. `engine` is tested on a toy program with an executor of its own.
//! * Only `evm` names revm, only `project` foundry-compilers, only `cli` clap and ctrlc, only `report` indicatif and
//!   quick-junit.
//! * Only `campaign` starts threads. Those that search one suite share the state after `setUp`, which nobody changes, and
//!   tell each other at fixed points what they found; what each runs depends on the seed and on how many they are.
//! * `campaign` never prints. What it tells are events; each output is a fold over them.
//! * `report` does no I/O but in `progress`.
//! * Nothing draws random numbers but from the seed of the run, so that the same seed and number of threads print the same
//!   text.
//! * Nothing reads the process environment but `cli`, for settings and cheatcodes, and `project::toolchain`, for the
//!   places of compilers.
//!
//! # The map
//!
//! `model`: the words that everyone uses; plain data.
//!
//! | file | holds |
//! |---|---|
//! | `transaction` | a call of a sequence, with typed arguments, sender, value and delays |
//! | `target` | contracts, targets and properties |
//! | `executor` | the seam between the search and whatever runs sequences |
//! | `observation` | what an execution showed; a revert is data |
//! | `finding` | findings and counterexamples |
//! | `trace` | call trees with decoded text |
//! | `event`, `outcome` | what a campaign tells while it runs, and what it ends with |
//! | `format` | values as Forge prints them |
//!
//! `files`: files read within bounds and written whole or not at all; `files::kept` follows no links, `files::links` says where
//! they lead.
//!
//! `config`: all settings, resolved once. The table of its files is in [`config`].
//!
//! `project`: compiled contracts and what is found in them.
//!
//! | file | holds |
//! |---|---|
//! | `compile`, `settings`, `profiles` | the build on Forge's cache, with Forge's compiler settings |
//! | `toolchain/` | where compilers come from; soljson from npm is the last resort |
//! | `contract`, `link` | compiled contracts, linked to libraries at Forge's addresses |
//! | `discover`, `identify`, `lookup` | suites and tests, contracts by their code, contracts by name |
//! | `sources`, `sourcemap`, `literals` | parsed sources: comments, places of code, values for the dictionary |
//! | `events`, `error` | what compilation tells, and why it fails |
//!
//! `engine`: how inputs are chosen.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | `ask` and `tell` |
//! | `learn` | what a run teaches: paths, costs, writers, what the candidate was made for |
//! | `work` | what is made of a picked sequence |
//! | `predict/`, `pursue` | values that are to flip a branch, and how they are followed up |
//! | `frontier`, `demand`, `detours` | just-missed branches, calls that write what they read, branches covered elsewhere |
//! | `base`, `input`, `sensitivity` | a measured execution, the elements of its input, and which of them matter |
//! | `corpus/`, `energy` | sequences to build on, and how often |
//! | `mutate/` | operators on sequences, one file each |
//! | `value/` | values of every ABI type: fresh, mutated, traversed |
//! | `dictionary/` | values worth trying |
//! | `surface`, `senders`, `world`, `seed` | what can be called, by whom, and drafts of sequences |
//! | `shrink/` | passes that simplify a sequence while a predicate holds, one file each |
//! | `rng` | the one random number generator of the search |
//! | `toy` | the program on which all of this is tested |
//!
//! `oracle`: what counts as a bug, one file an oracle.
//!
//! `evm`: everything that touches the EVM.
//!
//! | file | holds |
//! |---|---|
//! | `stage`, `targets` | deployment, `setUp`, targets by Forge's rules |
//! | `executor/` | runs sequences and evaluates properties; what was run before is not run again |
//! | `machine`, `world` | one EVM a thread, and the state under all executions |
//! | `facts` | what a call reads |
//! | `isolation`, `nested` | calls that are transactions of their own, transactions that cheatcodes run |
//! | `fork/` | chains of nodes: fetched once, kept on disk |
//! | `session`, `probe`, `counts`, `tracer` | what is hooked into calls, recorded by instructions, kept for traces |
//! | `track/` | what a tracked transaction compares, reads and writes: an instruction table of its own |
//! | `failure` | which assertion failed, and whether that reached the top |
//! | `halt` | what ends a call before its gas does |
//! | `scan/` | contracts without a test contract: who deploys them with what, and who calls |
//! | `audit/` | where data comes from, for oracles: a frame run instruction by instruction |
//! | `curve` | signatures, remembered |
//! | `decode`, `secrets`, `harvest`, `constants` | bytes to words, what traces keep to themselves, code to dictionary values, addresses that Forge fixes |
//! | `cheats/` | cheatcodes, one file a group; `vm.rs` is the list and `dispatch.rs` is exhaustive over it |
//!
//! `campaign`: where search and execution meet.
//!
//! | file | holds |
//! |---|---|
//! | `plan` | suites, and the campaigns that inline settings ask for |
//! | `mod`, `threads`, `suite` | suites over threads, a suite from deployment to report |
//! | `hunt/` | one campaign: its loop, and what it confirms and keeps on the way |
//! | `budget`, `tally` | when it ends, and what it counts |
//! | `judge` | from a failing sequence to a counterexample that holds on its own |
//! | `keeper`, `store/` | failures and inputs on disk, ours and Forge's, and those of other fuzzers |
//! | `corpora` | what is done with inputs beside running them |
//! | `partition` | a part of a plan, for one machine of several |
//!
//! `report`: how results look, one file a format. The table of its files is in [`report`].
//!
//! `cli`: the command line.
//!
//! | file | holds |
//! |---|---|
//! | `args/`, `settings` | what the user typed, and the layer that it makes over foundry.toml |
//! | `test`, `repro` | the command, and `--emit-repro` |
//! | `corpus`, `baseline`, `watch` | what earlier runs kept, failures that are known, runs after each change |
//! | `exit`, `interrupt`, `output` | exit codes, Ctrl-C, pipes that close |
//!
//! # Where to add things
//!
//! A cheatcode is a line in `evm/cheats/vm.rs` and an impl in its group's file. An oracle is a file and a line in
//! `oracle::ORACLES`; a mutation operator likewise in `engine::mutate`. A setting is an entry in
//! `config/defaults.toml`, a field in `config/types.rs` and a line in `config/resolve.rs`. `scripts/docs` then refreshes
//! the pages in `docs/`.
#![warn(missing_docs)]

pub mod campaign;
pub mod cli;
pub mod config;
pub mod engine;
pub mod evm;
pub mod files;
pub mod model;
pub mod oracle;
pub(crate) mod panics;
pub mod project;
pub mod report;
