//! Reentrant calls at the places where they may matter: where a contract handed control to an actor and wrote
//! storage afterwards.
//!
//! A withdrawal by amount shows the fault only with the right amounts: the contract must hold more than the
//! attacker is owed, and both calls together must take out more than that. So these runs are made from a call
//! that handed over control: deposits of its sequence are made by another actor as well, its amounts become
//! operands of comparisons or amounts that were paid, and the callback is the same call again, or another one
//! with these amounts.

use super::{
    bounded_queue::BoundedQueue,
    call_generator::held,
    candidate::{Candidate, Intent},
    demand::function_of,
    functions::Callable,
    search_state::SearchState,
    seed::Seed,
    technique::Technique,
    value::{self, tree},
};
use crate::engine::tuning::reentry::{
    AMOUNTS, DEPOSITS, FIRST, MOST_DEPOSITS, OTHER_FUNCTIONS, PLACES, SAME_CALLS, VARIANTS, WAITING,
};
use crate::model::{Footprint, Handover, Input, Reentry, Step, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, Selector, U256};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Technique of reentrant calls.
pub(super) struct ReentrantCalls {
    /// Sequences that have not run yet.
    waiting: BoundedQueue<Candidate>,
    /// Number of times that work was done on a function and the number of its call to an actor.
    tries: FxHashMap<(Address, Selector, u32), usize>,
}

impl Default for ReentrantCalls {
    fn default() -> Self {
        Self { waiting: BoundedQueue::new(WAITING), tries: FxHashMap::default() }
    }
}

impl ReentrantCalls {
    /// Returns the next sequence with a reentrant call.
    pub(super) fn reentry(&mut self) -> Option<Candidate> {
        self.waiting.pop()
    }

    /// Makes sequences from a run of `seed` whose last call handed over control in `step`.
    pub(super) fn learn(&mut self, state: &mut SearchState, seed: &Arc<Seed>, step: &Step) {
        let Some(taint) = step.taint.as_deref() else { return };
        let Some(function) = seed.calls.last().filter(|call| call.reentry.is_none()).and_then(function_of)
        else {
            return;
        };
        for handover in taint.handovers.iter().take(PLACES) {
            let tries = self.tries.entry((function.0, function.1, handover.nth)).or_default();
            *tries += 1;
            // New states may need new amounts, but seldom do.
            if state.rng.below(*tries / FIRST + 1) > 0 {
                continue;
            }
            if step.footprint.is_none() {
                // The next time, the operands of the comparisons are known.
                let measured = Candidate::new(seed.calls.clone(), Technique::Reentry, "measure");
                self.waiting.push(measured.traced(seed.calls.len() - 1, Intent::Explore));
            }
            let amounts = amounts(&seed.calls, step.footprint.as_deref());
            let made = (0..VARIANTS).filter_map(|_| variant(state, &seed.calls, *handover, &amounts));
            for calls in made {
                let candidate = Candidate::new(calls, Technique::Reentry, "reentry");
                self.waiting.push(candidate.traced(seed.calls.len() - 1, Intent::Explore));
            }
        }
    }
}

/// Returns amounts that the last call may be about: what its sender paid before, alone and together, and the
/// operands of comparisons with its arguments.
fn amounts(calls: &[Transaction], footprint: Option<&Footprint>) -> Vec<U256> {
    let Some((last, before)) = calls.split_last() else { return Vec::new() };
    let paid = before.iter().filter(|call| call.sender == last.sender && !call.value.is_zero());
    let mut amounts: Vec<U256> = paid.map(|call| call.value).collect();
    if amounts.len() > 1 {
        amounts.push(amounts.iter().fold(U256::ZERO, |sum, value| sum.saturating_add(*value)));
    }
    let Input::Typed { args, .. } = &last.input else { return amounts };
    let arguments: Vec<U256> =
        tree::flat(args).into_iter().filter_map(DynSolValue::as_uint).map(|(number, _)| number).collect();
    let branches = footprint.into_iter().flat_map(|footprint| &footprint.branches);
    for (left, right) in branches.map(|branch| (branch.left, branch.right)) {
        for (argument, other) in [(left, right), (right, left)] {
            if arguments.contains(&argument) && !other.is_zero() && !amounts.contains(&other) {
                amounts.push(other);
            }
        }
    }
    amounts
}

/// Returns the calls with a callback in the last one.
fn variant(
    state: &mut SearchState,
    calls: &[Transaction],
    handover: Handover,
    amounts: &[U256],
) -> Option<Vec<Transaction>> {
    let mut calls = calls.to_vec();
    let mut last = calls.pop()?;
    if state.rng.percent(AMOUNTS) {
        set_amount(state, &mut last.input, amounts);
    }
    let input = match state.rng.below(100) {
        ..SAME_CALLS => last.input.clone(),
        kind => {
            let mut input = last.input.clone();
            if kind >= 100 - OTHER_FUNCTIONS {
                input = other_input(state, handover.contract)?;
            }
            if state.rng.coin() {
                set_amount(state, &mut input, amounts);
            }
            input
        }
    };
    if state.rng.percent(DEPOSITS) {
        deposit_too(state, &mut calls, last.sender);
    }
    last.reentry = Some(Arc::new(Reentry { target: handover.contract, nth: handover.nth, input }));
    calls.push(last);
    (calls.len() <= state.depth).then_some(calls)
}

/// Returns a random call of another function of the contract.
fn other_input(state: &mut SearchState, contract: Address) -> Option<Input> {
    let Callable { target, method } = state.generator.functions.choose(&[], None, &mut state.rng)?;
    let args = value::arguments(method, &state.generator, &mut state.rng);
    let input = Input::typed(&method.function, args);
    (*target == contract && !input.is_creation()).then_some(input)
}

/// Sets a random unsigned argument to one of the amounts.
fn set_amount(state: &mut SearchState, input: &mut Input, amounts: &[U256]) {
    let Some(args) = input.args_mut() else { return };
    let nodes = tree::flat(args).into_iter().enumerate();
    let numbers: Vec<usize> =
        nodes.filter(|(_, value)| value.as_uint().is_some()).map(|(node, _)| node).collect();
    let Some((node, amount)) = state.rng.pick(&numbers).copied().zip(state.rng.pick(amounts).copied()) else {
        return;
    };
    let place = tree::node_mut(args, node);
    if let Some(place) = place
        && let Some(value) = held(&DynSolValue::Uint(amount, 256), place)
    {
        *place = value;
    }
}

/// Repeats some of the calls that paid wei, from another sender.
fn deposit_too(state: &mut SearchState, calls: &mut Vec<Transaction>, attacker: Address) {
    let deposits: Vec<Transaction> =
        calls.iter().filter(|call| !call.value.is_zero() && !call.input.is_creation()).cloned().collect();
    if deposits.is_empty() {
        return;
    }
    let sender = state.generator.sender(&mut state.rng);
    if sender == attacker {
        return;
    }
    let times = 1 + state.rng.below(2);
    for deposit in deposits.iter().rev().take(MOST_DEPOSITS).rev() {
        for _ in 0..times {
            calls.push(Transaction { sender, reentry: None, ..deposit.clone() });
        }
    }
}
