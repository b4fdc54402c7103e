//! Format of a persisted failure: compact JSON with Forge's keys in Forge's order.

use super::{Shows, settings::Settings};
use crate::{
    campaign::store::SavedCall,
    model::{Counterexample, Input, SequenceCall, TargetFunction, TargetSet, Transaction, format::Style},
};
use alloy_primitives::{Address, Bytes, Selector, U256};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use std::sync::Arc;

/// Persisted failure: a sequence and the settings under which it was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForgeFile {
    call_sequence: Vec<ForgeCall>,
    settings: Settings,
    /// True if an assertion of a handler must fail; Forge 1.7.1 then accepts no other failure.
    #[serde(default)]
    assertion_failure: bool,
    /// Initial storage assumed by Forge 1.8's symbolic engine, which we do not support.
    #[serde(default, skip_serializing)]
    storage: Vec<IgnoredAny>,
}

/// Call; only the calldata is required. Numbers are read as hexadecimal or decimal strings, or as plain
/// numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ForgeCall {
    warp: Option<U256>,
    roll: Option<U256>,
    sender: Option<Address>,
    addr: Option<Address>,
    calldata: Bytes,
    /// Call value, for Forge 1.8; earlier versions ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<U256>,
    contract_name: Option<String>,
    func_name: Option<String>,
    signature: Option<String>,
    args: Option<String>,
    raw_args: Option<String>,
}

impl ForgeFile {
    /// Creates the file for a `counterexample` with a failure that Forge can see, found with these targets
    /// and this `fail_on_revert`.
    #[must_use]
    pub fn new(
        counterexample: &Counterexample,
        shows: &Shows<'_>,
        targets: &TargetSet,
        fail_on_revert: bool,
    ) -> Self {
        Self {
            call_sequence: counterexample.calls.iter().map(ForgeCall::from).collect(),
            settings: Settings::new(targets, fail_on_revert),
            assertion_failure: shows.assertion_for_forge(),
            storage: Vec::new(),
        }
    }

    /// Parses a file. Returns `None` if Forge would silently ignore it (damaged, or without settings), if it
    /// has no calls, or if it assumes storage.
    #[must_use]
    pub fn parse(content: &[u8]) -> Option<Self> {
        let file: Self = serde_json::from_slice(content).ok()?;
        (!file.call_sequence.is_empty() && file.storage.is_empty()).then_some(file)
    }

    /// Tells whether the content is a failure of any test: a sequence or one input.
    #[must_use]
    pub fn is_one(content: &[u8]) -> bool {
        Self::parse(content).is_some() || serde_json::from_slice::<ForgeCall>(content).is_ok()
    }

    /// Returns the file contents.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings, numbers and maps with string keys are JSON")
    }

    /// Returns the sequence, decoded with the functions of the current targets.
    #[must_use]
    pub fn counterexample(&self, targets: &TargetSet) -> Counterexample {
        let calls = self.call_sequence.iter().map(|call| call.saved().decode(targets)).collect();
        Counterexample { original_len: self.call_sequence.len(), calls }
    }

    /// Returns the differences between the file's settings and the current ones, as Forge words them. Forge
    /// ignores the file unless there are none.
    #[must_use]
    pub fn check_settings(&self, targets: &TargetSet, fail_on_revert: bool) -> Vec<String> {
        self.settings.changes(&Settings::new(targets, fail_on_revert))
    }

    /// Returns true if both files hold the same transactions.
    pub(super) fn same_calls(&self, other: &Self) -> bool {
        let transactions =
            |file: &Self| -> Vec<_> { file.call_sequence.iter().map(|call| call.saved().tx).collect() };
        transactions(self) == transactions(other)
    }
}

/// Returns the file of a failing input: a call with only its calldata and arguments, as in Forge 1.7. Forge 1.8 adds
/// sender, target and value (`with_sender`), and seed, run and worker of its random numbers, which ours do not have:
/// they come from another generator.
pub(super) fn input_to_json(call: &SequenceCall, with_sender: bool) -> Vec<u8> {
    let whole = ForgeCall::from(call);
    let input = ForgeCall {
        warp: None,
        roll: None,
        sender: whole.sender.filter(|_| with_sender),
        addr: whole.addr.filter(|_| with_sender),
        value: whole.value.filter(|_| with_sender),
        contract_name: None,
        func_name: None,
        signature: None,
        ..whole
    };
    serde_json::to_vec(&input).expect("strings are JSON")
}

/// Returns the selector of the input of a fuzz test; `None` if the content is no such input.
pub(in crate::campaign::store) fn selector_of_input(content: &[u8]) -> Option<Selector> {
    let call: ForgeCall = serde_json::from_slice(content).ok()?;
    call.calldata.get(..4)?.try_into().ok()
}

/// Parses the input of such a file, if it belongs to this test.
pub(in crate::campaign::store) fn parse_input(
    content: &[u8],
    test: &Arc<TargetFunction>,
    target: Address,
) -> Option<Transaction> {
    let call: ForgeCall = serde_json::from_slice(content).ok()?;
    let input = Input::decode(test, &call.calldata);
    input.function()?;
    Some(Transaction { target, input, ..call.saved().tx })
}

impl From<&SequenceCall> for ForgeCall {
    fn from(call: &SequenceCall) -> Self {
        let tx = &call.tx;
        let set = |value: U256| (!value.is_zero()).then_some(value);
        // Forge names the contract only if it knows the function.
        let function = tx.input.function();
        Self {
            warp: set(tx.warp),
            roll: set(tx.roll),
            sender: Some(tx.sender),
            addr: Some(tx.target),
            calldata: call.calldata.clone(),
            value: set(tx.value),
            contract_name: function.and(call.contract.clone()),
            func_name: function.map(|function| function.name.clone()),
            signature: call.signature(),
            args: call.args(Style::Pretty),
            raw_args: call.args(Style::Raw),
        }
    }
}

impl ForgeCall {
    fn saved(&self) -> SavedCall<'_> {
        let tx = Transaction {
            sender: self.sender.unwrap_or_default(),
            target: self.addr.unwrap_or_default(),
            value: self.value.unwrap_or_default(),
            warp: self.warp.unwrap_or_default(),
            roll: self.roll.unwrap_or_default(),
            input: Input::Raw(self.calldata.clone()),
            reentry: None,
        };
        SavedCall { tx, contract: self.contract_name.as_deref(), signature: self.signature.as_deref() }
    }
}

#[cfg(test)]
mod tests;
