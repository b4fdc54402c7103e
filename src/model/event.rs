//! What a campaign tells while it runs. It never prints: every output is a fold over these.

use crate::model::{outcome::SuiteReport, target::ContractId};

/// Something that happened in a campaign.
#[derive(Clone, Debug)]
pub enum Event {
    /// Suites are about to run.
    Started {
        /// How many suites.
        suites: usize,
        /// How many threads.
        threads: usize,
    },
    /// A suite was deployed and set up, and its campaign begins.
    SuiteStarted {
        /// The suite.
        suite: ContractId,
        /// Properties to break.
        properties: usize,
        /// Calls that the budget allows; `None` when time bounds it.
        budget: Option<u64>,
    },
    /// Figures so far, a few times a second.
    Progress {
        /// The suite.
        suite: ContractId,
        /// Target calls made.
        calls: u64,
        /// Distinct paths seen.
        paths: u64,
        /// Properties and assertions broken.
        broken: usize,
        /// What it is doing now: `None` while fuzzing, else a word such as `Shrink`.
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
    /// What is to be known of a suite that has no results.
    Warned {
        /// The suite.
        suite: ContractId,
        /// The warnings, without the `Warning: ` prefix.
        warnings: Vec<String>,
    },
    /// A suite is done.
    SuiteFinished(Box<SuiteReport>),
}
