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
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, B256, I256, Selector, U256};
use rustc_hash::FxHashMap;
use std::{mem, sync::Arc};

/// Maximum number of proofs of one kind in one run, beside that of its last call.
const PROOFS: usize = 2;

/// Maximum number of proofs of the same functions and call, except for last calls.
const TRIES: u32 = 16;

/// Numbers of proofs that were tried.
#[derive(Default)]
pub(super) struct ProofTries {
    /// By the selectors of the outer and the inner function, and by code and program counter of the call between.
    tries: FxHashMap<(Option<Selector>, Option<Selector>, B256, usize), u32>,
    /// True in a search, in which the same proof would be tried again and again.
    pub(super) is_search: bool,
}

/// Result of calls, for comparison with others.
struct ExecutionDigest {
    /// Hash of the state.
    state: u64,
    /// Wei of the actors and of the scanned contract.
    owned: Vec<(Address, U256)>,
    /// Whether one of the calls failed.
    has_failed: bool,
}

/// Proves what the oracles want to know about a run.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    if executor.test_env.scan.is_none() {
        return;
    }
    prove_gains(executor, sequence, observation);
    if !tracks_taint(executor) {
        return;
    }
    prove_reentry(executor, sequence, observation);
    prove_exhaustion(executor, sequence, observation);
    prove_panics(executor, sequence, observation);
}

/// Drops the reentrant calls that made no difference from the observation. A reentrant call makes a
/// difference if the two calls lead to another state when they are made one after the other, in either order, and
/// that is no loss for the attackers.
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

/// Adds to the report the accounts that gain even if all others act first, and drops gains of tokens that nobody
/// lost and that the same call does not bring again: a welcome gift is no theft.
fn prove_gains(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
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
        if call.sender == account && step.outcome == Outcome::Success {
            if call.reentry.is_some() && !call.value.is_zero() {
                return None;
            }
            sent = sent.saturating_add(call.value);
        }
    }
    match sent.is_zero() {
        true => Some(Profit::Free),
        false => (sent < Scene::BALANCE && got > sent).then_some(Profit::Excess),
    }
}

/// Tells whether the contract trusts an account: its deployer, whoever creates it again by the first of these
/// calls, and the accounts that its code names.
fn is_trusted(executor: &EvmExecutor, calls: &[Transaction], account: Address) -> bool {
    let scene = executor.test_env.scan.as_ref().map(|scan| &scan.scene);
    scene.is_none_or(|scene| account == scene.deployer || scene.named.contains(&account))
        || calls.first().is_some_and(|call| call.input.is_creation() && call.sender == account)
}

/// Returns a call without its delay.
fn still(call: &Transaction) -> Transaction {
    Transaction { warp: U256::ZERO, roll: U256::ZERO, ..call.clone() }
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
    match profit {
        Profit::Free => owned([1, 1]).is_some_and(|owned| owned > Scene::BALANCE),
        Profit::Excess => [1, 16].into_iter().any(|deposits| {
            let mut before = Scene::BALANCE;
            ROUNDS.into_iter().all(|times| {
                let after = owned([deposits, times]).unwrap_or(before);
                mem::replace(&mut before, after) < after
            })
        }),
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

/// Adds to the report the place that read a length, if somebody whom the contract does not trust can make it so
/// large that the call of somebody else runs out of gas.
fn prove_exhaustion(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let step = &observation.steps[index];
        let Some(taint) = step.taint.as_ref().filter(|_| step.outcome == Outcome::Success) else { continue };
        let lengths = taint.lengths.iter().filter(|length| is_strangers(executor, sequence, index, length));
        for length in lengths.cloned().collect::<Vec<_>>() {
            // A call that runs out of gas takes as long as many others.
            let is_last = index + 1 == sequence.len() && !executor.proofs.is_search;
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
    let by = sequence.get(length.by).map(|call| call.sender);
    by.is_some_and(|by| by != sequence[index].sender && !is_trusted(executor, sequence, by))
}

/// Length of a list that no block can loop over.
const LONG: U256 = U256::from_limbs([1_000_000, 0, 0, 0]);

/// Tells whether the last call runs out of gas if the length is great, however little it asks for, and whether the call
/// that makes it grow still does so then.
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
    run(last).is_some_and(|(_, exhausted)| exhausted)
        && run(&modest(last)).is_some_and(|(_, exhausted)| exhausted)
        && run(growing).is_some_and(|(grown, _)| grown)
}

/// Returns a call whose numbers are one.
fn modest(call: &Transaction) -> Transaction {
    let one = |value: &DynSolValue| match value {
        DynSolValue::Uint(_, bits) => DynSolValue::Uint(U256::ONE, *bits),
        DynSolValue::Int(_, bits) => DynSolValue::Int(I256::ONE, *bits),
        other => other.clone(),
    };
    match &call.input {
        Input::Typed { function, args } => {
            let args = args.iter().map(one).collect();
            Transaction { input: Input::Typed { function: function.clone(), args }, ..call.clone() }
        }
        Input::Raw(_) => call.clone(),
    }
}

/// Drops the failed checks of the compiler that the same call fails without the earlier ones, too.
fn prove_panics(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let taint = observation.steps[index].taint.as_ref();
        let Some(site) = taint.and_then(|taint| taint.proofs.panicked.clone()) else { continue };
        let is_last = index + 1 == sequence.len();
        let is_to_prove = index > 0 && (is_last || is_seldom_proved(executor, &sequence[index], &site));
        // The arguments of a constructor may make no sense.
        let is_to_prove = is_to_prove && !sequence[0].input.is_creation();
        let alone = vec![after_delays(&sequence[..=index])];
        let succeeds =
            |seen: Observation| seen.steps.first().is_some_and(|step| step.outcome == Outcome::Success);
        let is_proved = is_to_prove && succeeds(again(executor, &alone, &Probing::default()));
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
            Arc::make_mut(taint).proofs.panicked = None;
        }
    }
}

