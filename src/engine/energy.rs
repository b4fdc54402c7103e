//! Energy of a picked sequence: the number of times that it is fuzzed before the next pick.

use crate::engine::tuning::energy::{LENGTH_UNIT, MAX};

/// Energy of a sequence that is picked for the first time and whose path was seen once.
const BASE: u64 = 16;

/// Returns the energy by AFLFast's exponential schedule (Boehme et al., CCS 2016). It doubles with every
/// pick, falls with the number of times that the path was exercised, and is capped. It is divided by the cost
/// of a run, and at least one.
pub(super) fn energy(picks: u32, frequency: u32, length: usize, extendable: bool) -> u32 {
    let raw = (BASE << picks.min(16)) / u64::from(frequency.max(1));
    let cheap = raw.clamp(1, MAX) * LENGTH_UNIT / (LENGTH_UNIT - 1 + length.max(1) as u64);
    // A path that ends in a revert cannot be extended; only its last call can be fuzzed.
    let energy = if extendable { cheap } else { cheap / 2 };
    energy.max(1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_grows_with_picks_falls_with_frequency_and_is_bounded() {
        assert_eq!(energy(0, 1, 1, true), 16);
        assert_eq!(energy(3, 1, 1, true), 128);
        assert_eq!(energy(60, 1, 1, true), 256);
        assert_eq!(energy(3, 16, 1, true), 8);
        assert_eq!(energy(0, 1_000_000, 1, true), 1);
    }

    #[test]
    fn long_and_reverting_sequences_get_less_energy_but_some() {
        assert_eq!(energy(0, 1, 9, true), 8);
        assert_eq!(energy(0, 1, 1, false), 8);
        assert_eq!(energy(0, 1, 500, false), 1);
    }
}
