//! Lengths of stored lists: counters that a transaction counts up by one, and a later one reads. They are in fixed
//! slots, or under a key that was an argument of the first transaction and is the caller of the second.

use super::{
    MOST, TaintTracker,
    word::{Taint, slot_hash},
};
use crate::{evm::base::place::CodePlace, model::Origins};
use alloy_primitives::{Address, U256};

/// Maximum value of a counter of interest. A sequence of calls makes no longer list.
const LONGEST: U256 = U256::from_limbs([4096, 0, 0, 0]);

/// Counter that an earlier transaction counted up, and this one read.
#[derive(Clone, Debug)]
pub(crate) struct SeenLength {
    /// Place that read it.
    pub(crate) place: CodePlace,
    pub(crate) slot: (Address, U256),
    /// Index in the sequence of the transaction that counted it up last.
    pub(crate) counted_by: usize,
}

/// Returns the number of the transaction if a write counts up a word in a fixed slot, or under an argument as key, and
/// else zero. `taints` are those of the slot and of the word.
pub(super) fn counted(
    tracker: &TaintTracker,
    slot: (Address, U256),
    word: U256,
    (at, taint): (Taint, Taint),
) -> u32 {
    let block = Origins::TIME | Origins::BLOCK;
    let chosen = Origins::INPUT | Origins::CALLER | Origins::KEYED | block;
    let is_fixed = !at.is(Taint::HASH) && !at.origins.has(chosen);
    let is_keyed = at.is(Taint::HASH) && at.origins.has(Origins::INPUT);
    let is_keyed = is_keyed && !at.origins.has(Origins::CALLER | Origins::KEYED | block);
    let by = if is_keyed { Origins::CALLER | block } else { chosen };
    let is_counter = taint.grown == slot_hash(slot) && !taint.origins.has(by);
    if (is_fixed || is_keyed) && is_counter && !word.is_zero() && word <= LONGEST {
        tracker.number
    } else {
        0
    }
}

/// Records that the transaction reads a counter, if an earlier one counted it up. `at` is the taint of the slot:
/// whoever says whose list is read has no need to read a long one.
pub(super) fn loaded(
    tracker: &mut TaintTracker,
    slot: (Address, U256),
    at: Taint,
    place: impl FnOnce() -> CodePlace,
) {
    if at.is(Taint::HASH) && at.origins.has(Origins::INPUT) {
        return;
    }
    let Some(counted_by) = tracker.storage.words.get(&slot).map(|stored| stored.counted_by) else { return };
    let lengths = &mut tracker.facts.lengths;
    let is_new = || !lengths.iter().any(|length| length.slot == slot);
    if counted_by != 0 && counted_by < tracker.number && lengths.len() < MOST && is_new() {
        let counted_by = counted_by as usize - 1;
        tracker.facts.lengths.push(SeenLength { place: place(), slot, counted_by });
    }
}
