//! Shrink pass that removes calls. The delays of a removed call are added to those of the next call, as in
//! Forge.

use super::{Shrinker, search};
use crate::engine::tuning::shrink_remove::{ONE_BY_ONE, PAIRED};
use crate::model::Sequence;
use alloy_primitives::U256;
use std::mem;

/// Removes chunks, then pairs: of two calls where one undoes the other, neither can be removed alone.
pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    search::chunks(shrinker.best.len(), 1, |start, count| {
        shrinker.budget > 0 && {
            let candidate = without(&shrinker.best, start, count);
            shrinker.attempt(candidate)
        }
    });
    if shrinker.best.len() != shrinker.paired {
        pairs(shrinker);
        shrinker.paired = shrinker.best.len();
    }
}

/// Removes calls one by one from the first on, and in chunks, and keeps the shorter result. Forge removes
/// calls one by one, so the result is no longer than Forge's if the sequence is short enough and the budget
/// suffices.
pub(super) fn as_forge(shrinker: &mut Shrinker<'_>) {
    let original = shrinker.best.clone();
    run(shrinker);
    if shrinker.best.len() < 2 || original.len() > ONE_BY_ONE {
        return;
    }
    let chunked = mem::replace(&mut shrinker.best, original);
    while one_by_one(shrinker) {}
    if chunked.len() <= shrinker.best.len() {
        shrinker.best = chunked;
    }
}

/// Removes calls one by one. Returns true if a call was removed.
fn one_by_one(shrinker: &mut Shrinker<'_>) -> bool {
    let before = shrinker.best.len();
    let mut index = 0;
    while shrinker.budget > 0 && index < shrinker.best.len() && shrinker.best.len() > 1 {
        let candidate = without(&shrinker.best, index, 1);
        if !shrinker.attempt(candidate) {
            index += 1;
        }
    }
    shrinker.best.len() < before
}

fn pairs(shrinker: &mut Shrinker<'_>) {
    if shrinker.best.len() > PAIRED {
        return;
    }
    let mut second = shrinker.best.len();
    while second > 1 {
        second = (second - 1).min(shrinker.best.len() - 1);
        let mut first = second;
        while shrinker.budget > 0 && first > 0 && shrinker.best.len() > 2 {
            first -= 1;
            let candidate = without(&without(&shrinker.best, second, 1), first, 1);
            if shrinker.attempt(candidate) {
                break;
            }
        }
    }
}

fn without(sequence: &Sequence, start: usize, count: usize) -> Sequence {
    let mut rest = sequence.clone();
    let removed: Sequence = rest.drain(start..start + count).collect();
    if let Some(next) = rest.get_mut(start) {
        let sum = |sum: U256, delay: U256| sum.saturating_add(delay);
        next.warp = removed.iter().map(|call| call.warp).fold(next.warp, sum);
        next.roll = removed.iter().map(|call| call.roll).fold(next.roll, sum);
    }
    rest
}
