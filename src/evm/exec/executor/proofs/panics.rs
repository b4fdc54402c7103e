//! Proof that a failed check of the compiler is due to earlier calls.

use super::{EvmExecutor, again, is_seldom_proved, is_trusted};
use crate::model::{Observation, Outcome, Probing, Sequence, Transaction};
use alloy_primitives::U256;
use std::sync::Arc;

/// Drops the failed checks of the compiler that the same call fails without the earlier ones, too.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let taint = observation.steps[index].taint.as_ref();
        let Some(site) = taint.and_then(|taint| taint.proofs.panicked.clone()) else { continue };
        let is_last = index + 1 == sequence.len();
        // The arguments of a constructor may make no sense.
        let is_to_prove = index > 0
            && (is_last || is_seldom_proved(executor, &sequence[index], &site))
            && !sequence[0].input.is_creation();
        let alone = vec![after_delays(&sequence[..=index])];
        let succeeds =
            |seen: Observation| seen.steps.first().is_some_and(|step| step.outcome == Outcome::Success);
        let is_proved = is_to_prove
            && succeeds(again(executor, &alone, &Probing::default()))
            && fails_without_trusted(executor, &sequence[..=index]);
        if let Some(taint) = observation.steps[index].taint.as_mut().filter(|_| !is_proved) {
            Arc::make_mut(taint).proofs.panicked = None;
        }
    }
}

/// Tells whether the last call fails even if those whom the contract trusts make no call before. What they set makes
/// sense.
fn fails_without_trusted(executor: &mut EvmExecutor, calls: &[Transaction]) -> bool {
    let (last, before) = calls.split_last().expect("there is a call");
    let untrusted = before.iter().filter(|call| !is_trusted(executor, calls, call.sender)).chain([last]);
    let sequence: Sequence = untrusted.cloned().collect();
    let seen = again(executor, &sequence, &Probing::default());
    seen.steps.len() == sequence.len()
        && seen.steps.last().is_some_and(|step| step.outcome == Outcome::Revert)
}

/// Returns the last call with the delays of all.
fn after_delays(calls: &[Transaction]) -> Transaction {
    let sum =
        |delay: fn(&Transaction) -> U256| calls.iter().map(delay).fold(U256::ZERO, U256::saturating_add);
    let last = calls.last().expect("there is a call");
    Transaction { warp: sum(|call| call.warp), roll: sum(|call| call.roll), ..last.clone() }
}
