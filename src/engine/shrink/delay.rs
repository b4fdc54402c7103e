//! Shrink pass that reduces the time and the blocks that pass before calls.

use super::{Shrinker, search};
use crate::model::Transaction;
use alloy_primitives::U256;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    shrinker.attempt_all(|call| (call.warp, call.roll) = (U256::ZERO, U256::ZERO));
    shrinker.attempt_all(|call| call.roll = U256::ZERO);
    shrinker.attempt_all(|call| call.warp = U256::ZERO);
    collapse(shrinker);
    for index in 0..shrinker.best.len() {
        let warp = shrinker.best[index].warp;
        search::minimise(warp, |less| shrinker.attempt_call(index, |call| call.warp = less));
        let roll = shrinker.best[index].roll;
        search::minimise(roll, |less| shrinker.attempt_call(index, |call| call.roll = less));
    }
}

/// Moves all delays to one call.
fn collapse(shrinker: &mut Shrinker<'_>) {
    let delays = |call: &&Transaction| !call.warp.is_zero() || !call.roll.is_zero();
    if shrinker.best.iter().filter(delays).count() < 2 {
        return;
    }
    let total = |delay: fn(&Transaction) -> U256| {
        shrinker.best.iter().map(delay).fold(U256::ZERO, U256::saturating_add)
    };
    let (warp, roll) = (total(|call| call.warp), total(|call| call.roll));
    for index in (0..shrinker.best.len()).rev() {
        let mut calls = shrinker.best.clone();
        calls.iter_mut().for_each(|call| (call.warp, call.roll) = (U256::ZERO, U256::ZERO));
        (calls[index].warp, calls[index].roll) = (warp, roll);
        if shrinker.attempt(calls) {
            return;
        }
    }
}
