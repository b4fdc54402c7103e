//! Removes calls. The time that a removed call let pass goes to the next one, as in Forge.

use super::{Shrinker, search};
use crate::model::Sequence;
use alloy_primitives::U256;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    search::chunks(shrinker.best.len(), 1, |start, count| {
        let candidate = without(&shrinker.best, start, count);
        shrinker.attempt(candidate)
    });
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
