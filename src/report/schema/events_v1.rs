//! Version 1 of the lines of `--events`.
//!
//! Fields that Forge's own events (`pulse`, `failure`) have are named as there: `timestamp`, `event`, `target`,
//! `invariant`, `reason`, `metrics`.

use super::v1::JsonCall;
use schemars::JsonSchema;
use serde::Serialize;

/// Version in the event `started`; it changes if a field changes its meaning or is removed.
pub(in crate::report) const VERSION: u32 = 1;

/// A line.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub(in crate::report) struct JsonEventLine<'a> {
    /// Seconds since the epoch.
    pub(in crate::report) timestamp: f64,
    #[serde(flatten)]
    pub(in crate::report) event: JsonEvent<'a>,
}

/// Event of a run.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[schemars(rename = "Event")]
pub(in crate::report) enum JsonEvent<'a> {
    /// The search begins, after compilation. This is the first line.
    Started {
        version: u32,
        suites: usize,
        threads: usize,
        /// `0x` quantity.
        seed: String,
        /// Seconds for all suites together, if they are limited.
        budget: Option<f64>,
    },
    /// A campaign of a suite begins. A suite has a campaign for each fuzz test, and one or more for its invariants.
    CampaignStarted {
        /// `path:Name` of the suite.
        target: String,
        /// Number of properties.
        properties: usize,
        /// Maximum number of calls, if they are limited.
        calls: Option<u64>,
        /// Maximum number of seconds, if they are limited.
        seconds: Option<f64>,
    },
    /// Figures of a campaign that runs, about once a second.
    Pulse { target: String, metrics: JsonPulse },
    /// A property broke, or an oracle reported something. It is confirmed and shrunk.
    Failure {
        target: String,
        /// Id that is the same in every run, as in `--baseline` and in reports.
        id: &'a str,
        /// Name of the invariant or test, or signature of the function with the finding.
        invariant: &'a str,
        reason: &'a str,
        /// Oracle of a finding; none for invariants and tests.
        oracle: Option<&'static str>,
        /// Calls of the campaign until then.
        calls: u64,
        /// Executions of the campaign until then.
        executions: u64,
        /// Seconds since the campaign began.
        seconds: f64,
        /// CPU seconds of the campaign's threads.
        cpu_seconds: f64,
        /// Calls that break it.
        sequence: Vec<JsonCall<'a>>,
    },
    /// A warning about a suite.
    Warning { target: String, message: &'a str },
    /// A suite is done.
    SuiteFinished {
        target: String,
        passed: usize,
        failed: usize,
        skipped: usize,
        findings: usize,
        calls: u64,
        executions: u64,
        branches: u64,
        seconds: f64,
        cpu_seconds: f64,
    },
    /// The run is over. This is the last line.
    Finished {
        passed: usize,
        failed: usize,
        skipped: usize,
        findings: usize,
        calls: u64,
        seconds: f64,
        /// True if the user ended it.
        interrupted: bool,
    },
}

/// Figures of a campaign.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Pulse")]
pub(in crate::report) struct JsonPulse {
    pub(in crate::report) calls: u64,
    /// Since the last pulse.
    pub(in crate::report) calls_per_second: f64,
    pub(in crate::report) paths: u64,
    /// Edges of branches that were taken.
    pub(in crate::report) branches: u64,
    /// Properties and assertions that broke.
    pub(in crate::report) failures: usize,
    /// `search`, or what the campaign does instead: `corpus` or `shrink`.
    pub(in crate::report) phase: String,
}
