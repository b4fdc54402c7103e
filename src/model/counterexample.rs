//! Counterexamples: sequences that show a failure.

use crate::model::{
    format,
    place::Place,
    transaction::{Input, Transaction},
};
use alloy_primitives::Address;

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
    /// True if the sender is known to own the value that it sends, as far as it sends any.
    pub owns_value: bool,
    /// Account that called back during the call, if the contract is called without a test contract.
    pub called_back_by: Option<Address>,
}

impl SequenceCall {
    /// Joins a transaction with its target's identifier. Its sender is not known to own any wei.
    #[must_use]
    pub fn new(tx: Transaction, contract: Option<String>) -> Self {
        let (calldata, owns_value) = (tx.input.calldata(), tx.value.is_zero());
        Self { tx, contract, calldata, place: None, owns_value, called_back_by: None }
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
