//! Values as plain text, as Forge's assertion and console messages show them.

use alloy_dyn_abi::DynSolValue;
use alloy_primitives::hex;

/// Formats a value without hints (such as `[1e18]`) and quotes: arrays as `[a, b]`, bytes as hex, addresses
/// checksummed.
pub(super) fn plain(value: &DynSolValue) -> String {
    match value {
        DynSolValue::Bool(value) => value.to_string(),
        DynSolValue::Int(value, _) => value.to_string(),
        DynSolValue::Uint(value, _) => value.to_string(),
        DynSolValue::FixedBytes(word, size) => hex::encode_prefixed(&word[..*size]),
        DynSolValue::Address(value) => value.to_string(),
        DynSolValue::Function(value) => value.to_string(),
        DynSolValue::Bytes(value) => hex::encode_prefixed(value),
        DynSolValue::String(value) => value.clone(),
        DynSolValue::Array(values) | DynSolValue::FixedArray(values) => format!("[{}]", list(values)),
        DynSolValue::Tuple(values) | DynSolValue::CustomStruct { tuple: values, .. } => {
            format!("({})", list(values))
        }
    }
}

fn list(values: &[DynSolValue]) -> String {
    values.iter().map(plain).collect::<Vec<_>>().join(", ")
}
