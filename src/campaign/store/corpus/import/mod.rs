//! Import of sequences from other fuzzers. Their calls have a function with arguments, or calldata. Contract
//! addresses are meaningless here, so that a call goes to any target with its function.

mod echidna;
mod medusa;

use super::v1::CorpusEntry;
use crate::{
    campaign::store::forge::{SymbolicArtifact, kept_by_forge},
    model::parse_function,
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_primitives::{Bytes, U256};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read as _;

#[cfg(test)]
mod tests;

/// Maximum decompressed size of a file in bytes.
const MOST: u64 = 1 << 26;

/// Reads a file of Echidna (`coverage/*.txt`, `reproducers/*.txt`), Medusa (`call_sequences/**/*.json`) or
/// Forge (`corpus_dir`, `cache/symbolic/**/*.json`), and detects its format. Calls with invalid arguments are left out.
///
/// # Errors
/// Fails with the reason if the file has none of these formats.
pub fn read(bytes: &[u8]) -> Result<Vec<CorpusEntry>, String> {
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes).take(MOST).read_to_end(&mut text).map_err(|error| error.to_string())?;
    } else {
        text.extend_from_slice(bytes);
    }
    if SymbolicArtifact::is_one(&text) {
        return Ok(vec![SymbolicArtifact::parse(&text)?.entry()?]);
    }
    let Value::Array(calls) = serde_json::from_slice(&text).map_err(|error| error.to_string())? else {
        return Err("it is no list of calls".to_owned());
    };
    let Some(first) = calls.first() else { return Ok(Vec::new()) };
    let entry = if first.get("calldata").is_some() {
        let calls = kept_by_forge(&text).ok_or("it is no sequence of Forge's")?;
        CorpusEntry::imported(calls.into_iter().map(|tx| (tx, None)))
    } else if first.pointer("/call/from").is_some() {
        CorpusEntry::imported(calls.iter().filter_map(medusa::call))
    } else if first.pointer("/call/tag").or(first.pointer("/_call/tag")).is_some() {
        CorpusEntry::imported(echidna::calls(&calls))
    } else {
        return Err("its calls are neither Echidna's nor Medusa's nor Forge's".to_owned());
    };
    Ok(if entry.is_empty() { Vec::new() } else { vec![entry] })
}

/// Encodes a call with these arguments, if they have the types of the signature.
fn calldata(signature: &str, args: &[DynSolValue]) -> Option<Bytes> {
    parse_function(signature)?.abi_encode_input(args).ok().map(Bytes::from)
}

/// Parses a number in any of these formats: a JSON number, or text in decimal or `0x` hexadecimal.
fn number(value: &Value) -> Option<U256> {
    match value {
        Value::Number(number) => number.as_u64().map(U256::from),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}
