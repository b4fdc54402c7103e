//! Events of a running campaign. A campaign never prints: every output is computed from its events.

use crate::model::{outcome::SuiteReport, target::ContractId};

/// An event of a campaign.
#[derive(Clone, Debug)]
pub enum Event {
    /// Suites are about to run.
    Started {
        /// Number of suites.
        suites: usize,
        /// Number of threads.
        threads: usize,
    },
    /// A suite was deployed and set up, and its campaign begins.
    SuiteStarted {
        /// The suite.
        suite: ContractId,
        /// Properties to break.
        properties: usize,
        /// Calls that the budget allows; `None` if time limits it.
        budget: Option<u64>,
    },
    /// Current figures, emitted a few times a second.
    Progress {
        /// The suite.
        suite: ContractId,
        /// Target calls made.
        calls: u64,
        /// Distinct paths seen.
        paths: u64,
        /// Properties and assertions broken.
        broken: usize,
        /// Current phase: `None` while fuzzing, else a word such as `Shrink`.
        phase: Option<&'static str>,
    },
    /// A property or an assertion was broken.
    Broken {
        /// The suite.
        suite: ContractId,
        /// Name of the invariant, or entry function of the assertion.
        property: String,
        /// The reason.
        reason: String,
        /// Seconds since the epoch.
        timestamp: u64,
    },
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
