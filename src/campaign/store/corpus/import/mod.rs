//! Sequences that other fuzzers kept. Of a call they say what its function and arguments are, or give calldata; addresses of
//! contracts mean nothing here, so that a call goes to whichever target has its function.

mod echidna;
mod medusa;

use super::v1::CorpusEntry;
use crate::{campaign::store::forge::kept_by_forge, model::parse_function};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt as _};
use alloy_primitives::{Bytes, U256};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read as _;

#[cfg(test)]
mod tests;

/// Most bytes of a file once it is decompressed.
const MOST: u64 = 1 << 26;

/// Reads a file of Echidna's (`coverage/*.txt`, `reproducers/*.txt`), Medusa's (`call_sequences/**/*.json`) or Forge's
/// (`corpus_dir`), whichever it is; calls whose arguments make no sense are left out.
///
/// # Errors
/// When it is none of them, with what is wrong.
pub fn read(bytes: &[u8]) -> Result<Vec<CorpusEntry>, String> {
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes).take(MOST).read_to_end(&mut text).map_err(|error| error.to_string())?;
    } else {
        text.extend_from_slice(bytes);
    }
    let Value::Array(calls) = serde_json::from_slice(&text).map_err(|error| error.to_string())? else {
        return Err("it is no list of calls".to_owned());
    };
    let Some(first) = calls.first() else { return Ok(Vec::new()) };
    let entry = if first.get("calldata").is_some() {
        let calls = kept_by_forge(&text).ok_or("it is no sequence of Forge's")?;
        CorpusEntry::foreign(calls.into_iter().map(|tx| (tx, None)))
    } else if first.pointer("/call/from").is_some() {
        CorpusEntry::foreign(calls.iter().filter_map(medusa::call))
    } else if first.pointer("/call/tag").or(first.pointer("/_call/tag")).is_some() {
        CorpusEntry::foreign(echidna::calls(&calls))
    } else {
        return Err("its calls are neither Echidna's nor Medusa's nor Forge's".to_owned());
    };
    Ok(if entry.is_empty() { Vec::new() } else { vec![entry] })
}

/// Calldata of a call with these arguments, if they are of the signature's types.
fn calldata(signature: &str, args: &[DynSolValue]) -> Option<Bytes> {
    parse_function(signature)?.abi_encode_input(args).ok().map(Bytes::from)
}

/// A number as any of them writes it: a JSON number, or text in decimal or `0x` hexadecimal.
fn number(value: &Value) -> Option<U256> {
    match value {
        Value::Number(number) => number.as_u64().map(U256::from),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}
