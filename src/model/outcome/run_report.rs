//! Result of the whole command.

use crate::model::{coverage::SourceCoverage, outcome::SuiteReport, stuck::Stuck};
use alloy_primitives::U256;
use std::{collections::BTreeSet, time::Duration};

/// Result of the whole command.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Suites in the order they finished.
    pub suites: Vec<SuiteReport>,
    /// Wall-clock time of the tests, compilation not included.
    pub duration: Duration,
    /// Seed that reproduces the run.
    pub seed: U256,
    /// True if Ctrl-C or a termination signal ended it early.
    pub interrupted: bool,
    /// True if a call that did not return, or too little memory, ended it early.
    pub overrun: bool,
    /// Number of suites that were to run.
    pub planned: usize,
    /// Ids of failures that were known before (`--baseline`).
    pub known: BTreeSet<String>,
    /// Source coverage of all campaigns. If a report shows sources, it also has contracts of which nothing
    /// ran.
    pub covered: SourceCoverage,
    /// Branches that no campaign passed; those that have the most code behind them come first.
    pub stuck: Vec<Stuck>,
}
