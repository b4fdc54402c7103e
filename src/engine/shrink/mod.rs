//! Simplifies a sequence as long as a predicate holds.
//!
//! The shrinker knows a predicate and a budget, nothing of properties. Its passes are tried in turn until
//! none of them gains anything: fewer calls first, as they are and then merged, then simpler senders, values, delays and
//! arguments.

mod arguments;
mod arrays;
mod delay;
mod merge;
mod reentry;
mod remove;
mod search;
mod sender;
mod value;

use crate::model::{Sequence, Transaction};
use alloy_primitives::Address;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// What the caller knows to be simple.
#[derive(Clone, Debug, Default)]
pub struct ShrinkHints {
    /// Senders that the suite allows, the simplest first; also tried as address arguments.
    pub senders: Vec<Address>,
}

/// The passes in the order in which they are tried. A row each, a file each.
const PASSES: [fn(&mut Shrinker<'_>); 8] =
    [remove::run, merge::run, reentry::run, sender::run, value::run, delay::run, arrays::run, arguments::run];

/// Returns a sequence that is no longer than `sequence`, and simpler where `holds` allows it.
///
/// `holds` must hold for `sequence`, which is not checked; it holds for the result. It is called at most
/// `budget` times, fewer for wide inputs, and never twice for the same sequence unless that held; when it says nothing,
/// shrinking ends.
pub fn shrink(
    sequence: Sequence,
    hints: &ShrinkHints,
    budget: u32,
    holds: &mut dyn FnMut(&Sequence) -> Option<bool>,
) -> Sequence {
    let tried = FxHashMap::from_iter([(fingerprint(&sequence).0, true)]);
    let mut shrinker =
        Shrinker { best: sequence, hints, budget, holds, tried, gains: 0, paired: 0, merged: 0 };
    remove::as_forge(&mut shrinker);
    loop {
        let gains = shrinker.gains;
        PASSES.iter().for_each(|pass| pass(&mut shrinker));
        if shrinker.gains == gains || shrinker.budget == 0 {
            return shrinker.best;
        }
    }
}

struct Shrinker<'a> {
    /// The simplest sequence known to hold.
    best: Sequence,
    hints: &'a ShrinkHints,
    /// Calls of the predicate left.
    budget: u32,
    holds: &'a mut dyn FnMut(&Sequence) -> Option<bool>,
    /// Fingerprints of the sequences tried, and whether they held.
    tried: FxHashMap<u64, bool>,
    gains: u64,
    /// Lengths for which all pairs of calls were removed and merged in vain.
    paired: usize,
    merged: usize,
}

impl Shrinker<'_> {
    /// Takes `candidate` for the best when it holds.
    fn attempt(&mut self, candidate: Sequence) -> bool {
        if self.budget == 0 {
            return false;
        }
        let (name, bytes) = fingerprint(&candidate);
        let copies = u32::try_from(bytes / BYTES_PER_ATTEMPT).unwrap_or(u32::MAX);
        self.budget = self.budget.saturating_sub(copies);
        // What held before may be reached from a longer sequence on another way.
        let is_known = self.tried.get(&name).is_some_and(|held| !held || candidate.len() >= self.best.len());
        if self.budget == 0 || is_known {
            return false;
        }
        self.budget -= 1;
        let Some(holds) = (self.holds)(&candidate) else {
            self.budget = 0;
            return false;
        };
        self.tried.insert(name, holds);
        if holds {
            self.best = candidate;
            self.gains += 1;
        }
        holds
    }

    /// Tries a change of one call.
    fn attempt_call(&mut self, index: usize, change: impl FnOnce(&mut Transaction)) -> bool {
        // Copies of wide inputs are dear.
        if self.budget == 0 {
            return false;
        }
        let mut candidate = self.best.clone();
        change(&mut candidate[index]);
        self.attempt(candidate)
    }

    /// Tries a change of every call at once.
    fn attempt_all(&mut self, change: impl FnMut(&mut Transaction)) -> bool {
        if self.budget == 0 {
            return false;
        }
        let mut candidate = self.best.clone();
        candidate.iter_mut().for_each(change);
        self.attempt(candidate)
    }
}

/// Bytes of calldata that count as an attempt: to copy and to encode wide inputs takes longer than to run most.
const BYTES_PER_ATTEMPT: usize = 1 << 14;

/// A name of a sequence, of which a collision costs one attempt and not correctness, and the bytes of its calldata.
fn fingerprint(sequence: &Sequence) -> (u64, usize) {
    let mut hasher = FxHasher::default();
    let mut bytes = 0;
    for tx in sequence {
        let calldata = tx.input.calldata();
        bytes += calldata.len();
        (tx.sender, tx.target, tx.value, tx.warp, tx.roll, calldata).hash(&mut hasher);
        let reentry = tx.reentry.as_deref();
        reentry.map(|back| (back.target, back.nth, back.input.calldata())).hash(&mut hasher);
    }
    (hasher.finish(), bytes)
}

#[cfg(test)]
mod tests;
