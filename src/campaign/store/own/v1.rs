//! Version 1 of the failure format: human-readable JSON that ends with a checksum of the rest, which may be
//! removed after manual edits. Only the calldata counts. Signature and arguments are given for the reader,
//! except that the signature decodes calls of contracts that are not targets.

use super::{Failed, SavedFailure, hash};
use crate::{
    campaign::store::{SavedCall, SavedReentry, Unreadable},
    model::{
        AssertionKind, ContractId, Counterexample, Input, SequenceCall, TargetSet, Transaction, format::Style,
    },
};
use alloy_primitives::{Address, Bytes, U256};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

const VERSION: u64 = 1;

#[derive(Deserialize)]
struct FailureHeader {
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct FailureFile {
    version: u64,
    /// `path:Name` of the test contract.
    suite: String,
    failed: FailedProperty,
    reason: String,
    seed: U256,
    /// Number of calls in the sequence before it was shrunk.
    original_length: usize,
    calls: Vec<FailureCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl FailureFile {
    fn text(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("strings, numbers and lists of them are JSON");
        text.push('\n');
        text
    }

    /// Removes the checksum and verifies it.
    fn check(&mut self) -> Result<(), Unreadable> {
        let Some(checksum) = self.checksum.take() else { return Ok(()) };
        if checksum == hash(&self.text()) {
            return Ok(());
        }
        Err(Unreadable::Damaged(
            "it is not what its checksum is of; where it was edited, remove that".to_owned(),
        ))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum FailedProperty {
    Invariant {
        function: String,
    },
    Test {
        function: String,
    },
    Assertion {
        id: String,
        oracle: String,
        #[serde(with = "FailureKind")]
        assertion: AssertionKind,
        contract: String,
        function: String,
        location: Option<String>,
    },
}

/// [`AssertionKind`] by the names of [`AssertionKind::name`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "AssertionKind", rename_all = "kebab-case")]
enum FailureKind {
    Panic,
    Invalid,
    VmAssert,
    FailFlag,
    ArbitraryWrite,
    Oracle,
}

#[derive(Serialize, Deserialize)]
struct FailureCall {
    sender: Address,
    target: Address,
    contract: Option<String>,
    signature: Option<String>,
    args: Option<String>,
    calldata: Bytes,
    /// Wei.
    #[serde(default, serialize_with = "decimal")]
    value: U256,
    /// Seconds before the call.
    #[serde(default, serialize_with = "decimal")]
    warp: U256,
    /// Blocks before the call.
    #[serde(default, serialize_with = "decimal")]
    roll: U256,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reentry: Option<SavedReentry>,
}

fn decimal<S: serde::Serializer>(value: &U256, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Returns the text of a failure of `suite`.
pub(super) fn write(suite: &ContractId, saved: &SavedFailure) -> String {
    let mut file = FailureFile {
        version: VERSION,
        suite: suite.to_string(),
        failed: FailedProperty::from(&saved.failed),
        reason: saved.reason.clone(),
        seed: saved.seed,
        original_length: saved.counterexample.original_len,
        calls: saved.counterexample.calls.iter().map(FailureCall::from).collect(),
        checksum: None,
    };
    file.checksum = Some(hash(&file.text()));
    file.text()
}

fn parse(text: &str) -> Result<FailureFile, Unreadable> {
    let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
    let FailureHeader { version } = serde_json::from_str(text).map_err(damaged)?;
    if version != VERSION {
        return Err(Unreadable::LeftAlone(format!(
            "it has version {version} of the format, and this forge-harvey knows version {VERSION}"
        )));
    }
    let mut file: FailureFile = serde_json::from_str(text).map_err(damaged)?;
    file.check()?;
    Ok(file)
}

/// Returns the suite and the failed property.
pub(super) fn header(text: &str) -> Result<(ContractId, Failed), Unreadable> {
    let file = parse(text)?;
    let suite = ContractId::parse(&file.suite)
        .ok_or_else(|| Unreadable::Damaged(format!("{:?} names no contract", file.suite)))?;
    Ok((suite, file.failed.into()))
}

/// Returns the number of calls.
pub(super) fn length(text: &str) -> Option<usize> {
    parse(text).ok().map(|file| file.calls.len())
}

/// Reads a failure.
pub(super) fn read(text: &str, targets: &TargetSet) -> Result<SavedFailure, Unreadable> {
    let file = parse(text)?;
    let calls = file.calls.iter().map(|call| call.saved().decode(targets)).collect();
    Ok(SavedFailure {
        failed: file.failed.into(),
        reason: file.reason,
        seed: file.seed,
        counterexample: Counterexample { original_len: file.original_length, calls },
    })
}

impl From<&Failed> for FailedProperty {
    fn from(failed: &Failed) -> Self {
        match failed.clone() {
            Failed::Invariant(function) => Self::Invariant { function },
            Failed::Test(function) => Self::Test { function },
            Failed::Assertion { id, oracle, kind, contract, function, location } => {
                Self::Assertion { id, oracle, assertion: kind, contract, function, location }
            }
        }
    }
}

impl From<FailedProperty> for Failed {
    fn from(property: FailedProperty) -> Self {
        match property {
            FailedProperty::Invariant { function } => Self::Invariant(function),
            FailedProperty::Test { function } => Self::Test(function),
            FailedProperty::Assertion { id, oracle, assertion, contract, function, location } => {
                Self::Assertion { id, oracle, kind: assertion, contract, function, location }
            }
        }
    }
}

impl From<&SequenceCall> for FailureCall {
    fn from(call: &SequenceCall) -> Self {
        Self {
            sender: call.tx.sender,
            target: call.tx.target,
            contract: call.contract.clone(),
            signature: call.signature(),
            args: call.args(Style::Pretty),
            calldata: call.calldata.clone(),
            value: call.tx.value,
            warp: call.tx.warp,
            roll: call.tx.roll,
            reentry: call.tx.reentry.as_deref().map(SavedReentry::from),
        }
    }
}

impl FailureCall {
    fn saved(&self) -> SavedCall<'_> {
        let tx = Transaction {
            sender: self.sender,
            target: self.target,
            value: self.value,
            warp: self.warp,
            roll: self.roll,
            input: Input::Raw(self.calldata.clone()),
            reentry: self.reentry.as_ref().map(|back| Arc::new(back.reentry(&BTreeMap::new()))),
        };
        SavedCall { tx, contract: self.contract.as_deref(), signature: self.signature.as_deref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_assertion_are_named_as_in_reports() {
        #[derive(Serialize)]
        struct Named(#[serde(with = "FailureKind")] AssertionKind);
        use AssertionKind::{ArbitraryWrite, FailFlag, Invalid, Oracle, Panic, VmAssert};
        for kind in [Panic, Invalid, VmAssert, FailFlag, ArbitraryWrite, Oracle] {
            assert_eq!(serde_json::to_value(Named(kind)).unwrap(), kind.name());
        }
    }
}
