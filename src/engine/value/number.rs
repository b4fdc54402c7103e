//! Random integers of any width.

use crate::engine::tuning::value_number::TELLING;
use crate::engine::{call_generator::CallGenerator, rng::Rng};
use alloy_primitives::{I256, U256};

/// Returns the largest unsigned number of `bits` bits.
fn max(bits: usize) -> U256 {
    U256::MAX >> (256 - bits)
}

/// Returns the low `bits` bits of `word`.
pub(super) fn fit_unsigned(word: U256, bits: usize) -> U256 {
    word & max(bits)
}

/// Returns the low `bits` bits of `word`, read as two's complement.
pub(super) fn fit_signed(word: U256, bits: usize) -> I256 {
    let word = fit_unsigned(word, bits);
    I256::from_raw(if word.bit(bits - 1) { word | !max(bits) } else { word })
}

/// Returns a random unsigned number: an edge of the range, a power of two or ten or a neighbour of one, a
/// word of the dictionary, or a number of uniformly chosen bit length.
pub(super) fn unsigned(bits: usize, generator: &CallGenerator, rng: &mut Rng) -> U256 {
    if generator.has_roles && rng.below(TELLING) == 0 {
        return telling(bits, rng);
    }
    match rng.below(20) {
        0 => U256::from(rng.below(4)),
        1..=2 => max(bits) - U256::from(rng.below(4)),
        3 => fit_unsigned(near(U256::ONE << rng.below(bits), rng), bits),
        4 => fit_unsigned(near(decimal(bits * 3 / 10, rng), rng), bits),
        5..=10 => known(bits, generator, rng).unwrap_or_else(|| rng.magnitude(bits)),
        _ => rng.magnitude(bits),
    }
}

/// Returns a small number, such as an index, or a number that overflows its type when multiplied by a small
/// factor.
fn telling(bits: usize, rng: &mut Rng) -> U256 {
    let small = U256::from(rng.below(8));
    if rng.coin() {
        return fit_unsigned(small, bits);
    }
    let most = max(bits);
    (most / U256::from(1 + rng.below(16))).saturating_add(small & U256::ONE).min(most)
}

/// Returns a random signed number: like [`unsigned`], with both signs and the edges of the signed range.
pub(super) fn signed(bits: usize, generator: &CallGenerator, rng: &mut Rng) -> I256 {
    let low = U256::from(rng.below(4));
    let word = match rng.below(20) {
        0 => low,
        1 => U256::ZERO.wrapping_sub(low),
        2 => (max(bits) >> 1) - low.min(max(bits) >> 1),
        3 => (U256::ONE << (bits - 1)).wrapping_add(low),
        4..=9 => known(bits, generator, rng).unwrap_or_else(|| rng.magnitude(bits - 1)),
        _ if rng.coin() => unsigned(bits - 1, generator, rng),
        _ => U256::ZERO.wrapping_sub(unsigned(bits - 1, generator, rng)),
    };
    fit_signed(word, bits)
}

/// Returns a word of the dictionary, cut to `bits` bits.
fn known(bits: usize, generator: &CallGenerator, rng: &mut Rng) -> Option<U256> {
    generator.dictionary.word(rng).map(|word| fit_unsigned(word, bits))
}

/// Returns one to nine units of a power of ten below `10^digits`, such as an amount of tokens.
pub(in crate::engine) fn decimal(digits: usize, rng: &mut Rng) -> U256 {
    let ten = U256::from(10);
    ten.wrapping_pow(U256::from(rng.below(digits.max(1)))).wrapping_mul(U256::from(1 + rng.below(9)))
}

/// Returns `word`, or `word` plus or minus one.
fn near(word: U256, rng: &mut Rng) -> U256 {
    match rng.below(3) {
        0 => word,
        1 => word.wrapping_add(U256::ONE),
        _ => word.wrapping_sub(U256::ONE),
    }
}

/// Changes a number slightly: flips a bit, adds a small difference, doubles or halves it, negates it, or
/// flips all bits.
pub(super) fn unit_step(word: U256, bits: usize, rng: &mut Rng) -> U256 {
    let step = U256::from(rng.few(32)).wrapping_add(U256::from(rng.below(4)));
    match rng.below(8) {
        0..=1 => word ^ (U256::ONE << rng.below(bits)),
        2..=3 => word.wrapping_add(step),
        4..=5 => word.wrapping_sub(step),
        6 => {
            if rng.coin() {
                word << 1
            } else {
                word >> 1
            }
        }
        _ => {
            if rng.coin() {
                !word
            } else {
                U256::ZERO.wrapping_sub(word)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;
    use std::collections::BTreeSet;

    fn drawn<T: Ord>(mut draw: impl FnMut(&mut Rng) -> T) -> BTreeSet<T> {
        let mut rng = Rng::new(4, 0);
        (0..200_000).map(|_| draw(&mut rng)).collect()
    }

    #[test]
    fn all_small_numbers_and_all_edges_occur() {
        let generator = toy::generator();
        let bytes = drawn(|rng| unsigned(8, &generator, rng));
        assert_eq!(bytes.len(), 256);
        let signed_bytes = drawn(|rng| signed(8, &generator, rng));
        assert_eq!(signed_bytes.len(), 256);
        assert_eq!(signed_bytes.first(), Some(&I256::unchecked_from(-128)));
        assert_eq!(signed_bytes.last(), Some(&I256::unchecked_from(127)));
        let words = drawn(|rng| unsigned(256, &generator, rng));
        let edges = (0..4).flat_map(|edge| [U256::from(edge), U256::MAX - U256::from(edge)]);
        assert!(edges.into_iter().all(|edge| words.contains(&edge)));
        assert!(words.contains(&U256::from(10).pow(U256::from(18))));
        let signed_words = drawn(|rng| signed(256, &generator, rng));
        assert!(signed_words.contains(&I256::MIN) && signed_words.contains(&I256::MAX));
        assert!(signed_words.contains(&I256::MINUS_ONE));
    }

    #[test]
    fn words_of_the_dictionary_occur_in_numbers_that_can_hold_them() {
        let generator = toy::generator();
        assert!(drawn(|rng| unsigned(64, &generator, rng)).contains(&U256::from(toy::MAGIC)));
        let low = I256::unchecked_from(toy::MAGIC as u32 as i32);
        assert!(drawn(|rng| signed(32, &generator, rng)).contains(&low));
    }

    #[test]
    fn fitting_a_word_keeps_its_low_bits_and_extends_the_sign() {
        assert_eq!(fit_unsigned(U256::from(0x1ff), 8), U256::from(0xff));
        assert_eq!(fit_signed(U256::from(0x1ff), 8), I256::MINUS_ONE);
        assert_eq!(fit_signed(U256::MAX, 256), I256::MINUS_ONE);
    }
}
