//! Random number generator of the engine.

use alloy_primitives::{Address, U256};
use rand_xoshiro::{
    Xoshiro256StarStar,
    rand_core::{RngCore, SeedableRng},
};

/// The generator xoshiro256** (Blackman and Vigna, 2018). It is portable, so that a seed gives the same
/// numbers on every machine.
///
/// Bounded draws multiply and shift instead of rejecting. The bias is below 2^-48 for any length that occurs
/// here, which is irrelevant to a fuzzer.
#[derive(Clone, Debug)]
pub(crate) struct Rng(Xoshiro256StarStar);

impl Rng {
    /// Creates the generator of worker `stream`, which is 2^128 draws apart from its neighbours.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut generator = Xoshiro256StarStar::seed_from_u64(seed);
        for _ in 0..stream {
            generator.jump();
        }
        Self(generator)
    }

    /// Returns 64 uniform bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a uniform number in `0..bound`; zero if `bound` is zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns true with a probability of `chance` percent.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance as usize
    }

    /// Returns true half of the time.
    pub(super) fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    /// Returns a random item; `None` if there are no items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Returns up to `most` random indices into a list of `length` items, from which the caller chooses the
    /// best; none if the list is empty.
    pub(super) fn contestants(&mut self, most: usize, length: usize) -> impl Iterator<Item = usize> {
        (0..most).map(move |_| self.below(length)).filter(move |place| *place < length)
    }

    /// Returns 1 half of the time, 2 a quarter of the time, and so on, up to `most` (at least 1).
    pub(super) fn few(&mut self, most: usize) -> usize {
        (self.next().trailing_ones() as usize + 1).min(most.max(1))
    }

    /// Returns a uniform number in `0..2^bits`.
    pub(super) fn bits(&mut self, bits: usize) -> U256 {
        let word = U256::from_limbs([self.next(), self.next(), self.next(), self.next()]);
        if bits == 0 { U256::ZERO } else { word >> (256 - bits.min(256)) }
    }

    /// Returns a number of uniformly chosen bit length, at most `bits`, so that all magnitudes are equally
    /// likely.
    pub(crate) fn magnitude(&mut self, bits: usize) -> U256 {
        let length = self.below(bits + 1);
        let mut number = self.bits(length);
        if length > 0 {
            number.set_bit(length - 1, true);
        }
        number
    }

    /// Returns a uniform address.
    pub(super) fn address(&mut self) -> Address {
        let mut address = Address::ZERO;
        self.0.fill_bytes(address.as_mut_slice());
        address
    }

    /// Returns `length` uniform bytes.
    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_stream_name_one_sequence_of_numbers() {
        let draw = |seed, stream| {
            let mut rng = Rng::new(seed, stream);
            [rng.next(), rng.next()]
        };
        assert_eq!(draw(1, 0), [12966619160104079557, 9600361134598540522]);
        assert_eq!(draw(1, 3), draw(1, 3));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    #[test]
    fn bounded_draws_stay_in_their_bounds_and_reach_them() {
        let mut rng = Rng::new(7, 0);
        let mut hit = [false; 5];
        (0..200).for_each(|_| hit[rng.below(5)] = true);
        assert_eq!(hit, [true; 5]);
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).all(|_| (1..=4).contains(&rng.few(4))));
        assert!((0..1000).all(|_| rng.magnitude(9) < U256::from(512)));
        let lengths: std::collections::BTreeSet<usize> =
            (0..1000).map(|_| rng.magnitude(9).bit_len()).collect();
        assert_eq!(lengths.len(), 10);
        assert_eq!(rng.bits(0), U256::ZERO);
    }
}
