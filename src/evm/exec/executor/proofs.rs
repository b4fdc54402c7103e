//! Proofs by further runs: that a reentrant call makes a difference, that a profit is not earned by waiting, that
//! a list can grow beyond what a block can loop over, and that a failed check is due to earlier calls.

use super::{
    EvmExecutor, SavedEnv,
    oracle_facts::{put_aside, take_up, tracks_taint},
};
use crate::{
    evm::{
        state::layers::StateLayer,
        vm::call::{Callee, TopCall},
    },
    model::{
        Exhausted, GrownLength, Input, Observation, Outcome, Probing, Scene, Sequence, Site, Transaction,
        executor::Checks,
    },
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Maximum number of reentrancy proofs in one run, beside that of its last call.
const PROOFS: usize = 2;

/// Maximum number of proofs of the same functions and call, except for last calls.
const TRIES: u32 = 16;

/// Result of an execution, for comparison with others.
#[derive(PartialEq, Eq)]
struct ExecutionDigest {
    state: u64,
    owned: Vec<U256>,
}

/// Proves what the oracles want to know about a run.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    if !tracks_taint(executor) {
        return;
    }
    prove_reentry(executor, sequence, observation);
    prove_excess(executor, sequence, observation);
    prove_exhaustion(executor, sequence, observation);
    prove_panics(executor, sequence, observation);
}

/// Drops the reentrant calls that made no difference from the observation. A reentrant call makes a
/// difference if the two calls lead to another state when they are made one after the other, in either order.
/// The last call of a run is always examined. The others are examined as long as their functions were not
/// examined often.
fn prove_reentry(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    let mut proofs = 0;
    for index in 0..observation.steps.len() {
        let step = &observation.steps[index];
        let Some(reentered) = step.taint.as_ref().and_then(|taint| taint.proofs.reentered.as_ref()) else {
            continue;
        };
        let is_last = index + 1 == sequence.len();
        let is_new = proofs < PROOFS && is_seldom_proved(executor, &sequence[index], &reentered.site);
        let is_to_prove = step.outcome == Outcome::Success && (is_last || is_new);
        proofs += usize::from(is_to_prove);
        let is_proved = is_to_prove && makes_a_difference(executor, &sequence[..=index]);
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
            Arc::make_mut(taint).proofs.reentered = None;
        }
    }
}

/// Adds to the report the accounts that profit even if the others act first and they then make all their calls in
/// a row: they take what is others'. Whoever profits from what others do later, or from waiting, does not.
fn prove_excess(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    let mut proofs = 0;
    for index in 0..observation.steps.len() {
        let Some(account) = profiteer(executor, &sequence[..=index], observation) else { continue };
        let is_last = index + 1 == sequence.len();
        let is_new = proofs < PROOFS && is_seldom_proved(executor, &sequence[index], &Site::default());
        if !is_last && !is_new {
            continue;
        }
        proofs += 1;
        let profits = profits_in_a_row(executor, &sequence[..=index], account);
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| profits) {
            Arc::make_mut(taint).proofs.excess = Some(account);
        }
    }
}

/// Adds to the report the place that read a length, if somebody whom the contract does not trust can make it so
/// large that the call of somebody else runs out of gas.
fn prove_exhaustion(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let step = &observation.steps[index];
        let Some(taint) = step.taint.as_ref().filter(|_| step.outcome == Outcome::Success) else { continue };
        let lengths = taint.lengths.iter().filter(|length| is_strangers(executor, sequence, index, length));
        for length in lengths.cloned().collect::<Vec<_>>() {
            let is_last = index + 1 == sequence.len();
            if !is_last && !is_seldom_proved(executor, &sequence[index], &length.site) {
                continue;
            }
            if runs_out_of_gas(executor, &sequence[..=index], &length) {
                if let Some(taint) = observation.steps[index].taint.as_mut() {
                    Arc::make_mut(taint).proofs.exhausted = Some(length.site);
                }
                break;
            }
        }
    }
}

