//! Reasons of reverts: the data and the contract that an expected or assumed revert must have.

use crate::evm::cheats::vm::Vm;
use alloy_primitives::{Address, Bytes, hex};
use alloy_sol_types::{Revert, SolError, SolValue};
use revm::interpreter::{InstructionResult, InterpreterResult};

/// Revert data and contract that a revert must have.
#[derive(Clone, Debug, Default)]
pub(super) struct Reason {
    pub(super) data: Option<Bytes>,
    /// True if the first four bytes are enough.
    pub(super) partial: bool,
    pub(super) reverter: Option<Address>,
}

/// Function that words revert data; see [`super::super::CheatEnv::revert_text`].
type RevertFormat<'a> = dyn Fn(&[u8]) -> String + 'a;

impl Reason {
    /// Checks that a revert is the one meant; the error is Forge's message.
    pub(super) fn matches(
        &self,
        result: &InterpreterResult,
        by: Option<Address>,
        text: &RevertFormat<'_>,
    ) -> Result<(), String> {
        if let (Some(expected), Some(actual)) = (self.reverter, by)
            && expected != actual
        {
            return Err(format!("Reverter != expected reverter: {actual} != {expected}"));
        }
        let Some(expected) = &self.data else { return Ok(()) };
        let mut data = result.output.clone();
        if !expected.is_empty() && data.is_empty() {
            if result.result == InstructionResult::Revert {
                return Err("call reverted as expected, but without data".into());
            }
            // As in Forge 1.8, a call that ended exceptionally is known by the name of the exception.
            data = format!("EvmError: {:?}", result.result).into_bytes().into();
        }
        if self.partial && data.get(..4) == expected.get(..4) {
            return Ok(());
        }
        let (actual, expected) = (unwrapped(&data), &unwrapped(expected));
        let texts = (text(&actual), text(expected));
        if !self.partial && (actual == *expected || texts.0 == texts.1) {
            return Ok(());
        }
        Err(format!("Error != expected error: {} != {}", texts.0, texts.1))
    }

    /// Checks that no such revert happened.
    pub(super) fn forbids(&self, reverted: bool, data: &Bytes, by: Option<Address>) -> Result<(), String> {
        if !reverted {
            return Ok(());
        }
        let (got, by) = (plain(data), by.unwrap_or_default());
        let same = self.data.as_ref().is_none_or(|expected| unwrapped(data) == unwrapped(expected));
        Err(match (&self.data, self.reverter) {
            (None, None) => "call reverted when it was expected not to revert".to_owned(),
            (None, Some(from)) if from == by => {
                format!("expected 0 reverts from address: {from}, but got one")
            }
            (None, Some(from)) => {
                format!("call reverted with '{got}' from {by}, but expected 0 reverts from {from}")
            }
            (Some(reason), None) if same => {
                format!("expected 0 reverts with reason: {}, but got one", plain(reason))
            }
            (Some(_), None) => format!("call reverted with '{got}' when it was expected not to revert"),
            (Some(reason), Some(from)) if same && from == by => format!(
                "expected 0 reverts with reason: {}, from address: {from}, but got one",
                plain(reason)
            ),
            (Some(reason), Some(from)) => format!(
                "call reverted with '{got}' from {by}, but expected 0 reverts with reason '{}' from {from}",
                plain(reason)
            ),
        })
    }
}

/// Returns the text that revert data holds, or else the data.
fn plain(data: &Bytes) -> String {
    let inner = unwrapped(data);
    let text = String::from_utf8(inner.to_vec()).ok();
    let text = text.filter(|text| !text.chars().any(|letter| letter.is_control()));
    text.unwrap_or_else(|| hex::encode_prefixed(data))
}

/// Returns the text inside `Error(string)` and `CheatcodeError(string)`; other revert data as it is.
fn unwrapped(data: &Bytes) -> Bytes {
    let wrapped =
        [Revert::SELECTOR, Vm::CheatcodeError::SELECTOR].iter().any(|selector| data.starts_with(selector));
    let inner = if wrapped { Bytes::abi_decode(&data[4..]).ok() } else { None };
    inner.unwrap_or_else(|| data.clone())
}
