//! Arithmetic that leaves the range of its type (SWC-101).
//!
//! EVM words have no types, so these are guessed:
//! * A word is signed if it stems from a signed argument or instruction.
//! * The addition of a constant with its highest bit set is a subtraction.
//! * A result that is masked right after its computation has the type of that mask, if the operands fit it.

use super::word::Taint;
use crate::model::Origins;
use alloy_primitives::U256;
use revm::bytecode::opcode as op;

/// Arithmetic operation with its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    pub(super) operands: [U256; 2],
    pub(super) result: U256,
    /// True if a wraparound matters, see [`counts`].
    pub(super) counts: bool,
    /// Hash of the storage slot that grows, see [`grown_slot`].
    pub(super) grown: u32,
}

/// Operand with its taint.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaintedWord {
    pub(super) word: U256,
    pub(super) taint: Taint,
}

impl TaintedWord {
    fn is_negative(self) -> bool {
        self.word.bit(255)
    }

    /// Returns true if the word is a constant in the code, and comes neither from the caller nor from
    /// storage.
    fn is_constant(self) -> bool {
        self.taint == Taint::NONE
    }
}

/// Returns the result of ADD, SUB or MUL, and true if it wrapped.
pub(super) fn compute(instruction: u8, left: TaintedWord, right: TaintedWord) -> (U256, bool) {
    let (a, b) = (left.word, right.word);
    let signed = (left.taint | right.taint).is(Taint::SIGNED);
    match instruction {
        op::ADD => {
            let (sum, carried) = a.overflowing_add(b);
            let wrapped = match () {
                () if signed => {
                    left.is_negative() == right.is_negative() && sum.bit(255) != left.is_negative()
                }
                // The optimizer adds negated constants.
                () if right.is_constant() && right.is_negative() => !carried,
                () if left.is_constant() && left.is_negative() => !carried,
                () => carried,
            };
            (sum, wrapped)
        }
        op::SUB => {
            let (difference, borrowed) = a.overflowing_sub(b);
            let wrapped = match signed {
                // The negation of a number.
                _ if left.is_constant() && a.is_zero() => false,
                true => {
                    left.is_negative() != right.is_negative() && difference.bit(255) != left.is_negative()
                }
                false => borrowed,
            };
            (difference, wrapped)
        }
        _ => {
            let (product, overflowed) = a.overflowing_mul(b);
            let wrapped = match signed {
                true => {
                    let [magnitude_a, magnitude_b] = [left, right].map(magnitude);
                    let (magnitude, overflowed) = magnitude_a.overflowing_mul(magnitude_b);
                    overflowed || magnitude.bit(255) && magnitude != U256::ONE << 255
                }
                false => overflowed,
            };
            (product, wrapped)
        }
    }
}

fn magnitude(operand: TaintedWord) -> U256 {
    if operand.is_negative() { operand.word.wrapping_neg() } else { operand.word }
}

/// Tells whether a wraparound matters: the operands are not only constants, and no operand is a clock, since
/// differences of times are computed modulo their type on purpose.
pub(super) fn counts(left: Taint, right: Taint) -> bool {
    let both = left | right;
    // A packed storage word may hold a time beside the field that was read.
    let is_clock = |taint: Taint| taint.origins.has(Origins::TIME | Origins::BLOCK) && !taint.is_loaded();
    both != Taint::NONE && !both.is(Taint::MODULAR | Taint::HASH) && !is_clock(left) && !is_clock(right)
}

/// Returns the hash of the storage slot that one operand was just read from, if the other is no constant;
/// zero otherwise. If the result goes back to this slot, the slot holds a quantity that grows: generators of
/// numbers combine their last number with constants.
pub(super) fn grown_slot(left: TaintedWord, right: TaintedWord) -> u32 {
    match (left.taint.slot, right.taint.slot) {
        (slot, _) if slot != 0 && !right.is_constant() => slot,
        (_, slot) if slot != 0 && !left.is_constant() => slot,
        _ => 0,
    }
}

/// Tells whether a mask cuts off a part of a result whose operands fit the mask.
pub(super) fn is_cut(arithmetic: &Arithmetic, mask: U256) -> bool {
    let is_type =
        mask.bit_len() < 256 && mask.bit_len().is_multiple_of(8) && (mask & (mask + U256::ONE)).is_zero();
    arithmetic.counts
        && is_type
        && arithmetic.result > mask
        && arithmetic.operands.iter().all(|operand| *operand <= mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wraps(instruction: u8, [a, b]: [U256; 2], marks: u8) -> bool {
        let taint = Taint::of(Origins::INPUT).with(marks);
        let [left, right] = [a, b].map(|word| TaintedWord { word, taint });
        compute(instruction, left, right).1
    }

    #[test]
    fn unsigned_words_wrap_at_their_ends() {
        let (one, max) = (U256::ONE, U256::MAX);
        assert!(wraps(op::ADD, [max, one], 0) && !wraps(op::ADD, [max, U256::ZERO], 0));
        assert!(wraps(op::SUB, [U256::ZERO, one], 0) && !wraps(op::SUB, [one, one], 0));
        assert!(wraps(op::MUL, [max, one + one], 0) && !wraps(op::MUL, [max, one], 0));
    }

    #[test]
    fn signed_words_wrap_in_the_middle() {
        let (one, minus_one, least) = (U256::ONE, U256::MAX, U256::ONE << 255);
        assert!(!wraps(op::ADD, [minus_one, one], Taint::SIGNED));
        assert!(wraps(op::ADD, [least - one, one], Taint::SIGNED));
        assert!(
            !wraps(op::SUB, [U256::ZERO, one], Taint::SIGNED) && wraps(op::SUB, [least, one], Taint::SIGNED)
        );
        assert!(!wraps(op::MUL, [minus_one, minus_one], Taint::SIGNED));
        assert!(wraps(op::MUL, [least, minus_one - one], Taint::SIGNED));
    }

    #[test]
    fn a_negated_constant_is_subtracted() {
        let left = |word: u64| TaintedWord { word: U256::from(word), taint: Taint::of(Origins::INPUT) };
        let minus_five = TaintedWord { word: U256::from(5).wrapping_neg(), taint: Taint::NONE };
        assert!(!compute(op::ADD, left(7), minus_five).1);
        assert!(compute(op::ADD, left(3), minus_five).1);
    }

    #[test]
    fn what_a_mask_cuts_off_wrapped_if_the_operands_fitted_it() {
        let sum = |a: u64, b: u64| Arithmetic {
            operands: [U256::from(a), U256::from(b)],
            result: U256::from(a + b),
            counts: true,
            grown: 0,
        };
        let byte = U256::from(0xff);
        assert!(is_cut(&sum(200, 100), byte) && !is_cut(&sum(100, 100), byte));
        assert!(!is_cut(&sum(300, 1), byte) && !is_cut(&sum(200, 100), U256::from(0xf0)));
    }
}