/// Tells whether a length was made to grow by an account that the contract does not trust, and read by another one.
fn is_strangers(executor: &EvmExecutor, sequence: &Sequence, index: usize, length: &GrownLength) -> bool {
    let scene = executor.test_env.scan.as_ref().map(|scan| &scan.scene);
    let by = sequence.get(length.by).map(|call| call.sender);
    let is_trusted = |account| {
        scene.is_none_or(|scene| account == scene.deployer || scene.named.contains(&account))
            || sequence.first().is_some_and(|call| call.input.is_creation() && call.sender == account)
    };
    by.is_some_and(|by| by != sequence[index].sender && !is_trusted(by))
}

/// Length of a list that no block can loop over.
const LONG: U256 = U256::from_limbs([1_000_000, 0, 0, 0]);

/// Tells whether the last call runs out of gas if the length is great, and whether the call that makes it grow
/// still does so then.
fn runs_out_of_gas(executor: &mut EvmExecutor, calls: &[Transaction], length: &GrownLength) -> bool {
    let Some(((last, before), growing)) = calls.split_last().zip(calls.get(length.by)) else { return false };
    let mut run = |call: &Transaction| {
        let sequence = before.iter().chain([call]).cloned().collect();
        let probing = Probing { state: vec![(length.slot, LONG)], ..Probing::default() };
        let seen = again(executor, &sequence, &probing);
        let step = seen.steps.last().filter(|_| seen.steps.len() == sequence.len())?;
        let grown = executor.evm.storage(length.slot.address, length.slot.slot);
        Some((step.outcome == Outcome::Success && grown > LONG, step.exhausted == Some(Exhausted::Gas)))
    };
    run(last).is_some_and(|(_, exhausted)| exhausted) && run(growing).is_some_and(|(grown, _)| grown)
}

/// Drops the failed checks of the compiler that the same call fails from the beginning, too.
fn prove_panics(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let taint = observation.steps[index].taint.as_ref();
        let Some(site) = taint.and_then(|taint| taint.proofs.panicked.clone()) else { continue };
        let is_last = index + 1 == sequence.len();
        let is_to_prove = index > 0 && (is_last || is_seldom_proved(executor, &sequence[index], &site));
        let alone = vec![sequence[index].clone()];
        let succeeds =
            |seen: Observation| seen.steps.first().is_some_and(|step| step.outcome == Outcome::Success);
        let is_proved = is_to_prove && succeeds(again(executor, &alone, &Probing::default()));
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
            Arc::make_mut(taint).proofs.panicked = None;
        }
    }
}

/// Runs calls from the beginning, without recording anything.
fn again(executor: &mut EvmExecutor, sequence: &Sequence, probing: &Probing) -> Observation {
    let aside = put_aside(executor);
    executor.reset();
    let mut seen = executor.run_steps(sequence, &Checks::at_the_end(Vec::new()), probing);
    executor.evm.bound_gas(None);
    executor.run.tampered = false;
    if executor.evm.vm.ctx.chain.limits.is_requested() {
        // The result of a run that was ended early is unknown.
        seen.steps.clear();
    }
    take_up(executor, aside);
    seen
}

/// Returns the sender of the last call, if it got wei by it and has now got more than it sent in all. It must
/// have sent some, and called nobody back.
fn profiteer(executor: &EvmExecutor, calls: &[Transaction], observation: &Observation) -> Option<Address> {
    let account = calls.last()?.sender;
    let scene = &executor.test_env.scan.as_ref()?.scene;
    if account == scene.deployer || scene.named.contains(&account) {
        return None;
    }
    let gained = |index: usize| {
        let gains = observation.steps[index].taint.iter().flat_map(|taint| &taint.gains);
        gains.filter(|gain| gain.account == account).map(|gain| gain.wei).sum::<U256>()
    };
    if gained(calls.len() - 1).is_zero() {
        return None;
    }
    let (mut sent, mut got) = (U256::ZERO, U256::ZERO);
    for (index, call) in calls.iter().enumerate() {
        got += gained(index);
        if call.sender == account && observation.steps[index].outcome == Outcome::Success {
            if call.reentry.is_some() {
                return None;
            }
            sent = sent.saturating_add(call.value);
        }
    }
    (!sent.is_zero() && sent < Scene::BALANCE && got > sent).then_some(account)
}

