//! Proof that a reentrant call makes a difference.

use super::{
    super::{EvmExecutor, SavedEnv},
    PROOFS, is_seldom_proved, is_trusted, put_aside, still, take_up,
};
use crate::{
    evm::{
        state::layers::StateLayer,
        vm::call::{Callee, TopCall},
    },
    model::{Observation, Outcome, Probing, Sequence, Transaction, executor::Checks},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Result of calls, for comparison with others.
struct ExecutionDigest {
    /// Hash of the state.
    state: u64,
    /// Wei of the actors and of the scanned contract.
    owned: Vec<(Address, U256)>,
    /// True if one of the calls failed.
    has_failed: bool,
}

/// Drops the reentrant calls that made no difference from the observation. A reentrant call makes a
/// difference if the two calls lead to another state when they are made one after the other, in either order, and
/// that is no loss for the attackers. The last call of a run is always examined. The others are examined as long as
/// their functions were not examined often.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
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
        let inner = TopCall::plain(caller, to, reentry.value(last.value), reentry.input.calldata());
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
