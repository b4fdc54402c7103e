//! Run of a sequence, call by call, with the properties that are due.

use super::{EvmExecutor, proofs, snapshot_cache, step};
use crate::evm::trace::symbolic::SymbolicTracker;
use crate::model::{
    InterruptedCall, Observation, Outcome, Probing, Sequence, Slot, Transaction, Work, executor::Checks,
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Number of calls at the end of a sequence that are executed symbolically if the conditions of an edge are asked for.
/// Basis: their time; each takes as long as some ten others.
const SYMBOLIC_CALLS: usize = 16;

/// Gas limit of a transaction on directly modified storage. A length that no program would write can cause a
/// loop of a billion gas, and such a run yields no finding.
const TAMPERED_GAS: u64 = 30_000_000;

impl EvmExecutor {
    pub(super) fn run_with(
        &mut self,
        sequence: &Sequence,
        checks: &Checks,
        probing: &Probing,
    ) -> Observation {
        self.reset();
        self.evm.vm.ctx.chain.cmplog.hashing = probing.track;
        if sequence.is_empty() {
            self.begin_probing(probing, None);
        }
        let before = self.evm.vm.ctx.chain.limits.work();
        self.run.untraced = None;
        let reuse = self.caches.enabled;
        self.caches.enabled &= probing.symbolic.is_none() && !probing.instructions;
        if probing.instructions {
            self.evm.vm.ctx.chain.coverage = Some(Box::default());
        }
        let mut observation = self.run_steps(sequence, checks, probing);
        self.caches.enabled = reuse;
        let after = self.evm.vm.ctx.chain.limits.work();
        let untraced = self.run.untraced.filter(|_| probing.track).unwrap_or(after);
        let resumed = observation.work.resumed;
        self.evm.vm.ctx.chain.cmplog.hashing = false;
        self.evm.trace_comparisons(false);
        self.recorder = self.evm.vm.ctx.chain.coverage.take().or_else(|| self.recorder.take());
        let counted = self.recorder.take_if(|_| probing.instructions);
        let instructions = counted.map_or(0, |recorder| recorder.coverage.instructions());
        observation.work = Work { plain: untraced - before, traced: after - untraced, resumed, instructions };
        self.run.symbolic = self.evm.vm.ctx.chain.symbolic.take().or_else(|| self.run.symbolic.take());
        if probing.symbolic.is_some() {
            let path = self.run.symbolic.take().map(|tracker| Arc::new(tracker.into_path()));
            observation.symbolic = path;
        }
        self.evm.bound_gas(None);
        self.run.tampered = false;
        if probing.state.is_empty() {
            proofs::prove(self, sequence, &mut observation);
        }
        observation
    }

    /// Begins the recordings for the last transaction, if there is one, and the properties after it. Applies
    /// the changes to storage that `probing` requests. Block time and number are set so that the transaction
    /// reads the requested value after its own delay.
    fn begin_probing(&mut self, probing: &Probing, last: Option<&Transaction>) {
        for (slot, value) in &probing.state {
            let delay = match (*slot, last) {
                (Slot::TIMESTAMP, Some(tx)) => tx.warp,
                (Slot::BLOCK_NUMBER, Some(tx)) => tx.roll,
                _ => U256::ZERO,
            };
            self.evm.set_storage(*slot, value.saturating_sub(delay));
        }
        self.run.untraced.get_or_insert(self.evm.vm.ctx.chain.limits.work());
        self.evm.trace_comparisons(probing.track);
        if let Some(recorder) = self.recorder.take() {
            self.evm.vm.ctx.chain.coverage = Some(recorder);
        }
        if let Some(tracker) = self.run.symbolic.take() {
            self.evm.vm.ctx.chain.symbolic = Some(tracker);
        }
        self.run.tampered = !probing.state.is_empty();
        if self.run.tampered {
            self.evm.bound_gas(Some(TAMPERED_GAS));
        }
    }

    /// Begins a transaction that is executed symbolically. If the conditions of an edge are asked for, these are the
    /// last few of the sequence.
    fn begin_symbolic(&mut self, probing: &Probing, tx: &Transaction, index: usize, length: usize) {
        let chain = &mut self.evm.vm.ctx.chain;
        if let Some(edge) = probing.symbolic
            && index + SYMBOLIC_CALLS >= length
        {
            chain.symbolic.get_or_insert_with(|| Box::new(SymbolicTracker::new(edge)));
            self.run.untraced.get_or_insert(chain.limits.work());
        }
        if let Some(symbolic) = &mut chain.symbolic {
            let block = &self.evm.vm.ctx.block;
            symbolic.begin(
                index,
                tx,
                block.timestamp.wrapping_add(tx.warp),
                block.number.wrapping_add(tx.roll),
            );
        }
    }

    pub(super) fn run_steps(
        &mut self,
        sequence: &Sequence,
        checks: &Checks,
        probing: &Probing,
    ) -> Observation {
        let mut observation = Observation::default();
        self.run_on(sequence, checks, probing, &mut observation);
        if self.was_ended() {
            // The call that was ended may have been a property.
            observation.broken.clear();
            observation.best.clear();
        }
        observation.exhausted = self.run.exhausted;
        observation
    }

    fn run_on(
        &mut self,
        sequence: &Sequence,
        checks: &Checks,
        probing: &Probing,
        observation: &mut Observation,
    ) {
        let shared = snapshot_cache::shared(self, sequence, checks, probing);
        let mut counted = snapshot_cache::resume(self, &sequence[..shared], observation);
        let resumed = observation.work.resumed;
        // The state after `setUp` was checked before the campaign. An empty sequence checks it again.
        let mut unchecked = sequence.is_empty();
        for (index, tx) in sequence.iter().enumerate().skip(resumed) {
            if self.evm.vm.ctx.chain.limits.is_requested() {
                return;
            }
            if index == shared && index > resumed {
                snapshot_cache::keep_prefix(self, counted, observation);
            }
            if index + 1 == sequence.len() {
                self.begin_probing(probing, Some(tx));
            }
            self.begin_symbolic(probing, tx, index, sequence.len());
            let step = step::step(self, tx, index, checks, observation);
            if self.was_ended() {
                observation.ended_in =
                    Some(InterruptedCall { index, cpu: self.evm.vm.ctx.chain.limits.cpu_time() });
                return;
            }
            let outcome = step.outcome;
            let counts = outcome != Outcome::Discard && !tx.is_only_ours();
            let ended = counts && step.reason.is_some();
            if let (Some(reason), true) = (&step.reason, ended) {
                observation.broken = self.broken_all(checks, reason, false);
            }
            observation.steps.push(step);
            if ended {
                return;
            }
            counted += u32::from(counts);
            if counts && outcome == Outcome::Success {
                let due = checks.interval != 0 && counted.is_multiple_of(checks.interval);
                if due && index >= checks.from {
                    self.check(checks, observation);
                }
                unchecked = !due && index >= checks.from;
            }
            if !observation.broken.is_empty() {
                return;
            }
            if counted >= checks.depth {
                break;
            }
        }
        if counted >= checks.depth || !checks.full_runs_only {
            self.end_run(checks, unchecked, observation);
        }
        observation.state = self.evm.digest();
    }
}