/// Tells whether an account owns more than at the beginning after the calls of all others, and then its own
/// without any delay.
fn profits_in_a_row(executor: &mut EvmExecutor, calls: &[Transaction], account: Address) -> bool {
    let others = calls.iter().filter(|call| call.sender != account).cloned();
    let own = calls.iter().filter(|call| call.sender == account);
    let own = own.map(|call| Transaction { warp: U256::ZERO, roll: U256::ZERO, ..call.clone() });
    let reordered: Sequence = others.chain(own).collect();
    let seen = again(executor, &reordered, &Probing::default());
    seen.steps.len() == reordered.len() && executor.evm.balance(account) > Scene::BALANCE
}

/// Tells whether few proofs were tried for these functions and this call, and counts another one.
fn is_seldom_proved(executor: &mut EvmExecutor, call: &Transaction, site: &Site) -> bool {
    let selector = |input: &Input| input.function().map(|function| function.selector());
    let inner = call.reentry.as_ref().and_then(|reentry| selector(&reentry.input));
    let tries = executor.proofs.entry((selector(&call.input), inner, site.code, site.pc)).or_default();
    *tries += 1;
    *tries <= TRIES
}

/// State before the last call.
struct StateBefore {
    layer: Option<Arc<StateLayer>>,
    env: SavedEnv,
}

fn makes_a_difference(executor: &mut EvmExecutor, calls: &[Transaction]) -> bool {
    let Some((last, before)) = calls.split_last() else { return false };
    let Some(reentry) = last.reentry.clone().filter(|_| !last.input.is_creation()) else { return false };
    let aside = put_aside(executor);
    executor.reset();
    executor.run_steps(&before.to_vec(), &Checks::at_the_end(Vec::new()), &Probing::default());
    let before = StateBefore { layer: executor.evm.fold(), env: executor.save() };
    let (together, reentered) = left(executor, &before, &[(last, TopCall::of(last))]);
    let mut differs = false;
    if let Some(caller) = reentered {
        let outer = TopCall { reentry: None, ..TopCall::of(last) };
        let to = Callee::Account(reentry.target);
        let inner = TopCall::plain(caller, to, U256::ZERO, reentry.input.calldata());
        // The callback is a part of the attacker's transaction.
        let inner = TopCall { origin: Some(last.sender), ..inner };
        let still = Transaction { warp: U256::ZERO, roll: U256::ZERO, ..last.clone() };
        // The first of the two calls gets the delay.
        let (one, _) = left(executor, &before, &[(last, outer.clone()), (&still, inner.clone())]);
        let (other, _) = left(executor, &before, &[(last, inner), (&still, outer)]);
        // If a run was ended early, its result is unknown.
        differs = together != one && together != other && !executor.evm.vm.ctx.chain.limits.is_requested();
    }
    take_up(executor, aside);
    differs
}

/// Returns the result of calls, each after the delay of a transaction, and the account that made a reentrant
/// call in the last one.
fn left(
    executor: &mut EvmExecutor,
    before: &StateBefore,
    calls: &[(&Transaction, TopCall)],
) -> (ExecutionDigest, Option<Address>) {
    executor.evm.begin_over(before.layer.clone());
    executor.evm.surround(&before.env.block_context);
    executor.evm.inspector().cheats.clone_from(&before.env.cheats);
    let mut reentered = None;
    for (delay, call) in calls {
        executor.evm.wait(delay);
        let saved = executor.save();
        let is_kept = executor.call(call).is_success();
        reentered = executor.evm.inspector().reentered;
        if is_kept {
            executor.evm.commit();
        } else {
            executor.undo(saved);
        }
    }
    let accounts = executor.test_env.scan.iter().flat_map(|scan| {
        let actors = scan.scene.actors.iter().map(|actor| actor.address);
        actors.chain([scan.scene.contract.address])
    });
    let owned = accounts.map(|account| executor.evm.balance(account)).collect();
    (ExecutionDigest { state: executor.evm.digest(), owned }, reentered)
}
