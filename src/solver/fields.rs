//! Fields of bits that a program takes out of variables with shifts and masks. Operations with powers of two that do
//! the same are shifts and masks by now ([`Expressions::operation`](crate::model::Expressions::operation)).

use super::{
    arithmetic::{low_bits, shift},
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::U256;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of operations that are looked through.
const MOST_STEPS: usize = 8;

/// Bits of a variable: its index, the lowest bit, and the number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Field {
    pub(super) variable: usize,
    pub(super) at: usize,
    pub(super) bits: usize,
}

impl Field {
    pub(super) fn get(self, variables: &[U256]) -> U256 {
        (variables[self.variable] >> self.at) & low_bits(self.bits)
    }

    pub(super) fn set(self, variables: &mut [U256], value: U256) {
        let mask = low_bits(self.bits);
        let word = &mut variables[self.variable];
        *word = (*word & !(mask << self.at)) | ((value & mask) << self.at);
    }
}

/// Returns the places in each variable at which one of these fields begins or ends.
pub(super) fn ends_of<'a>(fields: impl Iterator<Item = &'a Field>) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut ends: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for field in fields {
        ends.entry(field.variable).or_default().extend([field.at, field.at + field.bits]);
    }
    ends
}

/// Takes a word apart that is a field of bits of another word. Returns that word, the lowest bit and the number of
/// bits.
pub(super) fn extract(program: &WordProgram, word: usize) -> Option<(usize, usize, usize)> {
    let Computation::Operation(operator, operands) = program.word(word) else { return Some((word, 0, 256)) };
    let constant = |nth: usize| program.constant(operands[nth]);
    let (inner, by, width) = match operator {
        WordOperator::And => {
            let (inner, mask) = match (constant(0), constant(1)) {
                (Some(mask), _) => (operands[1], mask),
                (_, Some(mask)) => (operands[0], mask),
                _ => return None,
            };
            let width = mask.bit_len();
            (mask == low_bits(width)).then_some((inner, 0, width))?
        }
        WordOperator::ShiftRight => (operands[1], shift(constant(0)?), 256),
        _ => return Some((word, 0, 256)),
    };
    let (inner, at, bits) = extract(program, inner).unwrap_or((inner, 0, 256));
    let left = bits.saturating_sub(by);
    (left > 0).then(|| (inner, at + by, left.min(width)))
}

/// Returns the bits of a word that may be ones.
pub(super) fn possible_bits(program: &WordProgram, word: usize) -> U256 {
    possible_within(program, word, 0)
}

fn possible_within(program: &WordProgram, word: usize, steps: usize) -> U256 {
    let Computation::Operation(operator, operands) = program.word(word) else {
        return program.constant(word).unwrap_or(U256::MAX);
    };
    if operator.is_comparison() {
        return U256::ONE;
    }
    if steps == MOST_STEPS {
        return U256::MAX;
    }
    let of = |nth: usize| possible_within(program, operands[nth], steps + 1);
    match operator {
        WordOperator::And => of(0) & of(1),
        WordOperator::Or | WordOperator::Xor => of(0) | of(1),
        WordOperator::ShiftLeft => program.constant(operands[0]).map_or(U256::MAX, |by| of(1) << shift(by)),
        WordOperator::ShiftRight => program.constant(operands[0]).map_or(U256::MAX, |by| of(1) >> shift(by)),
        _ => U256::MAX,
    }
}

/// Maximum number of places that are returned by [`ends`].
const MOST_ENDS: usize = 8;

/// Returns the places in words at which the constants of masks and shifts divide them.
pub(super) fn ends(program: &WordProgram) -> Vec<usize> {
    let mut ends = Vec::new();
    for index in 0..program.len() {
        let Computation::Operation(operator, operands) = program.word(index) else { continue };
        let constant = |nth: usize| operands.get(nth).and_then(|operand| program.constant(*operand));
        let end = match operator {
            WordOperator::And => constant(0).or(constant(1)).map(|mask| mask.bit_len()),
            WordOperator::ShiftLeft | WordOperator::ShiftRight => constant(0).map(shift),
            _ => None,
        };
        // A field that is shifted to the end and masked has two ends.
        let above = extract(program, index).map(|(_, at, bits)| at + bits.min(256));
        for end in [end, above].into_iter().flatten().filter(|end| (1..256).contains(end)) {
            if ends.len() < MOST_ENDS && !ends.contains(&end) {
                ends.push(end);
            }
        }
    }
    ends
}
