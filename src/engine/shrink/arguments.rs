//! Shrink pass that simplifies arguments node by node: shorter containers, numbers closer to zero, simpler
//! addresses.

use super::{Shrinker, search};
use crate::{
    engine::value::tree,
    model::{Input, Transaction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, B256, Function, I256, U256};

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    for index in 0..shrinker.best.len() {
        shrinker.attempt_call(index, |call| {
            if let Some(args) = call.input.args_mut() {
                args.iter_mut().for_each(zero);
            }
        });
        let mut node = 0;
        while shrinker.budget > 0
            && let Some(value) = node_of(&shrinker.best[index], node)
        {
            ArgumentNode { shrinker, index, node }.simplify(value);
            node += 1;
        }
    }
}

fn node_of(call: &Transaction, node: usize) -> Option<DynSolValue> {
    match &call.input {
        Input::Typed { args, .. } => tree::node(args, node).cloned(),
        Input::Raw(_) => None,
    }
}

/// Replaces a value by the simplest value of the same type.
fn zero(value: &mut DynSolValue) {
    match value {
        DynSolValue::Bool(flag) => *flag = false,
        DynSolValue::Int(number, _) => *number = I256::ZERO,
        DynSolValue::Uint(number, _) => *number = U256::ZERO,
        DynSolValue::FixedBytes(word, _) => *word = B256::ZERO,
        DynSolValue::Address(address) => *address = Address::ZERO,
        DynSolValue::Function(function) => *function = Function::ZERO,
        DynSolValue::Bytes(bytes) => bytes.clear(),
        DynSolValue::String(text) => text.clear(),
        DynSolValue::Array(items) => items.clear(),
        DynSolValue::FixedArray(items)
        | DynSolValue::Tuple(items)
        | DynSolValue::CustomStruct { tuple: items, .. } => items.iter_mut().for_each(zero),
    }
}

/// Node of the arguments of one call.
struct ArgumentNode<'a, 'b> {
    shrinker: &'a mut Shrinker<'b>,
    index: usize,
    node: usize,
}

impl ArgumentNode<'_, '_> {
    fn attempt(&mut self, value: DynSolValue) -> bool {
        let node = self.node;
        self.shrinker.attempt_call(self.index, |call| {
            if let Some(args) = call.input.args_mut()
                && let Some(place) = tree::node_mut(args, node)
            {
                *place = value;
            }
        })
    }

    fn simplify(&mut self, value: DynSolValue) {
        let mut zeroed = value.clone();
        zero(&mut zeroed);
        if value == zeroed || self.attempt(zeroed) {
            return;
        }
        match value {
            DynSolValue::Uint(number, bits) => {
                search::minimise(number, |less| self.attempt(DynSolValue::Uint(less, bits)));
            }
            DynSolValue::Int(number, bits) => self.signed(number, bits),
            DynSolValue::Address(address) => self.address(address),
            DynSolValue::FixedBytes(word, size) => self.fixed_bytes(word, size),
            DynSolValue::Bytes(bytes) => self.bytes(bytes),
            DynSolValue::String(text) => self.string(text.chars().collect()),
            DynSolValue::Array(items) => self.list(items, DynSolValue::Array),
            // Their zero value was tried already, and the items of containers are nodes that follow.
            DynSolValue::Bool(_)
            | DynSolValue::Function(_)
            | DynSolValue::FixedArray(_)
            | DynSolValue::Tuple(_)
            | DynSolValue::CustomStruct { .. } => {}
        }
    }

    fn signed(&mut self, number: I256, bits: usize) {
        let positive = number.wrapping_abs();
        let flipped = number.is_negative()
            && !positive.is_negative()
            && positive.into_raw().bit_len() < bits
            && self.attempt(DynSolValue::Int(positive, bits));
        let negative = number.is_negative() && !flipped;
        search::minimise(number.unsigned_abs(), |less| {
            let less = I256::from_raw(less);
            self.attempt(DynSolValue::Int(if negative { less.wrapping_neg() } else { less }, bits))
        });
    }

    /// Tries simpler senders as the address. Only senders before the present one in the hints are tried, so
    /// that the address never alternates between two values.
    fn address(&mut self, address: Address) {
        let hints = self.shrinker.hints;
        let _ = (hints.senders.iter().take_while(|hint| **hint != address))
            .any(|hint| self.attempt(DynSolValue::Address(*hint)));
    }

    /// Keeps as few leading bytes as possible (selectors, short strings), or else makes the number as small
    /// as possible.
    fn fixed_bytes(&mut self, word: B256, size: usize) {
        let mut front = None;
        search::minimise(U256::from(size), |length| {
            let mut shorter = word;
            shorter[length.to::<usize>()..].fill(0);
            let good = self.attempt(DynSolValue::FixedBytes(shorter, size));
            if good {
                front = Some(shorter);
            }
            good
        });
        let shift = 8 * (32 - size);
        if front.is_none() {
            search::minimise(U256::from_be_bytes(word.0) >> shift, |less| {
                self.attempt(DynSolValue::FixedBytes((less << shift).into(), size))
            });
        }
    }

    fn bytes(&mut self, bytes: Vec<u8>) {
        if bytes.iter().any(|byte| *byte != 0) && self.attempt(DynSolValue::Bytes(vec![0; bytes.len()])) {
            return self.list(vec![0; bytes.len()], DynSolValue::Bytes);
        }
        self.list(bytes, DynSolValue::Bytes);
    }

    fn string(&mut self, letters: Vec<char>) {
        let text = |letters: Vec<char>| DynSolValue::String(letters.into_iter().collect());
        let plain = vec!['a'; letters.len()];
        if letters != plain && self.attempt(text(plain.clone())) {
            return self.list(plain, text);
        }
        self.list(letters, text);
    }

    /// Removes chunks of a list.
    fn list<T: Clone>(&mut self, mut items: Vec<T>, wrap: impl Fn(Vec<T>) -> DynSolValue) {
        search::chunks(items.len(), 0, |start, count| {
            if self.shrinker.budget == 0 {
                return false;
            }
            let mut fewer = items.clone();
            fewer.drain(start..start + count);
            let good = self.attempt(wrap(fewer.clone()));
            if good {
                items = fewer;
            }
            good
        });
    }
}
