//! Shrink pass that reduces the number of senders and replaces them by simpler ones.

use super::Shrinker;
use crate::{engine::value::tree, model::Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::Address;
use std::collections::BTreeMap;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    if !one_for_all(shrinker) {
        each(shrinker);
        rename(shrinker);
    }
}

/// Makes one account the sender of all calls: the simplest that the predicate accepts, or the most frequent
/// sender.
fn one_for_all(shrinker: &mut Shrinker<'_>) -> bool {
    let hints = shrinker.hints;
    let settled = |account: &Address| shrinker.best.iter().all(|call| call.sender == *account);
    if hints.senders.first().is_some_and(settled) {
        return true;
    }
    let simpler = hints.senders.iter().take_while(|hint| !settled(hint)).copied();
    let candidates: Vec<Address> = simpler.chain(most_used(shrinker)).collect();
    candidates.into_iter().any(|account| shrinker.attempt_all(|call| call.sender = account))
}

/// Gives each call a simpler sender, or else the most frequent one.
fn each(shrinker: &mut Shrinker<'_>) {
    let hints = shrinker.hints;
    for index in 0..shrinker.best.len() {
        let sender = shrinker.best[index].sender;
        let simpler = hints.senders.iter().take_while(|hint| **hint != sender);
        let simplified =
            simpler.into_iter().any(|hint| shrinker.attempt_call(index, |call| call.sender = *hint));
        if simplified || hints.senders.contains(&sender) {
            continue;
        }
        if let Some(most_used) = most_used(shrinker).filter(|most_used| *most_used != sender) {
            shrinker.attempt_call(index, |call| call.sender = most_used);
        }
    }
}

/// Replaces an account by a simple one, in senders and in arguments.
fn rename(shrinker: &mut Shrinker<'_>) {
    let hints = shrinker.hints;
    let senders: Vec<Address> = shrinker.best.iter().map(|call| call.sender).collect();
    for old in senders.into_iter().filter(|sender| !hints.senders.contains(sender)) {
        let used = |hint: &&Address| shrinker.best.iter().any(|call| call.sender == **hint);
        let Some(new) = hints.senders.iter().find(|hint| !used(hint)) else { return };
        shrinker.attempt_all(|call| rename_in(call, old, *new));
    }
}

fn rename_in(call: &mut Transaction, old: Address, new: Address) {
    if call.sender == old {
        call.sender = new;
    }
    if let Some(args) = call.input.args_mut() {
        for index in 0..tree::count(args) {
            if let Some(DynSolValue::Address(address)) = tree::node_mut(args, index)
                && *address == old
            {
                *address = new;
            }
        }
    }
}

/// Returns the most frequent sender; the smallest address if there are several.
fn most_used(shrinker: &Shrinker<'_>) -> Option<Address> {
    let mut counts: BTreeMap<Address, usize> = BTreeMap::new();
    shrinker.best.iter().for_each(|call| *counts.entry(call.sender).or_default() += 1);
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(account, _)| account)
}
