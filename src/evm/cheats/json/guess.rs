//! Values whose types are guessed.
//!
//! An object becomes a tuple. Its members are in the order of a struct of the project that has the same members, or
//! else sorted by name. Where that struct has an array of fixed length, the value is one, too.

use super::{path::select, typed::typed};
use crate::{
    evm::cheats::dispatch::{CheatError, ensure},
    project::StructMembers,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, B256, Bytes, I256, U256, hex};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the ABI encoding of the value at a path, with a guessed type. Several values become an array.
pub(in crate::evm::cheats) fn guess(
    document: &Value,
    path: &str,
    structs: &StructMembers,
) -> Result<Bytes, CheatError> {
    let found = select(document, path)?;
    let mut values =
        found.into_iter().map(|value| guess_value(value, structs)).collect::<Result<Vec<_>, _>>()?;
    Ok(match values.len() {
        0 => Bytes::new(),
        1 => values.remove(0).abi_encode().into(),
        _ => DynSolValue::Array(values).abi_encode().into(),
    })
}

/// Converts a value to a Solidity value, with a guessed type.
pub(in crate::evm::cheats) fn guess_value(
    value: &Value,
    structs: &StructMembers,
) -> Result<DynSolValue, CheatError> {
    match value {
        Value::Null => Ok(DynSolValue::FixedBytes(B256::ZERO, 32)),
        Value::Bool(value) => Ok(DynSolValue::Bool(*value)),
        Value::Number(number) => guessed_number(number),
        Value::String(text) => guessed_string(text),
        Value::Array(values) => {
            let values = values.iter().map(|value| guess_value(value, structs));
            Ok(DynSolValue::Array(values.collect::<Result<_, _>>()?))
        }
        Value::Object(members) => {
            let names: BTreeSet<&str> = members.keys().map(String::as_str).collect();
            let ordered: Vec<&str> = match structs.with_members(&names) {
                Some(order) => order.iter().map(String::as_str).collect(),
                None => names.iter().copied().collect(),
            };
            let values = ordered.into_iter().filter_map(|name| {
                let value = members.get(name)?;
                let kind = structs.type_of(&names, name);
                let fixed = kind.and_then(|kind| fixed_array(value, kind, structs));
                Some(fixed.unwrap_or_else(|| guess_value(value, structs)))
            });
            Ok(DynSolValue::Tuple(values.collect::<Result<_, _>>()?))
        }
    }
}

/// Converts a member of a struct whose type has an array of fixed length, as Forge 1.8 does. Returns nothing for other
/// types, which are guessed.
fn fixed_array(
    value: &Value,
    kind: &str,
    structs: &StructMembers,
) -> Option<Result<DynSolValue, CheatError>> {
    let (root, brackets) = kind.split_at(kind.find('[')?);
    let is_struct = match structs.named(root) {
        Ok(Some(_)) => true,
        Ok(None) if !root.contains('.') => false,
        _ => return None,
    };
    // The elements of arrays of structs are guessed, so that any type stands for them.
    let root = if is_struct { "bool" } else { root };
    let kind = DynSolType::parse(&format!("{root}{brackets}")).ok()?;
    if !has_fixed_length(&kind) {
        return None;
    }
    Some(if is_struct { array_of_structs(value, &kind, structs) } else { typed(value, &kind) })
}

fn has_fixed_length(kind: &DynSolType) -> bool {
    match kind {
        DynSolType::FixedArray(..) => true,
        DynSolType::Array(inner) => has_fixed_length(inner),
        _ => false,
    }
}

/// Converts an array of this form, whose elements are guessed.
fn array_of_structs(
    value: &Value,
    kind: &DynSolType,
    structs: &StructMembers,
) -> Result<DynSolValue, CheatError> {
    let inner = match kind {
        DynSolType::Array(inner) | DynSolType::FixedArray(inner, _) => inner,
        _ => return guess_value(value, structs),
    };
    let Value::Array(values) = value else { return Err("expected array".into()) };
    if let DynSolType::FixedArray(_, length) = kind {
        ensure!(values.len() == *length, "array length mismatch");
    }
    let elements = values.iter().map(|value| array_of_structs(value, inner, structs));
    let elements = elements.collect::<Result<_, _>>()?;
    Ok(match kind {
        DynSolType::FixedArray(..) => DynSolValue::FixedArray(elements),
        _ => DynSolValue::Array(elements),
    })
}

/// Converts a whole number in any notation.
fn guessed_number(number: &serde_json::Number) -> Result<DynSolValue, CheatError> {
    let whole = number.as_f64().filter(|value| value.fract() == 0.0);
    let text = number.to_string();
    let plain = whole.map(|value| if text.contains('e') { value.to_string() } else { text });
    let parsed = plain.and_then(|text| match text.parse() {
        Ok(value) => Some(DynSolValue::Uint(value, 256)),
        Err(_) => Some(DynSolValue::Int(I256::from_dec_str(&text).ok()?, 256)),
    });
    Ok(parsed.ok_or_else(|| format!("unsupported JSON number: {number}"))?)
}

/// Guesses the type of a string: hexadecimal digits by their length, integers of more than 64 bits, or else
/// text.
fn guessed_string(text: &str) -> Result<DynSolValue, CheatError> {
    if let Some(digits) = text.strip_prefix("0x") {
        ensure!(
            digits.len() != 39,
            "Cannot parse {digits:?} as an address. \
             If you want to specify address, prepend zero to the value."
        );
        let even = format!("{}{digits}", if digits.len() % 2 == 0 { "" } else { "0" });
        if let Ok(bytes) = hex::decode(even) {
            return Ok(match bytes.len() {
                20 => DynSolValue::Address(Address::from_slice(&bytes)),
                32 => DynSolValue::FixedBytes(B256::from_slice(&bytes), 32),
                _ => DynSolValue::Bytes(bytes),
            });
        }
    }
    if let Some(value) = text.parse::<I256>().ok().filter(|value| i64::try_from(*value).is_err()) {
        return Ok(DynSolValue::Int(value, 256));
    }
    if let Some(value) = text.parse::<U256>().ok().filter(|value| u64::try_from(*value).is_err()) {
        return Ok(DynSolValue::Uint(value, 256));
    }
    Ok(DynSolValue::String(text.to_owned()))
}
