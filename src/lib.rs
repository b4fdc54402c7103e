//! `forge-harvey`: a prediction-guided, demand-driven greybox fuzzer for Foundry invariants.
#![warn(missing_docs)]

pub mod config;
pub mod engine;
pub mod model;
pub mod oracle;
