//! The JSON report of a run (docs/report.schema.json), as far as tools read it.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Report of a run: suites by `path:Name`.
pub(super) type RunDocument = BTreeMap<String, SuiteDocument>;

/// Suite of a report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SuiteDocument {
    pub(super) test_results: BTreeMap<String, TestDocument>,
    pub(super) warnings: Vec<String>,
    pub(super) harvey: HarveyDocument,
}

/// Test of a report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TestDocument {
    /// `Success`, `Failure` or `Skipped`.
    pub(super) status: String,
    pub(super) reason: Option<String>,
    pub(super) counterexample: Option<CounterexampleDocument>,
    /// Object with one key, the kind.
    pub(super) kind: BTreeMap<String, serde_json::Value>,
    pub(super) labeled_addresses: BTreeMap<String, String>,
}

/// Counterexample of a test: one call, or the length before shrinking and the calls.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum CounterexampleDocument {
    Single(Box<CallDocument>),
    Sequence(usize, Vec<CallDocument>),
}

impl CounterexampleDocument {
    /// Returns the calls.
    pub(super) fn calls(&self) -> &[CallDocument] {
        match self {
            Self::Single(call) => std::slice::from_ref(call),
            Self::Sequence(_, calls) => calls,
        }
    }

    /// Returns the number of calls before the sequence was shrunk.
    pub(super) fn original_calls(&self) -> usize {
        match self {
            Self::Single(_) => 1,
            Self::Sequence(calls, _) => *calls,
        }
    }
}

/// Call of a counterexample. Numbers are `0x` quantities.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallDocument {
    /// Seconds between the call before and this one.
    pub(super) warp: Option<String>,
    /// Blocks between the call before and this one.
    pub(super) roll: Option<String>,
    pub(super) value: Option<String>,
    pub(super) sender: Option<String>,
    pub(super) addr: Option<String>,
    pub(super) calldata: String,
    pub(super) contract_name: Option<String>,
    pub(super) func_name: Option<String>,
    pub(super) raw_args: Option<String>,
    pub(super) reentry: Option<ReentryDocument>,
}

/// Call that is made back while a call runs.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ReentryDocument {
    pub(super) addr: String,
    pub(super) nth: u32,
    pub(super) calldata: String,
}

/// Part of a suite that Forge's report does not have.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct HarveyDocument {
    pub(super) seed: String,
    pub(super) interrupted: bool,
    pub(super) findings: Vec<FindingDocument>,
    pub(super) stats: StatsDocument,
    pub(super) functions: BTreeMap<String, FunctionDocument>,
    pub(super) vacuous: Vec<String>,
    pub(super) stuck: Vec<StuckDocument>,
}

/// Figures of a suite.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StatsDocument {
    pub(super) seconds: f64,
    pub(super) calls: u64,
}

/// Calls of a function.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FunctionDocument {
    pub(super) calls: u64,
    pub(super) reverts: u64,
    pub(super) reasons: Vec<(String, u64)>,
}

/// Finding of an oracle.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FindingDocument {
    pub(super) id: String,
    pub(super) oracle: String,
    pub(super) contract: String,
    pub(super) function: String,
    pub(super) location: String,
    pub(super) reason: String,
    pub(super) original_len: usize,
    pub(super) sequence: Vec<CallDocument>,
}

/// Branch that nothing passed.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StuckDocument {
    pub(super) location: String,
    pub(super) condition: String,
    pub(super) tries: u64,
    pub(super) never: Option<bool>,
    pub(super) functions: Vec<String>,
    pub(super) behind: Vec<String>,
    pub(super) needs: Vec<String>,
    pub(super) nearest: String,
    pub(super) advice: String,
}
