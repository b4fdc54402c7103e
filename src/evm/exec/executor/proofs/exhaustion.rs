//! Proof that a list can grow beyond what a block can loop over.

use super::{EvmExecutor, TRIES, again, is_seldom_proved, is_trusted, proof_key};
use crate::model::{Exhausted, GrownLength, Input, Observation, Outcome, Probing, Sequence, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{I256, U256};
use std::sync::Arc;

/// Adds to the report the place that read a length, if somebody whom the contract does not trust can make it so
/// large that the call of somebody else runs out of gas.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    for index in 0..observation.steps.len() {
        let step = &observation.steps[index];
        let Some(taint) = step.taint.as_ref().filter(|_| step.outcome == Outcome::Success) else { continue };
        let lengths = taint.lengths.iter().filter(|length| is_strangers(executor, sequence, index, length));
        for length in lengths.cloned().collect::<Vec<_>>() {
            // A call that runs out of gas takes as long as many others. One proof is enough.
            let is_last = index + 1 == sequence.len() && !executor.proofs.is_search;
            if !is_last && !is_seldom_proved(executor, &sequence[index], &length.site) {
                continue;
            }
            if runs_out_of_gas(executor, &sequence[..=index], &length) {
                if executor.proofs.is_search {
                    executor.proofs.tries.insert(proof_key(&sequence[index], &length.site), TRIES);
                }
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
/// that made it grow would still have done so with that length.
fn runs_out_of_gas(executor: &mut EvmExecutor, calls: &[Transaction], length: &GrownLength) -> bool {
    let Some((last, before)) = calls.split_last() else { return false };
    let Some((grows, before_growth)) = calls.get(..=length.by).and_then(<[_]>::split_last) else {
        return false;
    };
    let mut run = |before: &[Transaction], call: &Transaction| {
        let sequence = before.iter().chain([call]).cloned().collect();
        let probing = Probing { state: vec![(length.slot, LONG)], ..Probing::default() };
        let seen = again(executor, &sequence, &probing);
        let step = seen.steps.last().filter(|_| seen.steps.len() == sequence.len())?;
        let grown = executor.evm.storage(length.slot.address, length.slot.slot);
        Some((step.outcome == Outcome::Success && grown > LONG, step.exhausted == Some(Exhausted::Gas)))
    };
    run(before, last).is_some_and(|(_, exhausted)| exhausted)
        && run(before, &modest(last)).is_some_and(|(_, exhausted)| exhausted)
        && run(before_growth, grows).is_some_and(|(grown, _)| grown)
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
            Transaction { input: Input::typed(function, args), ..call.clone() }
        }
        Input::Raw(_) => call.clone(),
    }
}
