//! Proofs by further runs: that a reentrant call makes a difference, that a profit is not earned by waiting, that
//! a list can grow beyond what a block can loop over, and that a failed check is due to earlier calls.

mod exhaustion;
mod gains;
mod panics;
mod reentry;

use super::{
    EvmExecutor,
    oracle_facts::{put_aside, take_up, tracks_taint},
};
use crate::model::{Input, Observation, Probing, Sequence, Site, Transaction, executor::Checks};
use alloy_primitives::{Address, B256, Selector, U256};
use rustc_hash::FxHashMap;

/// Maximum number of proofs of one kind in one run, beside that of its last call.
const PROOFS: usize = 2;

/// Maximum number of proofs of the same functions and call, except for last calls.
const TRIES: u32 = 16;

/// Numbers of proofs that were tried.
#[derive(Default)]
pub(super) struct ProofTries {
    /// By what a proof is about.
    tries: FxHashMap<ProofKey, u32>,
    /// True in a search, in which the same proof would be tried again and again.
    pub(super) is_search: bool,
}

/// Proves what the oracles want to know about a run.
pub(super) fn prove(executor: &mut EvmExecutor, sequence: &Sequence, observation: &mut Observation) {
    if executor.test_env.scan.is_none() {
        return;
    }
    gains::prove(executor, sequence, observation);
    if !tracks_taint(executor) {
        return;
    }
    reentry::prove(executor, sequence, observation);
    exhaustion::prove(executor, sequence, observation);
    panics::prove(executor, sequence, observation);
}

/// Tells whether the contract trusts an account: its deployer, whoever creates it again by the first of these
/// calls, and the accounts that its code names.
fn is_trusted(executor: &EvmExecutor, calls: &[Transaction], account: Address) -> bool {
    let scene = executor.test_env.scan.as_ref().map(|scan| &scan.scene);
    scene.is_none_or(|scene| scene.trusts(account))
        || calls.first().is_some_and(|call| call.input.is_creation() && call.sender == account)
}

/// Returns a call without its delay.
fn still(call: &Transaction) -> Transaction {
    Transaction { warp: U256::ZERO, roll: U256::ZERO, ..call.clone() }
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

/// Functions of a call and of its reentrant call, and a place in the code: what a proof is about.
type ProofKey = (Option<Selector>, Option<Selector>, B256, usize);

fn proof_key(call: &Transaction, site: &Site) -> ProofKey {
    let selector = |input: &Input| input.function().map(|function| function.selector());
    let inner = call.reentry.as_ref().and_then(|reentry| selector(&reentry.input));
    (selector(&call.input), inner, site.code, site.pc)
}

/// Tells whether few proofs were tried for these functions and this call, and counts another one.
fn is_seldom_proved(executor: &mut EvmExecutor, call: &Transaction, site: &Site) -> bool {
    let tries = executor.proofs.tries.entry(proof_key(call, site)).or_default();
    *tries += 1;
    *tries <= TRIES
}
