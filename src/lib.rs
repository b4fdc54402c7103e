//! `forge-harvey`: a prediction-guided, demand-driven greybox fuzzer for Foundry invariants.
#![warn(missing_docs)]

pub mod campaign;
pub mod cli;
pub mod config;
pub mod engine;
pub mod evm;
pub mod model;
pub mod oracle;
pub mod project;
pub mod report;
