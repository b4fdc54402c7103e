//! `forge-harvey`: a greybox fuzzer for the invariants, fuzz tests and assertions of Foundry projects.
//!
//! It searches for sequences of calls that break a property, shrinks them, replays them from a fresh deployment,
//! and writes them where `forge test` replays them. The technique is that of *Harvey* (Wüstholz and Christakis,
//! FSE 2020) with the adaptive seeds of *sFuzz* (Nguyen et al., ICSE 2020). `docs/how-it-works.md` explains it,
//! `docs/glossary.md` has the terms, and `docs/contributing.md` says how to work on the code.
//!
//! # What runs when a user types `forge-harvey test`
//!
//! 1. [`cli`] parses the flags. [`config`] merges them with foundry.toml and the environment. [`project`] compiles the
//!    sources and finds the test contracts.
//! 2. [`campaign::plan`] groups the properties of each test contract into campaigns, and [`campaign::run_plan`]
//!    runs the suites on threads.
//! 3. For each suite, [`evm::test_env`] deploys the test contract and runs `setUp`, as Forge does. Unit tests run
//!    once, as they do in Forge, and their calls become examples for the campaigns (`campaign/unit_tests.rs`).
//! 4. Each campaign checks the initial state, replays stored failures and stored corpus inputs, and then repeats:
//!    [`engine::Engine::ask`] makes a candidate sequence, [`evm::executor`] runs it and checks the properties,
//!    [`oracle`] looks for other failures in the result, and [`engine::Engine::tell`] learns from it
//!    (`campaign/run/search.rs`, `campaign/run/epoch.rs`). With several threads, each worker has an engine and an
//!    executor, and the campaign merges their results after every epoch (`campaign/run/workers.rs`).
//! 5. A failure is confirmed: shrunk and replayed from a fresh deployment (`campaign/confirmer.rs`). It is stored
//!    (`campaign/persistence.rs`) and emitted as an event.
//! 6. [`report`] turns events and results into text, [`cli`] writes it and chooses the exit code.
//!
//! # Which module may use which
//!
//! ```text
//! layer 4                       cli
//! layer 3                     campaign
//! layer 2              evm (also uses project)
//! layer 1            project   engine     oracle      report       do not use one another
//! layer 0          model . config . files . panics . solver        config uses model and files, solver uses model
//! ```
//!
//! A module uses modules of lower layers only. `campaign` does not use `report`, and `evm` uses neither `engine` nor
//! `oracle`. `evm` has layers of its own: [`evm`]. `tests/it/tidy` proves all of this, and the list below, from the
//! sources.
//!
//! # What is not there
//!
//! * `model`, `engine`, `solver` and `oracle` have no clock, thread, file or environment variable.
//! * `engine`, `solver` and `oracle` do not know the EVM.
//! * Only `evm` names revm, only `project` foundry-compilers, only `cli` clap, ctrlc and rmcp, only `report` indicatif
//!   and quick-junit.
//! * Only `campaign` starts threads that search.
//! * `campaign` never prints.
//! * `report` does no I/O except in `progress`.
//! * Only `cli` and `project::toolchain` read the process environment.
//! * Only `evm::state::fork` and `cli::mcp` are asynchronous.
//!
//! # Where to find things
//!
//! | module | content |
//! |---|---|
//! | [`model`] | plain data that all modules share: transactions, observations, findings, traces, reports |
//! | [`config`] | all settings, resolved once |
//! | [`project`] | compiled contracts, and everything found in the sources |
//! | [`engine`] | choice of inputs: corpus, dictionary, predictions, mutation, shrinking |
//! | [`solver`] | inputs that meet the condition of a path |
//! | [`oracle`] | rules that detect failures, one file each |
//! | [`mutation`] | small changes of the sources that a good suite notices |
//! | [`evm`] | execution on revm: test environment, executor, cheatcodes, tracing |
//! | [`campaign`] | campaigns and their threads, confirmation, storage |
//! | [`report`] | output formats, one file each |
//! | [`cli`] | the command line |
//! | [`files`] | bounded reads and atomic writes of files |
//!
//! The pages of the large modules have tables of their files.
//!
//! # Where to add things
//!
//! | new | place |
//! |---|---|
//! | cheatcode | the five steps in `evm/cheats/mod.rs` |
//! | oracle | a file in `oracle/`, and a line in `oracle::ORACLES` |
//! | mutation of sequences | a file in `engine/mutate/`, and a line in its `OPERATORS` |
//! | mutation of sources | a file in `mutation/operators/`, and a line in its `OPERATORS` |
//! | shrink pass | a file in `engine/shrink/`, and a line in its `PASSES` |
//! | tool of the MCP server | a file in `cli/mcp/tools/`, and two lines in its `mod.rs` |
//! | report format | a file in `report/`, and a variant of `Format` in `cli/args/report.rs` |
//! | flag | a field in `cli/args/`, and a line in `add_to` of its group for the setting that it overrides |
//! | setting | an entry in `config/defaults.toml`, a field in `config/types/`, a line in `config/resolve.rs` |
//!
//! `scripts/docs` then refreshes the generated pages in `docs/`.
#![warn(missing_docs)]

pub mod campaign;
pub mod cli;
pub mod config;
pub mod engine;
pub mod evm;
pub mod files;
pub mod model;
pub mod mutation;
pub mod oracle;
pub(crate) mod panics;
pub mod project;
pub mod report;
pub mod solver;
