//! Shrinker: simplifies a sequence as long as a predicate holds.
//!
//! The shrinker knows the predicate and a budget, but no properties. Its passes are tried in turn until none
//! of them gains anything. The first passes remove and merge calls, the others simplify reentrant calls,
//! senders, values, delays and arguments.

mod arguments;
mod arrays;
mod delay;
mod merge;
mod reentry;
mod remove;
mod search;
mod sender;
mod value;

use crate::engine::tuning::shrink::BYTES_PER_ATTEMPT;
use crate::model::{Sequence, Transaction};
use alloy_primitives::Address;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Hints of the caller about simple values.
#[derive(Clone, Debug, Default)]
pub struct ShrinkHints {
    /// Senders that the test suite allows, the simplest first. They are also tried as address arguments.
    pub senders: Vec<Address>,
}

/// Passes in the order in which they are tried: one row and one file each.
const PASSES: [fn(&mut Shrinker<'_>); 8] =
    [remove::run, merge::run, reentry::run, sender::run, value::run, delay::run, arrays::run, arguments::run];

/// Returns a sequence that is no longer than `sequence`, and simpler where `holds` allows it.
///
/// `holds` must hold for `sequence`, which is not checked; it holds for the result. It is called at most
/// `budget` times, fewer for inputs with much calldata, and never twice for the same sequence unless it held
/// for that sequence. Shrinking ends when it returns `None`.
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

/// State of the shrinker.
struct Shrinker<'a> {
    /// Simplest sequence for which the predicate is known to hold.
    best: Sequence,
    hints: &'a ShrinkHints,
    /// Number of calls of the predicate left.
    budget: u32,
    holds: &'a mut dyn FnMut(&Sequence) -> Option<bool>,
    /// Fingerprints of the sequences tried, with the result of the predicate.
    tried: FxHashMap<u64, bool>,
    gains: u64,
    /// Number of calls of the sequence when all pairs of calls were last removed, in order not to repeat it.
    paired: usize,
    /// Number of calls of the sequence when all pairs of calls were last merged, in order not to repeat it.
    merged: usize,
}

impl Shrinker<'_> {
    /// Tries `candidate` and makes it the best sequence if the predicate holds. Returns true in that case.
    fn attempt(&mut self, candidate: Sequence) -> bool {
        if self.budget == 0 {
            return false;
        }
        let (name, bytes) = fingerprint(&candidate);
        let copies = u32::try_from(bytes / BYTES_PER_ATTEMPT).unwrap_or(u32::MAX);
        self.budget = self.budget.saturating_sub(copies);
        // A sequence that held before may be reached again from a longer one.
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
        // Copying wide inputs is expensive.
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

/// Returns a hash of a sequence and the bytes of its calldata. A hash collision costs one attempt, but not
/// correctness.
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
