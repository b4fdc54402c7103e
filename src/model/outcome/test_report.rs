//! Result of one test function.

use crate::model::{
    counterexample::Counterexample,
    failure::{Evidence, ForgeReplay, Found, ReportSettings},
    observation::Gas,
    outcome::CallMetrics,
    place::Place,
    target::{ContractId, PropertyKind},
};
use alloy_primitives::I256;
use std::{collections::BTreeMap, time::Duration};

/// Verdict of one test function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds as far as it was tested.
    Success,
    /// It failed.
    Failure,
    /// It skipped itself (`vm.skip`).
    Skipped,
}

/// Gas of several runs of one test, without the cost of their transactions before any code runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GasOfRuns {
    /// Number of runs.
    pub runs: u64,
    /// Mean gas.
    pub mean: u64,
    /// Median gas.
    pub median: u64,
}

impl GasOfRuns {
    /// Computes the figures of these runs.
    #[must_use]
    pub fn new(runs: &[Gas]) -> Self {
        let mut gas: Vec<u64> = runs.iter().map(|gas| gas.of_code()).collect();
        gas.sort_unstable();
        let middle = gas.len() / 2;
        let median = match gas.len() {
            0 => 0,
            even if even % 2 == 0 => gas[middle - 1].midpoint(gas[middle]),
            _ => gas[middle],
        };
        let sum: u128 = gas.iter().map(|gas| u128::from(*gas)).sum();
        let mean = (sum / gas.len().max(1) as u128) as u64;
        Self { runs: gas.len() as u64, mean, median }
    }
}

/// The numbers that follow a test's name, by kind of test.
#[derive(Clone, Debug)]
pub enum TestKind {
    /// A unit test, `setUp()`, `constructor()` and other plain calls.
    Unit {
        /// Gas used.
        gas: u64,
    },
    /// A fuzz test.
    Fuzz {
        /// Gas of the first run.
        first: Gas,
        /// Gas of all runs except the failed one.
        runs: GasOfRuns,
    },
    /// A table test.
    Table {
        /// Gas of all rows that ran.
        runs: GasOfRuns,
    },
    /// An invariant, with the figures of the shared campaign at its end, or when this invariant failed.
    Invariant {
        /// Runs completed.
        runs: u64,
        /// Calls made.
        calls: u64,
        /// Calls reverted.
        reverts: u64,
        /// Workers that searched.
        workers: usize,
        /// Calls by `path:Name.function`; empty without `show_metrics`, as in Forge.
        metrics: BTreeMap<String, CallMetrics>,
        /// Largest value, for an optimization.
        best: Option<I256>,
    },
}

impl TestKind {
    /// Tells whether a counterexample is one call of the test itself.
    #[must_use]
    pub fn is_of_one_call(&self) -> bool {
        !matches!(self, Self::Invariant { .. })
    }
}

/// Way in which a property was broken; a reproducer shows the failure in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// Kind of property, if it is one of Echidna or Medusa, which Forge does not know.
    pub echidna_style: Option<PropertyKind>,
    /// True if a revert of the last call broke it (`fail_on_revert`).
    pub by_revert: bool,
    /// True if the contract has an `afterInvariant`, which Forge calls after the invariant.
    pub after_invariant: bool,
}

/// Returns the id of a test, which is the same in every run.
#[must_use]
pub fn test_id(suite: &ContractId, signature: &str) -> String {
    format!("{suite}.{signature}")
}

/// Result of one test function.
#[derive(Clone, Debug)]
pub struct TestReport {
    /// Signature, as in `invariant_x()`.
    pub signature: String,
    /// Declaration of its function, or else of its contract.
    pub place: Option<Place>,
    /// Verdict.
    pub status: Status,
    /// Reason for which it failed or was skipped.
    pub reason: Option<String>,
    /// Kind of test, with its numbers.
    pub kind: TestKind,
    /// Time spent on it.
    pub duration: Duration,
    /// The sequence that breaks it (or the best one of an optimization).
    pub counterexample: Option<Counterexample>,
    /// Way in which it was broken; the default if it was not.
    pub violation: Violation,
    /// Traces, logs and labels.
    pub evidence: Evidence,
    /// Point of the campaign at which it was broken.
    pub found: Option<Found>,
    /// Settings that applied to its calls.
    pub settings: ReportSettings,
    /// Replay by Forge.
    pub forge_replay: ForgeReplay,
}

impl TestReport {
    /// Creates the report of a plain call, which has only a verdict.
    #[must_use]
    pub fn new(signature: impl Into<String>, status: Status) -> Self {
        Self {
            signature: signature.into(),
            place: None,
            status,
            reason: None,
            kind: TestKind::Unit { gas: 0 },
            duration: Duration::ZERO,
            counterexample: None,
            violation: Violation::default(),
            evidence: Evidence::default(),
            found: None,
            settings: ReportSettings::default(),
            forge_replay: ForgeReplay::default(),
        }
    }
}
