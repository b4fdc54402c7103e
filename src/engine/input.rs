//! Input vector: all scalars of a sequence that can be fuzzed alone.

use crate::engine::tuning::input::{LONGEST, MOST, WORDS};
use crate::{
    engine::{
        call_generator::CallGenerator,
        predict::{Domain, Int, int, word},
        value::tree,
    },
    model::{Input, Transaction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, B256, I256, U256};

/// Width of the value of a call, in bits. It exceeds all existing wei.
const VALUE_BITS: usize = 128;

/// Place in a transaction that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum InputPart {
    /// Scalar argument, by its index among the nodes of the arguments ([`tree`]).
    Scalar(usize),
    /// Word of a byte string: the index of the node, and of the word. Words are aligned to the end, because
    /// byte strings that are calldata begin with a selector.
    Word(usize, usize),
    /// Length of a byte string, or of a dynamic array that is not empty.
    Length(usize),
    /// Sender of the call.
    Sender,
    /// Wei sent along.
    Value,
    /// Seconds that pass before the call.
    Warp,
    /// Blocks that pass before the call.
    Roll,
}

/// Element of the input vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InputElement {
    /// Index of the transaction.
    pub(super) step: usize,
    /// Place in the transaction.
    pub(super) part: InputPart,
}

/// Returns the elements of the transaction at `step`.
pub(super) fn elements(tx: &Transaction, step: usize, generator: &CallGenerator) -> Vec<InputElement> {
    let mut parts = Vec::new();
    if let Input::Typed { function, args } = &tx.input {
        for node in 0..tree::count(args).min(MOST) {
            match tree::node(args, node) {
                Some(DynSolValue::Bytes(bytes)) => {
                    parts.extend((0..(bytes.len() / 32).min(WORDS)).map(|word| InputPart::Word(node, word)));
                    parts.push(InputPart::Length(node));
                }
                Some(DynSolValue::String(_)) => parts.push(InputPart::Length(node)),
                Some(DynSolValue::Array(items)) if !items.is_empty() => parts.push(InputPart::Length(node)),
                None => {}
                Some(
                    DynSolValue::Array(_)
                    | DynSolValue::FixedArray(_)
                    | DynSolValue::Tuple(_)
                    | DynSolValue::CustomStruct { .. },
                ) => {}
                Some(_) => parts.push(InputPart::Scalar(node)),
            }
        }
        if generator.functions.method(function).is_some_and(|method| method.payable) {
            parts.push(InputPart::Value);
        }
    }
    parts.push(InputPart::Sender);
    if generator.max_warp > 0 {
        parts.push(InputPart::Warp);
    }
    if generator.max_roll > 0 {
        parts.push(InputPart::Roll);
    }
    parts.into_iter().map(|part| InputElement { step, part }).collect()
}

/// Returns the range of integers that an element can hold.
pub(super) fn domain(tx: &Transaction, part: InputPart, generator: &CallGenerator) -> Option<Domain> {
    let bits = match part {
        InputPart::Scalar(node) => match argument(tx, node)? {
            DynSolValue::Int(_, bits) => return Some(Domain { bits: *bits, signed: true }),
            DynSolValue::Bool(_) => 1,
            DynSolValue::Uint(_, bits) => *bits,
            DynSolValue::FixedBytes(_, size) => 8 * size,
            DynSolValue::Address(_) => 160,
            _ => return None,
        },
        InputPart::Word(..) => 256,
        InputPart::Length(_) => LONGEST.ilog2() as usize,
        InputPart::Sender => 160,
        InputPart::Value => VALUE_BITS,
        InputPart::Warp => width(generator.max_warp),
        InputPart::Roll => width(generator.max_roll),
    };
    Some(Domain::unsigned(bits))
}

/// Returns the number of bits of the largest number below `bound`.
fn width(bound: u32) -> usize {
    (bound.max(2) - 1).ilog2() as usize + 1
}

