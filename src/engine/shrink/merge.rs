//! Shrink pass that merges two calls of the same function into one, with the sums or the maxima of their
//! numbers.

use super::Shrinker;
use crate::engine::tuning::shrink_merge::LONGEST;
use crate::{
    engine::demand::function_of,
    model::{Input, Sequence, Transaction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::U256;

/// Function that combines the numbers of two calls.
type Join = fn(U256, U256) -> U256;

const JOINS: [Join; 2] = [U256::saturating_add, Ord::max];

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    if shrinker.best.len() > LONGEST || shrinker.best.len() == shrinker.merged {
        return;
    }
    let mut second = shrinker.best.len();
    while second > 1 {
        second = (second - 1).min(shrinker.best.len() - 1);
        let first = (0..second).rev().find(|first| merge(shrinker, *first, second));
        // The merged call may be merged again.
        second += usize::from(first.is_some());
    }
    shrinker.merged = shrinker.best.len();
}

/// Tries the merged call at the place of either call.
fn merge(shrinker: &mut Shrinker<'_>, first: usize, second: usize) -> bool {
    let is_same = |calls: &Sequence| {
        let functions = [first, second].map(|index| function_of(&calls[index]));
        functions[0].is_some() && functions[0] == functions[1]
    };
    for join in JOINS {
        for (kept, gone) in [(first, second), (second, first)] {
            if shrinker.budget == 0 || !is_same(&shrinker.best) {
                return false;
            }
            let mut calls = shrinker.best.clone();
            let merged = joined(&calls[kept], &calls[gone], join);
            calls[kept] = merged;
            calls.remove(gone);
            if shrinker.attempt(calls) {
                return true;
            }
        }
    }
    false
}

fn joined(kept: &Transaction, gone: &Transaction, join: Join) -> Transaction {
    let mut call = kept.clone();
    call.value = join(kept.value, gone.value);
    (call.warp, call.roll) = (kept.warp.saturating_add(gone.warp), kept.roll.saturating_add(gone.roll));
    if let (Some(args), Input::Typed { args: others, .. }) = (call.input.args_mut(), &gone.input) {
        for (arg, other) in args.iter_mut().zip(&**others) {
            if let (DynSolValue::Uint(number, bits), DynSolValue::Uint(other, _)) = (arg, other) {
                let most = if *bits >= 256 { U256::MAX } else { (U256::from(1) << *bits) - U256::from(1) };
                *number = join(*number, *other).min(most);
            }
        }
    }
    call
}
