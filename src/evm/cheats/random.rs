//! Random values, reproducible from the run's seed.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    vm::Vm,
};
use alloy_primitives::{Address, Bytes, FixedBytes, I256, U256, keccak256};
use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// Stream of random numbers for all `vm.random*` cheatcodes of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheatRng(Xoshiro256StarStar);

impl CheatRng {
    /// Returns the stream of a seed.
    pub(super) fn new(seed: U256) -> Self {
        // The seed is hashed, because xoshiro must not start with zeros.
        Self(Xoshiro256StarStar::from_seed(keccak256(seed.to_be_bytes::<32>()).0))
    }

    /// Returns a new stream, seeded from this one.
    pub(super) fn fork(&mut self) -> Self {
        Self::new(self.word())
    }

    /// Returns a uniformly distributed word.
    pub(super) fn word(&mut self) -> U256 {
        U256::from_limbs(std::array::from_fn(|_| self.0.next_u64()))
    }

    /// Returns a number from `min` to `max`, both included.
    fn between(&mut self, min: U256, max: U256) -> U256 {
        match (max - min).checked_add(U256::ONE) {
            Some(span) => min + self.word() % span,
            None => self.word(),
        }
    }

    /// Returns a number in the range, other than `value`.
    fn other_than(&mut self, value: U256, min: U256, max: U256) -> U256 {
        let drawn = self.between(min, max - U256::ONE);
        if drawn >= value { drawn + U256::ONE } else { drawn }
    }

    fn bytes<const N: usize>(&mut self) -> FixedBytes<N> {
        let mut bytes = FixedBytes::ZERO;
        self.0.fill_bytes(&mut bytes[..]);
        bytes
    }
}

fn bits(cx: &mut Cx<'_>, bits: U256) -> Result<(U256, usize), CheatError> {
    ensure!(bits <= U256::from(256), "number of bits cannot exceed 256");
    let bits = bits.to();
    let mask = if bits == 256 { U256::MAX } else { (U256::ONE << bits) - U256::ONE };
    Ok((cx.cheats.utilities.rng.word() & mask, bits))
}

impl Cheatcode for Vm::setSeedCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.utilities.rng = CheatRng::new(self.seed);
        done()
    }
}

impl Cheatcode for Vm::randomUint_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.rng.word())
    }
}

impl Cheatcode for Vm::randomUint_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Self { min, max } = self;
        ensure!(min <= max, "min must be less than or equal to max");
        Ok(cx.cheats.utilities.rng.between(min, max))
    }
}

impl Cheatcode for Vm::randomUint_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(bits(cx, self.bits)?.0)
    }
}

impl Cheatcode for Vm::randomInt_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(I256::from_raw(cx.cheats.utilities.rng.word()))
    }
}

impl Cheatcode for Vm::randomInt_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let (word, bits) = bits(cx, self.bits)?;
        // The topmost of these bits is the sign (two's complement).
        let unused = 256 - bits;
        Ok(if bits == 0 { I256::ZERO } else { I256::from_raw(word << unused).asr(unused) })
    }
}

impl Cheatcode for Vm::randomAddressCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(Address(cx.cheats.utilities.rng.bytes()))
    }
}

impl Cheatcode for Vm::randomBoolCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.rng.word().bit(0))
    }
}

impl Cheatcode for Vm::randomBytesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let length = self.length.saturating_to();
        cx.fits(length)?;
        let mut bytes = vec![0; length];
        cx.cheats.utilities.rng.0.fill_bytes(&mut bytes);
        Ok(Bytes::from(bytes))
    }
}

impl Cheatcode for Vm::randomBytes4Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.rng.bytes())
    }
}

impl Cheatcode for Vm::randomBytes8Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.utilities.rng.bytes())
    }
}

impl Cheatcode for Vm::bound_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Self { value, min, max } = self;
        ensure!(min < max && (min..=max).contains(&value), "cannot bound {value} in [{min}, {max}] range");
        Ok(cx.cheats.utilities.rng.other_than(value, min, max))
    }
}

impl Cheatcode for Vm::bound_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Self { value, min, max } = self;
        ensure!(min < max && (min..=max).contains(&value), "cannot bound {value} in [{min}, {max}] range");
        let from = |value: I256| value.wrapping_sub(min).into_raw();
        let drawn = cx.cheats.utilities.rng.other_than(from(value), U256::ZERO, from(max));
        Ok(min.wrapping_add(I256::from_raw(drawn)))
    }
}

impl Cheatcode for Vm::shuffleCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut values = self.values;
        for last in (1..values.len()).rev() {
            let other = cx.cheats.utilities.rng.between(U256::ZERO, U256::from(last)).to();
            values.swap(last, other);
        }
        Ok(values)
    }
}

impl Cheatcode for Vm::sortCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let mut values = self.values;
        values.sort_unstable();
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_values_again() {
        let draw = |seed: u64| CheatRng::new(U256::from(seed)).word();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_range_includes_both_ends() {
        let mut rng = CheatRng::new(U256::ZERO);
        let (low, high) = (U256::from(3), U256::from(4));
        let drawn: Vec<_> = (0..64).map(|_| rng.between(low, high)).collect();
        assert!(drawn.contains(&low) && drawn.contains(&high));
        assert!(drawn.iter().all(|value| (low..=high).contains(value)));
        rng.between(U256::ZERO, U256::MAX);
    }
}
