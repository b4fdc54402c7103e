//! Runs one call of a sequence, and tells how it ended.

use super::EvmExecutor;
use crate::{
    evm::{
        base::{
            constants::{ASSUME_MAGIC, VM_ADDRESS},
            limits::halved,
        },
        exec::test_env::TestRule,
        vm::call::{CallOutput, TopCall},
    },
    model::{
        AssertionFailure, Created, NewCoverage, Observation, Outcome, Step, Transaction, executor::Checks,
    },
};
use alloy_primitives::{Bytes, U256};
use std::{mem, sync::Arc};

/// At most so many words of one step are offered to the dictionary.
const WORDS_PER_STEP: usize = 64;

/// How a call of a sequence ended.
struct PathEnd {
    outcome: Outcome,
    assertion: Option<AssertionFailure>,
    reason: Option<String>,
}

impl EvmExecutor {
    pub(super) fn step(
        &mut self,
        tx: &Transaction,
        index: usize,
        checks: &Checks,
        observation: &mut Observation,
    ) -> Step {
        // A view that only we call leaves nothing behind, not even its time.
        let before = tx.is_only_ours().then(|| self.save());
        let block = &self.evm.vm.ctx.block;
        let time = (block.timestamp, block.number);
        self.evm.wait(tx);
        let saved = self.save();
        let holdings = self.begin_audit(tx);
        let output = self.transact(tx, index);
        let exhausted = self.exhaustion(&output);
        let PathEnd { outcome, assertion, reason } = self.end(&output, checks, observation);
        let kept = outcome == Outcome::Success && !tx.is_only_ours();
        let seen = self.seen(kept, outcome != Outcome::Discard);
        let mut taint = self.end_audit(tx, holdings, kept);
        // A test may well choose a slot itself, and says what it holds for wrong.
        let searched = outcome == Outcome::Success && self.test_env.test_rule.is_none();
        let step = Step {
            outcome,
            path: seen.path,
            new_coverage: NewCoverage { edges: seen.edges, values: seen.values },
            footprint: seen.footprint,
            exhausted,
            words: self.words(&output),
            reason,
            gas: output.gas,
            output: if tx.input.is_creation() { Bytes::new() } else { output.output },
            arbitrary_write: if searched { self.arbitrary_write() } else { None },
            assertion,
            taint: None,
        };
        match before {
            Some(before) => self.undo(before),
            None if outcome == Outcome::Success => {
                self.evm.commit();
                self.note_created(index, observation);
                self.initialize_again(tx);
            }
            None => {
                self.undo(saved);
                self.put_back(tx, index);
            }
        }
        self.count_tokens(&mut taint, kept && !step.words.is_empty());
        let step = Step { taint: taint.map(Arc::new), ..step };
        if outcome == Outcome::Discard {
            // As if it had never been made; a revert keeps its time, as in Forge's replay.
            let block = &mut self.evm.vm.ctx.block;
            (block.timestamp, block.number) = time;
        }
        step
    }

    /// Makes the call, in the time that is left to its function.
    fn transact(&mut self, tx: &Transaction, index: usize) -> CallOutput {
        let function = (tx.target, tx.input.function().map(|function| function.selector()));
        if let Some(times) = self.late.get(&function) {
            self.evm.bound_time(halved(self.timeout, *times));
        }
        let output = match tx.input.is_creation() {
            true => self.create_again(tx, index),
            false => self.call(&TopCall::of(tx)),
        };
        if self.evm.excess().is_some() {
            *self.late.entry(function).or_default() += 1;
        }
        self.evm.bound_time(self.timeout);
        output
    }

    /// How the pending call ended.
    fn end(&mut self, output: &CallOutput, checks: &Checks, observation: &mut Observation) -> PathEnd {
        if !output.is_success() && output.output.as_ref() == ASSUME_MAGIC {
            return PathEnd { outcome: Outcome::Discard, assertion: None, reason: None };
        }
        if let Some(rule) = self.test_env.test_rule {
            observation.skipped = output.skip_reason();
            let reason = self.test_failure(output, rule).filter(|_| observation.skipped.is_none());
            let success = output.is_success() && reason.is_none();
            let outcome = if success { Outcome::Success } else { Outcome::Revert };
            return PathEnd { outcome, assertion: None, reason };
        }
        let assertion = self.assertion(output);
        let success = output.is_success() && assertion.is_none();
        let outcome = if success { Outcome::Success } else { Outcome::Revert };
        let explained = checks.fail_on_revert && !success && assertion.is_none();
        PathEnd { outcome, reason: explained.then(|| self.reason(output)), assertion }
    }

    /// Why the pending call of a test failed, if it did; empty where nothing but the failure flag tells of it.
    fn test_failure(&mut self, output: &CallOutput, rule: TestRule) -> Option<String> {
        let reverter = self.evm.vm.inspector.failures.reverter();
        let foreign =
            reverter.is_some_and(|reverter| reverter != self.test_env.test && reverter != VM_ADDRESS);
        match output.is_success() {
            _ if foreign && !rule.any_revert => None,
            true => self.failed_flag().then(String::new),
            false => Some(self.reason(output)),
        }
    }

    fn words(&mut self, output: &CallOutput) -> Vec<U256> {
        let mut words: Vec<U256> = self.evm.vm.ctx.chain.writes.words.drain(..).collect();
        if output.is_success() && output.created.is_none() {
            words.extend(whole_words(&output.output));
        }
        for log in &self.evm.inspector().logs {
            words.extend(log.topics().iter().skip(1).map(|topic| U256::from_be_bytes(topic.0)));
            words.extend(whole_words(&log.data.data));
        }
        words.truncate(WORDS_PER_STEP);
        words
    }

    fn note_created(&mut self, step: usize, observation: &mut Observation) {
        if !self.test_env.targets.dynamic || self.evm.inspector().created.is_empty() {
            return;
        }
        for address in mem::take(&mut self.evm.inspector().created) {
            let code = self.evm.code(address);
            if let Some(target) = self.test_env.dynamic_target(&code) {
                let (identifier, functions) = target;
                observation.created.push(Created { step, address, identifier, functions });
            }
        }
    }
}

fn whole_words(data: &Bytes) -> impl Iterator<Item = U256> + '_ {
    data.chunks_exact(32).take(8).map(U256::from_be_slice)
}
