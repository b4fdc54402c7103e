//! Findings and the counterexamples that show them.

use crate::model::{
    format,
    outcome::Found,
    place::Place,
    trace::{Trace, TraceKind},
    transaction::{Input, Transaction},
};
use alloy_primitives::{Address, B256};
use std::fmt;

/// Kind of a failed assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssertionKind {
    /// Solidity `assert`: Panic(0x01).
    Panic,
    /// The INVALID opcode (`assert` before 0.8).
    Invalid,
    /// A revert of a `vm.assert*` cheatcode, with or without a custom message.
    VmAssert,
    /// The global failure flag was set (`fail()`, DSTest assertions).
    FailFlag,
    /// No assertion: a write to the slot that no program means to write (SWC-124).
    ArbitraryWrite,
    /// No assertion: a report of another oracle.
    Oracle,
}

impl AssertionKind {
    /// Returns a stable lower-case name for reports and persisted files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Invalid => "invalid",
            Self::VmAssert => "vm-assert",
            Self::FailFlag => "fail-flag",
            Self::ArbitraryWrite => "arbitrary-write",
            Self::Oracle => "oracle",
        }
    }
}

/// A place in deployed code, by which findings are de-duplicated: the code with immutables masked and
/// metadata stripped, and the offset of the instruction in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Identity of the code.
    pub code: B256,
    /// Program counter.
    pub pc: usize,
    /// Place in the sources, if the source map has it.
    pub location: Option<Place>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => location.fmt(f),
            None => write!(f, "code {} at pc {}", self.code, self.pc),
        }
    }
}

/// A transaction of a counterexample, with data about its target.
#[derive(Clone, Debug)]
pub struct SequenceCall {
    /// The transaction.
    pub tx: Transaction,
    /// `path:Name` of the target, if known.
    pub contract: Option<String>,
    /// Calldata, encoded once.
    pub calldata: alloy_primitives::Bytes,
    /// Declaration of the function, if it was looked up.
    pub place: Option<Place>,
    /// Account that called back during the call, if the contract is called without a test contract.
    pub called_back_by: Option<Address>,
}

impl SequenceCall {
    /// Joins a transaction with its target's identifier.
    #[must_use]
    pub fn new(tx: Transaction, contract: Option<String>) -> Self {
        let calldata = tx.input.calldata();
        Self { tx, contract, calldata, place: None, called_back_by: None }
    }

    /// Returns the signature, as in `deposit(uint256)`, if the function is known.
    #[must_use]
    pub fn signature(&self) -> Option<String> {
        self.tx.input.function().map(|function| function.signature().to_owned())
    }

    /// Formats the arguments as Forge does, separated by `, `. The raw style has no hints and quotes.
    #[must_use]
    pub fn args(&self, style: format::Style) -> Option<String> {
        match &self.tx.input {
            Input::Typed { function, args } => Some(format::args(&function.inputs, args, style)),
            Input::Raw(_) => None,
        }
    }
}

/// A sequence that shows a failure when it is replayed from the state after `setUp`.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Length of the sequence before it was shrunk.
    pub original_len: usize,
    /// The shrunk sequence.
    pub calls: Vec<SequenceCall>,
}

impl Counterexample {
    /// Tells whether a callee calls back in it. Forge's failure files cannot express that, and Solidity tests
    /// only in some cases.
    #[must_use]
    pub fn calls_back(&self) -> bool {
        self.calls.iter().any(|call| call.tx.reentry.is_some())
    }
}

/// A failed assert property, or a report of another oracle. It does not belong to one test function.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Id that is the same in every run: oracle, location and entry function.
    pub id: String,
    /// Name of the oracle.
    pub oracle: &'static str,
    /// Kind of assertion.
    pub kind: AssertionKind,
    /// Identifier (`path:Name`) of the contract whose function was called last.
    pub contract: String,
    /// Address of that contract.
    pub address: Address,
    /// Signature of the entry function.
    pub function: String,
    /// Place of the assertion or the write.
    pub site: Site,
    /// Account whose storage was written, for an arbitrary write.
    pub written: Option<Address>,
    /// The reason as Forge prints it.
    pub reason: String,
    /// True if its last call reverts.
    pub reverts: bool,
    /// Sequence that reproduces it.
    pub counterexample: Counterexample,
    /// Traces of the sequence's calls.
    pub traces: Vec<(TraceKind, Trace)>,
    /// `console.log` and DSTest log lines of the replay.
    pub logs: Vec<String>,
    /// True if it was found by replaying a persisted failure.
    pub replayed: bool,
    /// Point of the campaign at which it was found.
    pub found: Found,
    /// True if its sequence is shown as Solidity (`show_solidity`).
    pub show_solidity: bool,
    /// Settings in the comments of the functions in whose campaign it was found, as they were written there.
    pub comments: Vec<String>,
    /// Path of the file in Forge's format that replays it, relative to the root. If it is `None`,
    /// `unforgeable` has the reason.
    pub forge_file: Option<String>,
    /// Reason for which Forge's replay format cannot express it, if it cannot.
    pub unforgeable: Option<String>,
}
