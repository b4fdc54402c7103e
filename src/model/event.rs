//! Events of a running campaign. A campaign never prints: every output is computed from its events.

use crate::model::{
    counterexample::Counterexample, failure::Found, outcome::SuiteReport, target::ContractId,
};
use std::time::Duration;

/// Figures of a campaign that runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgressFigures {
    /// Target calls made.
    pub calls: u64,
    /// Distinct paths seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
    /// Properties and assertions broken.
    pub broken: usize,
    /// Current phase: `None` while fuzzing, else a word such as `Shrink`.
    pub phase: Option<&'static str>,
}

/// A property or an assertion that was broken.
#[derive(Clone, Debug)]
pub struct FailureEvent {
    /// Id that is the same in every run.
    pub id: String,
    /// The suite.
    pub suite: ContractId,
    /// Name of the invariant or test, or entry function of the assertion.
    pub property: String,
    /// Oracle of a finding; `None` for properties and tests.
    pub oracle: Option<&'static str>,
    /// True if the property is a test: Forge has events for invariants and assertions only.
    pub is_test: bool,
    /// The reason.
    pub reason: String,
    /// Seconds since the epoch.
    pub timestamp: u64,
    /// Point of the campaign at which it was found.
    pub found: Found,
    /// Calls that break it.
    pub counterexample: Option<Counterexample>,
}

/// An event of a campaign.
#[derive(Clone, Debug)]
pub enum Event {
    /// Suites are about to run.
    Started {
        /// Number of suites.
        suites: usize,
        /// Number of threads.
        threads: usize,
        /// Time for all of them, if it is limited.
        time: Option<Duration>,
    },
    /// A suite was deployed and set up, and its campaign begins.
    SuiteStarted {
        /// The suite.
        suite: ContractId,
        /// Properties to break.
        properties: usize,
        /// Calls that the budget allows; `None` if something else limits it.
        calls: Option<u64>,
        /// Time that the budget allows; `None` if something else limits it.
        time: Option<Duration>,
    },
    /// Current figures, emitted a few times a second.
    Progress {
        /// The suite.
        suite: ContractId,
        /// The figures.
        figures: ProgressFigures,
    },
    /// A property or an assertion was broken.
    Broken(Box<FailureEvent>),
    /// Warnings about a suite that has no results yet.
    Warned {
        /// The suite.
        suite: ContractId,
        /// The warnings, without the `Warning: ` prefix.
        warnings: Vec<String>,
    },
    /// A suite is done.
    SuiteFinished(Box<SuiteReport>),
}
