//! What one execution of a sequence showed. A revert is data, not an error.

use crate::model::{
    branch::{EdgeId, Footprint, PropertyRun, ValueId},
    finding::{AssertionKind, Site},
    taint::TaintReport,
    target::TargetFunction,
};
use alloy_primitives::{Address, Bytes, U256};
use std::sync::Arc;

/// Hash of the branch decisions (code, pc, taken) of one transaction, nested calls included and
/// cheatcode calls excluded (Harvey section 3; loop iterations counted in buckets).
pub type PathId = u64;

/// How a transaction ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It did not revert.
    #[default]
    Success,
    /// It reverted or halted.
    Revert,
    /// `vm.assume` (or `vm.assumeNoRevert`) rejected it: not counted, not kept.
    Discard,
}

/// An assertion that failed during a transaction and reached its top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionFailure {
    /// Which kind of assertion.
    pub kind: AssertionKind,
    /// Where in the code.
    pub site: Site,
    /// The reason as Forge prints it.
    pub reason: String,
    /// The account whose storage was written, of an arbitrary write.
    pub written: Option<Address>,
}

/// Gas of a transaction as a receipt has it: refunds are subtracted, and calldata has its floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gas {
    /// All of it.
    pub used: u64,
    /// What it costs before any code runs.
    pub stipend: u64,
}

impl Gas {
    /// What Forge prints: gas without the part that every transaction pays.
    #[must_use]
    pub fn of_code(self) -> u64 {
        self.used.saturating_sub(self.stipend)
    }
}

/// What a call can have no more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Gas, or memory of the EVM.
    Gas,
    /// Time (`harvey.call_timeout`).
    Time,
    /// Memory of the machine.
    Memory,
}

/// One transaction of a sequence as it ran.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// How it ended.
    pub outcome: Outcome,
    /// Path through the code.
    pub path: PathId,
    /// Edges that this executor saw for the first time.
    pub edges: Vec<EdgeId>,
    /// Classes of values that this executor saw read for the first time; of a call that succeeded alone.
    pub values: Vec<ValueId>,
    /// What it compared, read and wrote, where it was tracked.
    pub footprint: Option<Arc<Footprint>>,
    /// Return or revert data.
    pub output: Bytes,
    /// What it had no more of, if that is how it ended.
    pub exhausted: Option<Exhausted>,
    /// Why it failed, where that breaks properties: a revert under `fail_on_revert` that no assertion is to blame for,
    /// or a test. Empty when nothing but the failure flag tells of a test's failure.
    pub reason: Option<String>,
    /// Gas used.
    pub gas: Gas,
    /// The assertion that failed in it, if one did that counts; never of a call that was rejected.
    pub assertion: Option<AssertionFailure>,
    /// The write to a slot that no program means to write, in a call that succeeded.
    pub arbitrary_write: Option<AssertionFailure>,
    /// What oracles look at, of a contract that is called without a test contract.
    pub taint: Option<Arc<TaintReport>>,
    /// Words seen on the way that are worth trying as inputs: values and slots written, values
    /// returned, words logged.
    pub words: Vec<U256>,
}

/// A property that does not hold after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Index into the suite's properties.
    pub property: usize,
    /// The reason as Forge prints it.
    pub reason: String,
    /// Whether `afterInvariant` failed rather than the property itself.
    pub after_invariant: bool,
}

/// A contract created while a sequence ran that may become a target.
#[derive(Clone, Debug)]
pub struct Created {
    /// Index of the step that created it.
    pub step: usize,
    /// Its address.
    pub address: Address,
    /// Its bare name.
    pub identifier: String,
    /// Functions that change state.
    pub functions: Vec<Arc<TargetFunction>>,
}

/// What one property said after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It holds, with the value that an optimization returned.
    Value(alloy_primitives::I256),
    /// It is broken, with the reason.
    Broken(String),
    /// It asked to be skipped (`vm.skip`), with the reason given.
    Skipped(Option<String>),
}

/// What a run took, in units that are the same on every machine: jumps and frames, and what precompiles and cheatcodes count
/// for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Of transactions that were not tracked.
    pub plain: u64,
    /// Of those that were, which take several times as long.
    pub traced: u64,
}

/// What one execution of a sequence showed.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// What it took.
    pub work: Work,
    /// How many of the steps were not run: what they lead to was known.
    pub resumed: usize,
    /// One entry per transaction run; shorter than the sequence when the run ended early.
    pub steps: Vec<Step>,
    /// Properties evaluated, in order.
    pub properties: Vec<PropertyRun>,
    /// The call in the middle of which the run was ended, since the time was up.
    pub ended_in: Option<usize>,
    /// What a call of it, or a property, had no more of.
    pub exhausted: Option<Exhausted>,
    /// Properties broken after the last step run.
    pub broken: Vec<Broken>,
    /// Largest values that optimization properties returned: property, value, steps run by then.
    pub best: Vec<(usize, alloy_primitives::I256, usize)>,
    /// Contracts created on the way.
    pub created: Vec<Created>,
    /// Hash of the storage at the end.
    pub state: u64,
    /// A cheatcode that this tool does not have was called: its name, signature and what to do.
    pub unsupported: Option<String>,
    /// A test asked to be skipped (`vm.skip`), with the reason given.
    pub skipped: Option<Option<String>>,
}
