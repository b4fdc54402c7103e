//! Proof that a gain is not earned by waiting or luck, and that tokens are not a gift.

use super::{EvmExecutor, PROOFS, again, is_seldom_proved, is_trusted, still};
use crate::model::{Observation, Outcome, Probing, Scene, Sequence, Site, Transaction};
use alloy_primitives::{Address, U256};
use std::{mem, sync::Arc};

/// Adds to the report the accounts that gain even if all others act first, and drops gains of tokens that nobody
/// lost and that the same call does not bring again: a welcome gift is no theft.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    let mut proofs = 0;
    for index in 0..observation.steps.len() {
        let gains = observation.steps[index].taint.as_ref().map(|taint| taint.gains.clone());
        for gain in gains.unwrap_or_default() {
            let calls = &sequence[..=index];
            let has_wei = !gain.wei.is_zero();
            let profit = has_wei.then(|| profit(executor, calls, observation, gain.account)).flatten();
            if profit.is_none() && !gain.is_minted {
                continue;
            }
            let is_last = index + 1 == sequence.len();
            let is_new = proofs < PROOFS && is_seldom_proved(executor, &sequence[index], &Site::default());
            let is_to_prove = is_last || is_new;
            proofs += usize::from(is_to_prove);
            let takes =
                is_to_prove && profit.is_some_and(|profit| takes(executor, calls, gain.account, profit));
            let mints = is_to_prove && gain.is_minted && mints_again(executor, calls, gain.account);
            let Some(taint) = observation.steps[index].taint.as_mut().map(Arc::make_mut) else { continue };
            if takes {
                taint.proofs.takers.push(gain.account);
            }
            if gain.is_minted && !mints {
                let same = taint.gains.iter_mut().filter(|known| known.account == gain.account);
                same.for_each(|known| known.tokens = U256::ZERO);
            }
        }
    }
}

/// Wei that an account has got beyond what it sent.
#[derive(Clone, Copy)]
enum Profit {
    /// It sent none.
    Free,
    /// It sent some, but less.
    Excess,
}

/// Returns the profit of an account by these calls, if it has one. The contract must not trust it, and it must have
/// called nobody back.
fn profit(
    executor: &EvmExecutor,
    calls: &[Transaction],
    observation: &Observation,
    account: Address,
) -> Option<Profit> {
    if is_trusted(executor, calls, account) {
        return None;
    }
    let (mut sent, mut got) = (U256::ZERO, U256::ZERO);
    for (step, call) in observation.steps.iter().zip(calls) {
        let gains = step.taint.iter().flat_map(|taint| &taint.gains);
        got += gains.filter(|gain| gain.account == account).map(|gain| gain.wei).sum::<U256>();
        // Who pays with a callback is not the sender.
        if call.reentry.is_some() && !call.value.is_zero() {
            return None;
        }
        if call.sender == account && step.outcome == Outcome::Success {
            sent = sent.saturating_add(call.value);
        }
    }
    match sent.is_zero() {
        true => Some(Profit::Free),
        false => (sent < Scene::BALANCE && got > sent).then_some(Profit::Excess),
    }
}

/// Numbers of times that an account makes its calls if it paid. With each number it must own more than with the one
/// before.
const ROUNDS: [usize; 5] = [1, 2, 4, 8, 16];

/// Tells whether an account profits if all others act first and it then makes its calls without any delay. An account
/// that paid must profit again and again: whoever is the lucky one among several does not.
fn takes(executor: &mut EvmExecutor, calls: &[Transaction], account: Address, profit: Profit) -> bool {
    let (last, before) = calls.split_last().expect("a call brought the gain");
    let others: Sequence = before.iter().filter(|call| call.sender != account).cloned().collect();
    let own = before.iter().filter(|call| call.sender == account);
    let own: Sequence = own.chain([last]).map(still).collect();
    let mut owned = |rounds: [usize; 2]| {
        let again_by = |calls: &Sequence, times| std::iter::repeat_n(calls.clone(), times).flatten();
        let sequence: Sequence = again_by(&others, rounds[0]).chain(again_by(&own, rounds[1])).collect();
        let seen = again(executor, &sequence, &Probing::default());
        (seen.steps.len() == sequence.len()).then(|| executor.evm.balance(account))
    };
    let Some(once) = owned([1, 1]).filter(|owned| *owned > Scene::BALANCE) else { return false };
    let mut rises = |deposits: usize, rounds: &[usize], mut before: U256| {
        rounds.iter().all(|times| {
            let after = owned([deposits, *times]).unwrap_or(before);
            mem::replace(&mut before, after) < after
        })
    };
    match profit {
        Profit::Free => true,
        Profit::Excess => rises(1, &ROUNDS[1..], once) || rises(16, &ROUNDS, Scene::BALANCE),
    }
}

/// Tells whether the last call brings an account tokens once more.
fn mints_again(executor: &mut EvmExecutor, calls: &[Transaction], account: Address) -> bool {
    let Some(last) = calls.last() else { return false };
    let sequence: Sequence = calls.iter().cloned().chain([still(last)]).collect();
    let seen = again(executor, &sequence, &Probing::default());
    let taint =
        seen.steps.last().filter(|_| seen.steps.len() == sequence.len()).and_then(|step| step.taint.clone());
    taint
        .is_some_and(|taint| taint.gains.iter().any(|gain| gain.account == account && !gain.tokens.is_zero()))
}
