//! Findings: reports of oracles.

use crate::model::{
    assertion::AssertionFailure,
    counterexample::Counterexample,
    failure::{Evidence, ForgeReplay, Found, ReportSettings},
};
use alloy_primitives::Address;

/// Function of a contract that a transaction calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Identifier (`path:Name`) of the contract.
    pub contract: String,
    /// Address of the contract.
    pub address: Address,
    /// Signature of the function.
    pub function: String,
}

/// A failed assert property, or a report of another oracle. It does not belong to one test function.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Id that is the same in every run: oracle, location and entry function.
    pub id: String,
    /// Name of the oracle.
    pub oracle: &'static str,
    /// Kind, place and reason of the failure.
    pub failure: AssertionFailure,
    /// Function that was called last.
    pub entry: EntryPoint,
    /// Other functions through which the same place of a scanned contract is reached.
    pub others: Vec<EntryPoint>,
    /// True if its last call reverts.
    pub reverts: bool,
    /// Sequence that reproduces it.
    pub counterexample: Counterexample,
    /// Traces and logs of the replay.
    pub evidence: Evidence,
    /// True if it was found by replaying a persisted failure.
    pub replayed: bool,
    /// Point of the campaign at which it was found.
    pub found: Found,
    /// Settings of the campaign in which it was found.
    pub settings: ReportSettings,
    /// Replay by Forge.
    pub forge_replay: ForgeReplay,
}
