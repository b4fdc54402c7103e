//! Small changes to a value.

use crate::engine::tuning::value_mutate::LONGEST;
use crate::engine::{
    call_generator::CallGenerator,
    rng::Rng,
    value::{self, number},
};
use alloy_dyn_abi::DynSolValue;

/// Changes `value` within its type. An empty array stays as it is, because its element type is unknown.
/// Tuples and fixed arrays are not changed themselves; their items are separate nodes.
pub(in crate::engine) fn mutate(value: &mut DynSolValue, generator: &CallGenerator, rng: &mut Rng) {
    match value {
        DynSolValue::Bool(flag) => *flag = !*flag,
        DynSolValue::Uint(word, bits) => {
            *word = match rng.below(3) {
                0 => number::unsigned(*bits, generator, rng),
                _ => number::fit_unsigned(number::unit_step(*word, *bits, rng), *bits),
            }
        }
        DynSolValue::Int(word, bits) => {
            *word = match rng.below(3) {
                0 => number::signed(*bits, generator, rng),
                _ => number::fit_signed(number::unit_step(word.into_raw(), *bits, rng), *bits),
            }
        }
        DynSolValue::FixedBytes(word, size) if rng.coin() => {
            let at = rng.below(*size);
            word[at] = byte(word[at], rng);
        }
        DynSolValue::Bytes(bytes) => self::bytes(bytes, generator, rng),
        DynSolValue::String(text) => string(text, rng),
        DynSolValue::Array(items) => array(items, generator, rng),
        DynSolValue::FixedArray(_) | DynSolValue::Tuple(_) | DynSolValue::CustomStruct { .. } => {}
        DynSolValue::FixedBytes(..) | DynSolValue::Address(_) | DynSolValue::Function(_) => {
            if let Some(ty) = value.as_type() {
                *value = value::value(&ty, generator, rng);
            }
        }
    }
}

fn byte(byte: u8, rng: &mut Rng) -> u8 {
    match rng.below(4) {
        0 => byte ^ (1 << rng.below(8)),
        1 => byte.wrapping_add(rng.few(8) as u8),
        2 => byte.wrapping_sub(rng.few(8) as u8),
        _ => *rng.pick(&[0, 1, 0x7f, 0x80, 0xff]).unwrap_or(&0),
    }
}

fn bytes(bytes: &mut Vec<u8>, generator: &CallGenerator, rng: &mut Rng) {
    let at = rng.below(bytes.len());
    match rng.below(6) {
        0 => bytes.truncate(at),
        1 => *bytes = value::calldata(generator, rng),
        2 if bytes.len() < LONGEST => {
            let more = rng.few(32);
            let more = rng.bytes(more);
            bytes.splice(at..at, more);
        }
        3 => {
            if let Some(blob) = generator.dictionary.blob(rng) {
                *bytes = blob.to_vec();
            }
        }
        // Replaces an aligned word, counted from the end because a selector may come first: most byte strings
        // are ABI-encoded.
        4 if bytes.len() >= 32 => {
            let start = (rng.below(bytes.len() / 32) * 32 + bytes.len() % 32).min(bytes.len() - 32);
            let word = number::unsigned(256, generator, rng).to_be_bytes::<32>();
            bytes[start..start + 32].copy_from_slice(&word);
        }
        _ => match bytes.get_mut(at) {
            Some(changed) => *changed = byte(*changed, rng),
            None => bytes.push(rng.next() as u8),
        },
    }
}

fn string(text: &mut String, rng: &mut Rng) {
    let at = rng.below(text.chars().count() + 1);
    let at = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
    match rng.below(3) {
        0 => text.truncate(at),
        1 if at < text.len() => {
            text.remove(at);
        }
        _ => text.insert(at, char::from(b' ' + rng.below(95) as u8)),
    }
}

fn array(items: &mut Vec<DynSolValue>, generator: &CallGenerator, rng: &mut Rng) {
    let length = items.len();
    let (at, other) = (rng.below(length), rng.below(length));
    match rng.below(5) {
        _ if items.is_empty() => {}
        0 => {
            items.remove(at);
        }
        1 => items.truncate(at),
        2 => items.swap(at, other),
        3 if length < LONGEST => items.insert(at, items[other].clone()),
        _ => {
            if let Some(ty) = items[at].as_type().filter(|_| length < LONGEST) {
                items.insert(at, value::value(&ty, generator, rng));
            }
        }
    }
}
