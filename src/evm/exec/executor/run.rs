//! Run of a sequence, call by call, with the properties that are due.

use super::{EvmExecutor, proofs, snapshot_cache, step};
use crate::model::{
    InterruptedCall, Observation, Outcome, Probing, Sequence, Slot, Transaction, Work, executor::Checks,
};
use alloy_primitives::U256;

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
        let mut observation = self.run_steps(sequence, checks, probing);
        let after = self.evm.vm.ctx.chain.limits.work();
        let untraced = self.run.untraced.filter(|_| probing.track).unwrap_or(after);
        observation.work = Work { plain: untraced - before, traced: after - untraced };
        self.evm.vm.ctx.chain.cmplog.hashing = false;
        self.evm.trace_comparisons(false);
        self.recorder = self.evm.vm.ctx.chain.coverage.take().or_else(|| self.recorder.take());
        self.run.symbolic = self.evm.vm.ctx.chain.symbolic.take().or_else(|| self.run.symbolic.take());
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
        self.run.untraced = Some(self.evm.vm.ctx.chain.limits.work());
        self.evm.trace_comparisons(probing.track);
        self.evm.vm.ctx.chain.coverage = self.recorder.take();
        self.evm.vm.ctx.chain.symbolic = self.run.symbolic.take();
        self.run.tampered = !probing.state.is_empty();
        if self.run.tampered {
            self.evm.bound_gas(Some(TAMPERED_GAS));
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
        let resumed = observation.resumed;
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
