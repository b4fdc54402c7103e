//! Observation: the results of one execution of a sequence. A revert is data, not an error.

use crate::model::{
    assertion::AssertionFailure,
    branch::{EdgeId, Footprint, PropertyRun, ValueId},
    symbolic_path::SymbolicPath,
    taint::TaintReport,
    target::TargetFunction,
};
use alloy_primitives::{Address, Bytes, U256};
use std::{sync::Arc, time::Duration};

/// Hash of the branch decisions (code, pc, taken) of one transaction. Nested calls are included, cheatcode
/// calls are not (Harvey section 3; loop iterations are counted in buckets).
pub type PathId = u64;

/// Outcome of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It did not revert.
    #[default]
    Success,
    /// It reverted or halted.
    Revert,
    /// `vm.assume` (or `vm.assumeNoRevert`) rejected it: it is neither counted nor kept.
    Discard,
}

/// Gas of a transaction as in a receipt: refunds are subtracted, and the calldata floor applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gas {
    /// Total gas.
    pub used: u64,
    /// Gas that the transaction costs before any code runs.
    pub stipend: u64,
}

impl Gas {
    /// Returns the gas that Forge prints: without the part that every transaction pays.
    #[must_use]
    pub fn of_code(self) -> u64 {
        self.used.saturating_sub(self.stipend)
    }
}

/// A resource that a call used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Gas, or memory of the EVM.
    Gas,
    /// Time (`harvey.call_timeout`).
    Time,
    /// Memory of the computer.
    Memory,
}

/// Coverage that an executor saw for the first time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewCoverage {
    /// Edges of branches.
    pub edges: Vec<EdgeId>,
    /// Classes of values read.
    pub values: Vec<ValueId>,
}

/// One transaction of a sequence after its execution.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Outcome of the transaction.
    pub outcome: Outcome,
    /// Path through the code.
    pub path: PathId,
    /// Coverage that was new to this executor; values only of a call that succeeded.
    pub new_coverage: NewCoverage,
    /// Comparisons, reads and writes, if it was traced.
    pub footprint: Option<Arc<Footprint>>,
    /// Return or revert data.
    pub output: Bytes,
    /// Resource that it used up, if that ended it.
    pub exhausted: Option<Exhausted>,
    /// Reason of a failure that breaks properties: a revert under `fail_on_revert` that is not a failed
    /// assertion, or a failed test. Empty if only the failure flag shows that a test failed.
    pub reason: Option<String>,
    /// Gas used.
    pub gas: Gas,
    /// Failed assertion, if it counts; never set for a rejected call.
    pub assertion: Option<AssertionFailure>,
    /// Write to the slot that no program means to write, in a call that succeeded.
    pub arbitrary_write: Option<AssertionFailure>,
    /// Data for the oracles, if the contract is called without a test contract.
    pub taint: Option<Arc<TaintReport>>,
    /// Words that are worth trying as inputs: values and slots written, values returned, words logged.
    pub words: Vec<U256>,
}

/// A property that does not hold after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Index into the suite's properties.
    pub property: usize,
    /// The reason as Forge prints it.
    pub reason: String,
    /// True if `afterInvariant` failed, and not the property itself.
    pub after_invariant: bool,
}

/// A contract that was created while a sequence ran, and that may become a target.
#[derive(Clone, Debug)]
pub struct Created {
    /// Index of the step that created it.
    pub step: usize,
    /// Its address.
    pub address: Address,
    /// Bare name of the contract.
    pub identifier: String,
    /// Functions that change state.
    pub functions: Vec<Arc<TargetFunction>>,
}

/// Verdict of one property after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It holds, with the value that an optimization returned.
    Value(alloy_primitives::I256),
    /// It is broken, with the reason.
    Broken(String),
    /// It skipped itself (`vm.skip`), with the reason given.
    Skipped(Option<String>),
}

/// Work of a run in units that are the same on every computer: jumps and frames, and the equivalents of
/// precompiles and cheatcodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Work of transactions that were not traced.
    pub plain: u64,
    /// Work of traced transactions, which take several times as long.
    pub traced: u64,
    /// Number of steps that were not run, since their results came from the snapshot cache.
    pub resumed: usize,
    /// Number of different instructions of deployed code that ran, if that was asked for.
    pub instructions: usize,
}

/// A call that was running when the time of its run was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterruptedCall {
    /// Index of the call.
    pub index: usize,
    /// CPU time that the call had taken.
    pub cpu: Duration,
}

/// Results of one execution of a sequence.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Work of the run.
    pub work: Work,
    /// One entry per transaction run; fewer than in the sequence if the run ended early.
    pub steps: Vec<Step>,
    /// Properties evaluated, in order.
    pub properties: Vec<PropertyRun>,
    /// The call during which the run was ended, since its time was up.
    pub ended_in: Option<InterruptedCall>,
    /// Resource that a call or a property used up.
    pub exhausted: Option<Exhausted>,
    /// Properties broken after the last step run.
    pub broken: Vec<Broken>,
    /// Largest values that optimization properties returned: property, value, and number of steps run by
    /// then.
    pub best: Vec<(usize, alloy_primitives::I256, usize)>,
    /// Contracts created during the run.
    pub created: Vec<Created>,
    /// Hash of the storage at the end.
    pub state: u64,
    /// Decisions with their conditions, if the run was executed symbolically.
    pub symbolic: Option<Arc<SymbolicPath>>,
    /// Name and signature of a called cheatcode that this tool does not support, with advice.
    pub unsupported: Option<String>,
    /// Reason given by a test that skipped itself (`vm.skip`).
    pub skipped: Option<Option<String>>,
}
