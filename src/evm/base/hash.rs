//! Mixing of 64-bit words, for ids that need no cryptographic hash, and bounds of maps.

use rustc_hash::FxHashMap;

/// Finaliser of splitmix64 (Steele, Lea and Flood, 2014): spreads every bit of `word` over all bits.
pub(in crate::evm) fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Clears a map with as many entries: constructor arguments can make any number of different codes and accounts.
pub(in crate::evm) fn forget_if_full<K, V>(known: &mut FxHashMap<K, V>, most: usize) {
    if known.len() >= most {
        known.clear();
    }
}
