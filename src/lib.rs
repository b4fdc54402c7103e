//! `forge-harvey`: a prediction-guided, demand-driven greybox fuzzer for Foundry invariants.
#![warn(missing_docs)]

pub mod config;
pub mod model;
pub mod project;
