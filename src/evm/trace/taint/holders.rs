//! Accounts in storage that callers are compared with: owners, and whoever takes their place.

use super::{
    MOST, TaintTracker,
    word::{Taint, slot_hash},
    wraps::TaintedWord,
};
use crate::{evm::base::place::CodePlace, model::Origins};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Write of an account that the caller is, or chose, into a fixed slot of storage.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    /// Place of the write.
    pub(crate) place: CodePlace,
    pub(crate) slot: (Address, U256),
    /// Sender of the transaction.
    pub(crate) by: Address,
    /// The word.
    word: U256,
    /// Word that the deployment left in the slot; zero if it did not, or if the sequence wrote the slot before.
    pub(crate) replaced: U256,
    /// True if the deployment wrote it.
    pub(super) is_initial: bool,
}

/// Returns the record of a write, if it puts an account into a slot that neither caller nor arguments choose. A write
/// that changes nothing leaves the record of the write before it. `taints` are those of the slot and of the word.
pub(super) fn written(
    tracker: &mut TaintTracker,
    slot: (Address, U256),
    word: U256,
    (at, taint): (Taint, Taint),
    place: impl FnOnce() -> CodePlace,
) -> Option<Arc<Holder>> {
    let chosen = Origins::CALLER | Origins::INPUT;
    let keyed = chosen | Origins::KEYED | Origins::PAST_CALLER | Origins::PAST_INPUT;
    if at.is(Taint::HASH | Taint::DATA) || at.origins.has(keyed) || !taint.origins.has(chosen) {
        return None;
    }
    let before = tracker.storage.words.get(&slot).and_then(|stored| stored.holder.as_ref());
    // Who is there already takes no place.
    if let Some(same) = before.filter(|holder| !holder.is_initial && holder.word == word) {
        return Some(same.clone());
    }
    let replaced = before.filter(|holder| holder.is_initial).map_or(U256::ZERO, |holder| holder.word);
    let holder = Holder { place: place(), slot, by: tracker.sender, word, replaced, is_initial: false };
    let is_handed_on = tracker.facts.takeovers.iter().any(|known| known.slot == slot);
    tracker.facts.handed_on = tracker.facts.handed_on.or(is_handed_on.then_some(slot));
    Some(Arc::new(holder))
}

/// Records that the sender passed a comparison with an account that an earlier transaction wrote.
pub(super) fn compared(tracker: &mut TaintTracker, sides: [TaintedWord; 2]) {
    let past = Origins::PAST_CALLER | Origins::PAST_INPUT;
    let [caller, stored] = match sides {
        [left, right] if right.taint.origins.has(Origins::CALLER) => [right, left],
        [left, right] => [left, right],
    };
    if caller.word != stored.word
        || !caller.taint.origins.has(Origins::CALLER)
        || !stored.taint.is_loaded()
        || !stored.taint.origins.has(past)
    {
        return;
    }
    let mut words = tracker.storage.words.iter();
    let found = words.find(|(slot, _)| slot_hash(**slot) == stored.taint.slot);
    let holder = found.and_then(|(_, stored)| stored.holder.clone());
    let has_room = tracker.facts.takeovers.len() < MOST;
    tracker.facts.takeovers.extend(holder.filter(|_| has_room));
}