/// Returns the number that an element holds.
pub(super) fn get(tx: &Transaction, part: InputPart) -> Option<Int> {
    let word = match part {
        InputPart::Scalar(node) => match argument(tx, node)? {
            DynSolValue::Int(value, _) => return Some(int(value.into_raw(), true)),
            DynSolValue::Bool(value) => U256::from(*value),
            DynSolValue::Uint(value, _) => *value,
            DynSolValue::FixedBytes(value, size) => U256::from_be_bytes(value.0) >> (256 - 8 * size),
            DynSolValue::Address(value) => value.into_word().into(),
            _ => return None,
        },
        InputPart::Word(node, index) => match argument(tx, node)? {
            DynSolValue::Bytes(bytes) => U256::from_be_slice(bytes.get(word_range(bytes, index)?)?),
            _ => return None,
        },
        InputPart::Length(node) => match argument(tx, node)? {
            DynSolValue::Bytes(bytes) => U256::from(bytes.len()),
            DynSolValue::String(text) => U256::from(text.len()),
            DynSolValue::Array(items) => U256::from(items.len()),
            _ => return None,
        },
        InputPart::Sender => tx.sender.into_word().into(),
        InputPart::Value => tx.value,
        InputPart::Warp => tx.warp,
        InputPart::Roll => tx.roll,
    };
    Some(int(word, false))
}

/// Returns the word that represents an element in the EVM: integers are extended, `bytesN` are left-aligned.
pub(super) fn machine_word(tx: &Transaction, part: InputPart) -> Option<U256> {
    match part {
        InputPart::Scalar(node) => match argument(tx, node)? {
            DynSolValue::FixedBytes(value, _) => Some(U256::from_be_bytes(value.0)),
            _ => get(tx, part).map(word),
        },
        _ => get(tx, part).map(word),
    }
}

/// Returns the value whose [`machine_word`] is `machine`, if the domain of the element contains it.
pub(super) fn from_machine(
    tx: &Transaction,
    part: InputPart,
    machine: U256,
    generator: &CallGenerator,
) -> Option<Int> {
    let domain = domain(tx, part, generator)?;
    let value = match part {
        InputPart::Scalar(node) if matches!(argument(tx, node)?, DynSolValue::FixedBytes(..)) => {
            let unused = 256 - domain.bits;
            if machine.trailing_zeros() < unused {
                return None;
            }
            int(machine >> unused, false)
        }
        _ => int(machine, domain.signed),
    };
    domain.contains(value).then_some(value)
}

/// Stores a number in an element; returns false if the element cannot hold it.
pub(super) fn set(tx: &mut Transaction, part: InputPart, value: Int, generator: &CallGenerator) -> bool {
    let Some(domain) = domain(tx, part, generator).filter(|domain| domain.contains(value)) else {
        return false;
    };
    let machine = word(value);
    match part {
        InputPart::Scalar(node) => {
            let Some(argument) = argument_mut(tx, node) else { return false };
            match argument {
                DynSolValue::Int(old, _) => *old = I256::from_raw(machine),
                DynSolValue::Bool(old) => *old = !machine.is_zero(),
                DynSolValue::Uint(old, _) => *old = machine,
                DynSolValue::FixedBytes(old, _) => *old = B256::from(machine << (256 - domain.bits)),
                DynSolValue::Address(old) => *old = Address::from_word(machine.into()),
                _ => return false,
            }
        }
        InputPart::Word(node, index) => {
            let Some(DynSolValue::Bytes(bytes)) = argument_mut(tx, node) else { return false };
            let Some(range) = word_range(bytes, index) else { return false };
            bytes[range].copy_from_slice(&machine.to_be_bytes::<32>());
        }
        InputPart::Length(node) => {
            let Some(argument) = argument_mut(tx, node) else { return false };
            return resize(argument, machine.to());
        }
        InputPart::Sender => {
            let sender = Address::from_word(machine.into());
            if !generator.senders.allows(sender) {
                return false;
            }
            tx.sender = sender;
        }
        InputPart::Value => tx.value = machine,
        InputPart::Warp if machine < U256::from(generator.max_warp) => tx.warp = machine,
        InputPart::Roll if machine < U256::from(generator.max_roll) => tx.roll = machine,
        InputPart::Warp | InputPart::Roll => return false,
    }
    true
}

