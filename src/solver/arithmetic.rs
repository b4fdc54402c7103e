//! Operations of the EVM on words.

use crate::model::WordOperator;
use alloy_primitives::{I256, U256, keccak256};

/// Returns the result of an operation. Operands that an operation does not have are zero.
pub(super) fn apply(operator: WordOperator, operands: &[U256]) -> U256 {
    let [a, b, c] = [0, 1, 2].map(|nth| operands.get(nth).copied().unwrap_or_default());
    let signed = |word: U256| I256::from_raw(word);
    match operator {
        WordOperator::Add => a.wrapping_add(b),
        WordOperator::Mul => a.wrapping_mul(b),
        WordOperator::Sub => a.wrapping_sub(b),
        WordOperator::Div => a.checked_div(b).unwrap_or_default(),
        WordOperator::SignedDiv if b.is_zero() => U256::ZERO,
        WordOperator::SignedDiv => signed(a).wrapping_div(signed(b)).into_raw(),
        WordOperator::Mod => a.checked_rem(b).unwrap_or_default(),
        WordOperator::SignedMod if b.is_zero() => U256::ZERO,
        WordOperator::SignedMod => signed(a).wrapping_rem(signed(b)).into_raw(),
        WordOperator::AddMod => a.add_mod(b, c),
        WordOperator::MulMod => a.mul_mod(b, c),
        WordOperator::Exp => a.wrapping_pow(b),
        WordOperator::SignExtend => sign_extend(a, b),
        WordOperator::Less => U256::from(a < b),
        WordOperator::Greater => U256::from(a > b),
        WordOperator::SignedLess => U256::from(signed(a) < signed(b)),
        WordOperator::SignedGreater => U256::from(signed(a) > signed(b)),
        WordOperator::Equal => U256::from(a == b),
        WordOperator::IsZero => U256::from(a.is_zero()),
        WordOperator::And => a & b,
        WordOperator::Or => a | b,
        WordOperator::Xor => a ^ b,
        WordOperator::Not => !a,
        WordOperator::Byte => match usize::try_from(a) {
            Ok(index) if index < 32 => U256::from(b.byte(31 - index)),
            _ => U256::ZERO,
        },
        WordOperator::ShiftLeft => b << shift(a),
        WordOperator::ShiftRight => b >> shift(a),
        WordOperator::SignedShiftRight => b.arithmetic_shr(shift(a)),
        WordOperator::Hash => hash(operands),
        // Its result is not known. The compilation of a program makes a constant of it.
        WordOperator::Builtin => U256::ZERO,
    }
}

/// Limits a number of bits by which a word is shifted.
pub(super) fn shift(by: U256) -> usize {
    usize::try_from(by).unwrap_or(usize::MAX).min(256)
}

/// Returns a word of which only the lowest bits are ones.
pub(super) fn low_bits(count: usize) -> U256 {
    if count >= 256 { U256::MAX } else { (U256::ONE << count) - U256::ONE }
}

/// SIGNEXTEND of a word whose lowest bytes, one more than `byte`, hold a number.
fn sign_extend(byte: U256, word: U256) -> U256 {
    let Some(bits) = usize::try_from(byte).ok().filter(|byte| *byte < 31).map(|byte| 8 * (byte + 1)) else {
        return word;
    };
    if word.bit(bits - 1) { word | !low_bits(bits) } else { word & low_bits(bits) }
}

/// Hash of the bytes whose number is the first operand, and that the others hold.
fn hash(operands: &[U256]) -> U256 {
    let [length, words @ ..] = operands else { return U256::ZERO };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect();
    bytes.resize(usize::try_from(*length).unwrap_or_default().min(bytes.len()), 0);
    keccak256(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(number: i64) -> U256 {
        I256::unchecked_from(number).into_raw()
    }

    #[test]
    fn results_are_those_of_the_evm_also_where_it_is_special() {
        let cases = [
            (WordOperator::Div, vec![7, 0], 0),
            (WordOperator::Mod, vec![7, 0], 0),
            (WordOperator::SignedDiv, vec![-7, 2], -3),
            (WordOperator::SignedMod, vec![-7, 2], -1),
            (WordOperator::AddMod, vec![-1, 2, 0], 0),
            (WordOperator::MulMod, vec![-1, -1, 7], 0),
            (WordOperator::SignExtend, vec![0, 0x1ff], -1),
            (WordOperator::SignExtend, vec![31, 0xff], 0xff),
            (WordOperator::Byte, vec![31, 0x1234], 0x34),
            (WordOperator::Byte, vec![32, 0x1234], 0),
            (WordOperator::ShiftLeft, vec![256, 1], 0),
            (WordOperator::SignedShiftRight, vec![300, -5], -1),
            (WordOperator::SignedLess, vec![-1, 1], 1),
            (WordOperator::Greater, vec![-1, 1], 1),
            (WordOperator::Exp, vec![3, 5], 243),
        ];
        for (operator, operands, expected) in cases {
            let operands: Vec<U256> = operands.into_iter().map(word).collect();
            let expected = match operator {
                WordOperator::MulMod => U256::MAX.mul_mod(U256::MAX, U256::from(7)),
                _ => word(expected),
            };
            assert_eq!(apply(operator, &operands), expected, "{operator:?}");
        }
        let three = [U256::from(3), U256::from_be_slice(b"abc") << 232];
        assert_eq!(apply(WordOperator::Hash, &three), U256::from_be_bytes(keccak256(b"abc").0));
    }
}
