//! Import of Echidna's calls: each has a function name and typed values, which give the signature. The list
//! also contains constructor calls and waits. A wait is time that passes before the next call.

use super::{calldata, number};
use crate::model::{Input, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, B256, Bytes, I256, U256, hex};
use serde_json::Value;

/// Returns the calls with their signatures.
pub(super) fn calls(elements: &[Value]) -> Vec<(Transaction, Option<String>)> {
    let (mut warp, mut roll) = (U256::ZERO, U256::ZERO);
    let mut calls = Vec::new();
    for element in elements {
        let delay = |index: usize| {
            field(element, "delay").and_then(|delay| number(delay.get(index)?)).unwrap_or_default()
        };
        warp = warp.saturating_add(delay(0));
        roll = roll.saturating_add(delay(1));
        if let Some((mut tx, signature)) = call(element) {
            (tx.warp, tx.roll) = (std::mem::take(&mut warp), std::mem::take(&mut roll));
            calls.push((tx, signature));
        }
    }
    calls
}

/// Returns a call with its signature, if that is known.
fn call(element: &Value) -> Option<(Transaction, Option<String>)> {
    let call = field(element, "call")?;
    let contents = call.get("contents");
    let (signature, calldata) = match call.get("tag")?.as_str()? {
        "SolCall" => {
            let (name, args) = (contents?.get(0)?.as_str()?, contents?.get(1)?.as_array()?);
            let types: Option<Vec<_>> = args.iter().map(type_of).collect();
            let signature =
                format!("{}({})", if name.is_empty() { "receive" } else { name }, types?.join(","));
            let args: Vec<_> = args.iter().map(value).collect::<Option<_>>()?;
            let calldata = if name.is_empty() { Bytes::new() } else { calldata(&signature, &args)? };
            (Some(signature), calldata)
        }
        "SolCalldata" => {
            let text = contents?.as_str()?;
            let plain = text.strip_prefix("0x").and_then(|hex| hex::decode(hex).ok());
            (None, plain.or_else(|| shown(text))?.into())
        }
        _ => return None,
    };
    let address = |name: &str| field(element, name)?.as_str()?.parse::<Address>().ok();
    let tx = Transaction {
        sender: address("src")?,
        target: address("dst").unwrap_or_default(),
        value: field(element, "value").and_then(number).unwrap_or_default(),
        warp: U256::ZERO,
        roll: U256::ZERO,
        input: Input::Raw(calldata),
        reentry: None,
    };
    Some((tx, signature))
}

/// Returns a field of a call. Before Echidna 2.1, field names began with an underscore.
fn field<'a>(element: &'a Value, name: &str) -> Option<&'a Value> {
    element.get(name).or_else(|| element.get(format!("_{name}")))
}

/// Returns the Solidity name of a value's type.
fn type_of(value: &Value) -> Option<String> {
    let contents = value.get("contents");
    let size = || contents?.get(0)?.as_u64();
    Some(match value.get("tag")?.as_str()? {
        "AbiUInt" => format!("uint{}", size()?),
        "AbiInt" => format!("int{}", size()?),
        "AbiAddress" => "address".to_owned(),
        "AbiBool" => "bool".to_owned(),
        "AbiBytes" => format!("bytes{}", size()?),
        "AbiBytesDynamic" => "bytes".to_owned(),
        "AbiString" => "string".to_owned(),
        "AbiTuple" => {
            let all = contents?.as_array()?.iter().map(type_of).collect::<Option<Vec<_>>>()?;
            format!("({})", all.join(","))
        }
        // Arrays name their element type, since they may be empty.
        "AbiArrayDynamic" => format!("{}[]", type_named(contents?.get(0)?)?),
        "AbiArray" => format!("{}[{}]", type_named(contents?.get(1)?)?, size()?),
        _ => return None,
    })
}

