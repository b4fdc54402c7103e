//! Import of Medusa's calls. Only their calldata is used, since Medusa did not always update the arguments
//! next to it.

use super::number;
use crate::model::{Input, Transaction};
use alloy_primitives::{Address, Bytes, U256};
use serde_json::Value;

/// Returns one call of a sequence with its signature, if that is known.
pub(super) fn call(element: &Value) -> Option<(Transaction, Option<String>)> {
    let call = element.get("call")?;
    let text = |name: &str| call.get(name).and_then(Value::as_str);
    let delay = |name: &str| element.get(name).and_then(number).unwrap_or_default();
    let calldata: Bytes = text("data").map(str::parse).transpose().ok()?.unwrap_or_default();
    let named = call.pointer("/dataAbiValues/methodSignature").and_then(Value::as_str);
    let signature = if calldata.is_empty() { Some("receive()") } else { named }.map(str::to_owned);
    let address = |name: &str| text(name).and_then(|address| address.parse::<Address>().ok());
    let tx = Transaction {
        sender: address("from")?,
        target: address("to").unwrap_or_default(),
        value: call.get("value").and_then(number).unwrap_or(U256::ZERO),
        warp: delay("blockTimestampDelay"),
        roll: delay("blockNumberDelay"),
        input: Input::Raw(calldata),
        reentry: None,
    };
    Some((tx, signature))
}