fn resize(value: &mut DynSolValue, length: usize) -> bool {
    match value {
        DynSolValue::Bytes(bytes) => bytes.resize(length, 0),
        DynSolValue::String(text) if text.is_ascii() => {
            text.truncate(length);
            text.extend(std::iter::repeat_n('a', length - text.len()));
        }
        DynSolValue::Array(items) => {
            let Some(last) = items.last().cloned() else { return false };
            items.resize(length.min(LONGEST / 4), last);
        }
        _ => return false,
    }
    true
}

/// Returns the byte range of word `index` of a byte string.
fn word_range(bytes: &[u8], index: usize) -> Option<std::ops::Range<usize>> {
    let start = bytes.len() % 32 + 32 * index;
    (start + 32 <= bytes.len()).then_some(start..start + 32)
}

fn argument(tx: &Transaction, node: usize) -> Option<&DynSolValue> {
    match &tx.input {
        Input::Typed { args, .. } => tree::node(args, node),
        Input::Raw(_) => None,
    }
}

fn argument_mut(tx: &mut Transaction, node: usize) -> Option<&mut DynSolValue> {
    tx.input.args_mut().and_then(|args| tree::node_mut(args, node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn n(value: i128) -> Int {
        Int::unchecked_from(value)
    }

    #[test]
    fn every_scalar_of_a_call_is_an_element() {
        let generator = toy::generator();
        let mut call = toy::call("pay", &[]);
        let (account, amount) = (DynSolValue::Address(Address::ZERO), DynSolValue::Uint(U256::ONE, 256));
        if let Some(args) = call.input.args_mut() {
            *args =
                vec![DynSolValue::Array(vec![account.clone(), account]), DynSolValue::Array(vec![amount])];
        }
        let parts: Vec<InputPart> =
            elements(&call, 3, &generator).into_iter().map(|element| element.part).collect();
        let expected = [
            InputPart::Length(0),
            InputPart::Scalar(1),
            InputPart::Scalar(2),
            InputPart::Length(3),
            InputPart::Scalar(4),
            InputPart::Sender,
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_number_put_into_an_element_is_found_there() {
        let generator = toy::generator();
        let mut call = toy::call("add", &[0]);
        let part = InputPart::Scalar(0);
        assert!(set(&mut call, part, n(-5), &generator));
        assert_eq!(get(&call, part), Some(n(-5)));
        assert_eq!(machine_word(&call, part), Some(U256::ZERO - U256::from(5)));
        assert_eq!(from_machine(&call, part, U256::ZERO - U256::from(7), &generator), Some(n(-7)));
        assert!(!set(&mut call, part, n(40_000), &generator), "an int16 does not hold it");
        let mut call = toy::call("deposit", &[1]);
        assert!(set(&mut call, InputPart::Value, n(77), &generator));
        assert_eq!(call.value, U256::from(77));
        assert!(!set(&mut call, InputPart::Sender, int(toy::EXCLUDED.into_word().into(), false), &generator));
    }

    #[test]
    fn lengths_and_words_of_byte_strings_are_numbers_too() {
        let mut bytes = DynSolValue::Bytes(vec![1; 36]);
        assert_eq!(word_range(bytes.as_bytes().unwrap_or_default(), 0), Some(4..36));
        assert!(resize(&mut bytes, 3));
        assert_eq!(bytes, DynSolValue::Bytes(vec![1; 3]));
        let mut text = DynSolValue::String("ab".into());
        assert!(resize(&mut text, 4));
        assert_eq!(text, DynSolValue::String("abaa".into()));
        let mut empty = DynSolValue::Array(vec![]);
        assert!(!resize(&mut empty, 2), "of what type would they be?");
    }
}
