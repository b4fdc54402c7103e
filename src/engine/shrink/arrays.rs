//! Shrink pass that shortens parallel arrays together: functions with several arrays often require equal
//! lengths.

use super::{Shrinker, search};
use crate::model::{Input, Transaction};
use alloy_dyn_abi::DynSolValue;
use std::collections::BTreeMap;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    for index in 0..shrinker.best.len() {
        for (length, arrays) in parallel(&shrinker.best[index]) {
            search::chunks(length, 0, |start, count| {
                shrinker.attempt_call(index, |call| shorten(call, &arrays, start, count))
            });
        }
    }
}

/// Returns the positions of array arguments by their length, for each length that two or more arguments
/// share.
fn parallel(call: &Transaction) -> BTreeMap<usize, Vec<usize>> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    if let Input::Typed { args, .. } = &call.input {
        for (position, arg) in args.iter().enumerate() {
            if let DynSolValue::Array(items) = arg {
                groups.entry(items.len()).or_default().push(position);
            }
        }
    }
    groups.retain(|_, positions| positions.len() > 1);
    groups
}

fn shorten(call: &mut Transaction, positions: &[usize], start: usize, count: usize) {
    if let Some(args) = call.input.args_mut() {
        for position in positions {
            if let DynSolValue::Array(items) = &mut args[*position] {
                items.drain(start..start + count);
            }
        }
    }
}