/// Returns the Solidity name of a type given by its own tag.
fn type_named(ty: &Value) -> Option<String> {
    let contents = ty.get("contents");
    Some(match ty.get("tag")?.as_str()? {
        "AbiUIntType" => format!("uint{}", contents?.as_u64()?),
        "AbiIntType" => format!("int{}", contents?.as_u64()?),
        "AbiAddressType" => "address".to_owned(),
        "AbiBoolType" => "bool".to_owned(),
        "AbiBytesType" => format!("bytes{}", contents?.as_u64()?),
        "AbiBytesDynamicType" => "bytes".to_owned(),
        "AbiStringType" => "string".to_owned(),
        "AbiArrayDynamicType" => format!("{}[]", type_named(contents?)?),
        "AbiArrayType" => format!("{}[{}]", type_named(contents?.get(1)?)?, contents?.get(0)?.as_u64()?),
        "AbiTupleType" => {
            let all = contents?.as_array()?.iter().map(type_named).collect::<Option<Vec<_>>>()?;
            format!("({})", all.join(","))
        }
        _ => return None,
    })
}

/// Decodes a value by its tag in hevm.
fn value(value: &Value) -> Option<DynSolValue> {
    let contents = value.get("contents");
    let sized = || {
        let pair = contents?.as_array()?;
        Some((usize::try_from(pair.first()?.as_u64()?).ok()?, pair.get(1)?))
    };
    let all = |values: &Value| values.as_array()?.iter().map(self::value).collect::<Option<Vec<_>>>();
    Some(match value.get("tag")?.as_str()? {
        "AbiUInt" => {
            let (bits, number) = sized()?;
            DynSolValue::Uint(super::number(number)?, bits)
        }
        "AbiInt" => {
            let (bits, number) = sized()?;
            DynSolValue::Int(signed(number)?, bits)
        }
        "AbiAddress" => DynSolValue::Address(contents?.as_str()?.parse().ok()?),
        "AbiBool" => DynSolValue::Bool(contents?.as_bool()?),
        "AbiBytes" => {
            let (length, text) = sized()?;
            let bytes = shown(text.as_str()?)?;
            let mut word = B256::ZERO;
            word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
            DynSolValue::FixedBytes(word, length)
        }
        "AbiBytesDynamic" => DynSolValue::Bytes(shown(contents?.as_str()?)?),
        "AbiString" => {
            DynSolValue::String(String::from_utf8_lossy(&shown(contents?.as_str()?)?).into_owned())
        }
        "AbiTuple" => DynSolValue::Tuple(all(contents?)?),
        "AbiArrayDynamic" => DynSolValue::Array(all(contents?.get(1)?)?),
        "AbiArray" => DynSolValue::FixedArray(all(contents?.get(2)?)?),
        _ => return None,
    })
}

fn signed(value: &Value) -> Option<I256> {
    match value {
        Value::Number(number) => I256::try_from(number.as_i64()?).ok(),
        Value::String(text) => text.parse::<I256>().ok().or_else(|| number(value).map(I256::from_raw)),
        _ => None,
    }
}

/// Decodes bytes from a Haskell string literal, with quotes and escapes.
fn shown(text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut bytes = Vec::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.push(u8::try_from(u32::from(c)).ok()?);
            continue;
        }
        let mut code = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            code.push(digit);
        }
        if !code.is_empty() {
            bytes.push(code.parse().ok()?);
            continue;
        }
        match rest.next()? {
            // Empty escape that separates a numeric escape from a following digit.
            '&' => {}
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'f' => bytes.push(12),
            'v' => bytes.push(11),
            c @ ('"' | '\\' | '\'') => bytes.push(c as u8),
            'x' => {
                let mut code = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_hexdigit) {
                    code.push(digit);
                }
                bytes.push(u8::from_str_radix(&code, 16).ok()?);
            }
            c => bytes.push(control(c, &mut rest)?),
        }
    }
    Some(bytes)
}

/// Haskell names of control characters, by code.
const CONTROLS: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS",
    "US",
];

/// Decodes a control character by its name, using the longest match (`SOH` before `SO`).
fn control(first: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<u8> {
    let ahead: String = std::iter::once(first).chain(rest.clone().take(2)).collect();
    let fits = CONTROLS.iter().chain(&["DEL"]).enumerate().filter(|(_, name)| ahead.starts_with(**name));
    let (code, name) = fits.max_by_key(|(_, name)| name.len())?;
    if name.len() > 1 {
        rest.nth(name.len() - 2);
    }
    u8::try_from(if *name == "DEL" { 127 } else { code }).ok()
}