/// Returns the last call with the delays of all.
fn after_delays(calls: &[Transaction]) -> Transaction {
    let sum =
        |delay: fn(&Transaction) -> U256| calls.iter().map(delay).fold(U256::ZERO, U256::saturating_add);
    let last = calls.last().expect("there is a call");
    Transaction { warp: sum(|call| call.warp), roll: sum(|call| call.roll), ..last.clone() }
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

/// Tells whether few proofs were tried for these functions and this call, and counts another one.
fn is_seldom_proved(executor: &mut EvmExecutor, call: &Transaction, site: &Site) -> bool {
    let selector = |input: &Input| input.function().map(|function| function.selector());
    let inner = call.reentry.as_ref().and_then(|reentry| selector(&reentry.input));
    let tries = executor.proofs.tries.entry((selector(&call.input), inner, site.code, site.pc)).or_default();
    *tries += 1;
    *tries <= TRIES
}

/// State before the last call.
struct StateBefore {
    layer: Option<Arc<StateLayer>>,
    env: SavedEnv,
}

/// Tells whether the reentrant call of the last call makes a difference. The account that calls back must not be one
/// that the contract trusts.
fn makes_a_difference(executor: &mut EvmExecutor, calls: &[Transaction]) -> bool {
    let Some((last, before)) = calls.split_last() else { return false };
    let Some(reentry) = last.reentry.clone().filter(|_| !last.input.is_creation()) else { return false };
    let aside = put_aside(executor);
    executor.reset();
    executor.run_steps(&before.to_vec(), &Checks::at_the_end(Vec::new()), &Probing::default());
    let before = StateBefore { layer: executor.evm.fold(), env: executor.save() };
    let (together, reentered) = left(executor, &before, &[(last, TopCall::of(last))]);
    let mut differs = false;
    if let Some(caller) = reentered.filter(|caller| !is_trusted(executor, calls, *caller)) {
        let outer = TopCall { reentry: None, ..TopCall::of(last) };
        let to = Callee::Account(reentry.target);
        let inner = TopCall::plain(caller, to, U256::ZERO, reentry.input.calldata());
        // The callback is a part of the attacker's transaction.
        let inner = TopCall { origin: Some(last.sender), ..inner };
        let still = still(last);
        // The first of the two calls gets the delay.
        let (one, _) = left(executor, &before, &[(last, outer.clone()), (&still, inner.clone())]);
        let (other, _) = left(executor, &before, &[(last, inner), (&still, outer)]);
        let attackers = [last.sender, caller];
        // If a run was ended early, its result is unknown.
        differs = [one, other].iter().all(|apart| is_better(&together, apart, &attackers))
            && !executor.evm.vm.ctx.chain.limits.is_requested();
    }
    take_up(executor, aside);
    differs
}

/// Tells whether attackers have reason to make two calls together, and not apart: the result differs, and either one
/// of the calls fails apart, or they own no less.
fn is_better(together: &ExecutionDigest, apart: &ExecutionDigest, attackers: &[Address]) -> bool {
    let owned = |result: &ExecutionDigest| {
        let own = result.owned.iter().filter(|(account, _)| attackers.contains(account));
        own.fold(U256::ZERO, |sum, (_, wei)| sum.saturating_add(*wei))
    };
    let differs = together.state != apart.state || together.owned != apart.owned;
    differs && (apart.has_failed || owned(together) >= owned(apart))
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
    let (mut reentered, mut has_failed) = (None, false);
    for (delay, call) in calls {
        executor.evm.wait(delay);
        let saved = executor.save();
        let is_kept = executor.call(call).is_success();
        reentered = executor.evm.inspector().reentered;
        if is_kept {
            executor.evm.commit();
        } else {
            executor.undo(saved);
            has_failed = true;
        }
    }
    let accounts = executor.test_env.scan.iter().flat_map(|scan| {
        let actors = scan.scene.actors.iter().map(|actor| actor.address);
        actors.chain([scan.scene.contract.address])
    });
    let owned = accounts.map(|account| (account, executor.evm.balance(account))).collect();
    (ExecutionDigest { state: executor.evm.digest(), owned, has_failed }, reentered)
}
