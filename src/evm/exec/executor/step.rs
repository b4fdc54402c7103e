//! Run of one call of a sequence, with its result.

use super::{CallOf, EvmExecutor, SavedEnv, assertions, creation, oracle_facts};
use crate::{
    evm::{
        base::{
            constants::{ASSUME_MAGIC, VM_ADDRESS},
            limits::halved,
        },
        exec::test_env::TestRule,
        trace::read_set::ReadScope,
        vm::call::{CallOutput, TopCall},
    },
    model::{
        AssertionFailure, Created, NewCoverage, Observation, Outcome, Step, Transaction, executor::Checks,
    },
};
use alloy_primitives::{Bytes, U256};
use std::{mem, sync::Arc};

/// Maximum number of words of one step that are offered to the dictionary.
const WORDS_PER_STEP: usize = 64;

/// Result of a call of a sequence.
struct StepEnd {
    outcome: Outcome,
    assertion: Option<AssertionFailure>,
    reason: Option<String>,
}

pub(super) fn step(
    executor: &mut EvmExecutor,
    tx: &Transaction,
    index: usize,
    checks: &Checks,
    observation: &mut Observation,
) -> Step {
    // A view that only the fuzzer calls leaves no changes, not even those of its delay.
    let before = tx.is_only_ours().then(|| executor.save());
    let block = &executor.evm.vm.ctx.block;
    let time = (block.timestamp, block.number);
    executor.evm.wait(tx);
    let saved = executor.save();
    let owned = oracle_facts::begin_taint(executor, tx);
    if executor.logs.is_some() && executor.evm.balance(tx.sender) < tx.value {
        executor.run.overdrafts.push(index);
    }
    let output = transact(executor, tx, index, &saved);
    let exhausted = executor.exhaustion(&output);
    let StepEnd { outcome, assertion, reason } = end(executor, &output, checks, observation);
    let kept = outcome == Outcome::Success && !tx.is_only_ours();
    let seen = executor.seen(kept, outcome != Outcome::Discard);
    let mut taint = oracle_facts::end_taint(executor, tx, owned, kept);
    // A test may choose a slot itself, and reports failures through assertions.
    let searched = outcome == Outcome::Success && executor.test_env.test_rule.is_none();
    let step = Step {
        outcome,
        path: seen.path,
        new_coverage: NewCoverage { edges: seen.edges, values: seen.values },
        footprint: seen.footprint,
        exhausted,
        words: words(executor, &output),
        reason,
        gas: output.gas,
        output: if tx.input.is_creation() { Bytes::new() } else { bounded(output.output) },
        arbitrary_write: if searched { assertions::arbitrary_write(executor) } else { None },
        assertion,
        taint: None,
    };
    match before {
        Some(before) => executor.undo(before),
        None if outcome == Outcome::Success => {
            executor.evm.commit();
            note_created(executor, index, observation);
            creation::initialize_again(executor, tx);
        }
        None => {
            executor.undo(saved);
            creation::put_back(executor, tx, index);
        }
    }
    oracle_facts::count_tokens(executor, &mut taint, kept && !step.words.is_empty());
    let step = Step { taint: taint.map(Arc::new), ..step };
    if outcome == Outcome::Discard {
        // A rejected call leaves no changes. A reverted call keeps its delay, as in Forge's replay.
        let block = &mut executor.evm.vm.ctx.block;
        (block.timestamp, block.number) = time;
    }
    step
}

/// Makes the call, with the CPU time limit that is left for its function.
fn transact(executor: &mut EvmExecutor, tx: &Transaction, index: usize, before: &SavedEnv) -> CallOutput {
    let function = CallOf::Function(tx.target, tx.input.function().map(|function| function.selector()));
    if let Some(times) = executor.time.late.get(&function) {
        executor.evm.bound_time(halved(executor.time.limit, *times));
    }
    let output = match tx.input.is_creation() {
        true => creation::create_again(executor, tx, index),
        false => call(executor, tx, function, before),
    };
    if executor.evm.excess().is_some() {
        *executor.time.late.entry(function).or_default() += 1;
    }
    executor.evm.bound_time(executor.time.limit);
    output
}

/// Makes a call of a function that is not a creation. Static calls in it are answered from the cache if nothing but
/// their output is wanted of them.
fn call(executor: &mut EvmExecutor, tx: &Transaction, function: CallOf, before: &SavedEnv) -> CallOutput {
    let call = TopCall::of(tx);
    let caches = &executor.caches;
    let is_answered = caches.enabled
        && !caches.needs_all_calls
        && !caches.needs_calls.contains(&function)
        && executor.test_env.test_rule.is_none()
        && tx.reentry.is_none()
        && !executor.is_followed();
    if !is_answered {
        return executor.call(&call);
    }
    let (exhausted, unsupported) = (executor.run.exhausted, executor.run.unsupported.clone());
    let vm = &mut executor.evm.vm;
    vm.inspector.calls.begin(&mut vm.ctx, ReadScope::Calls);
    let output = executor.call(&call);
    let vm = &mut executor.evm.vm;
    let was_used = vm.inspector.calls.end(&mut vm.ctx);
    let needs_calls = was_used && vm.ctx.chain.reads.outermost().depends_on_calls();
    if !needs_calls || executor.evm.excess().is_some() || executor.was_ended() {
        return output;
    }
    executor.caches.needs_calls.insert(function);
    executor.undo(before.clone());
    (executor.run.exhausted, executor.run.unsupported) = (exhausted, unsupported);
    executor.call(&call)
}

/// Returns the result of the pending call.
fn end(
    executor: &mut EvmExecutor,
    output: &CallOutput,
    checks: &Checks,
    observation: &mut Observation,
) -> StepEnd {
    if !output.is_success() && output.output.as_ref() == ASSUME_MAGIC {
        return StepEnd { outcome: Outcome::Discard, assertion: None, reason: None };
    }
    if let Some(rule) = executor.test_env.test_rule {
        observation.skipped = executor.evm.skip_reason(output);
        let reason = test_failure(executor, output, rule).filter(|_| observation.skipped.is_none());
        let success = output.is_success() && reason.is_none();
        let outcome = if success { Outcome::Success } else { Outcome::Revert };
        return StepEnd { outcome, assertion: None, reason };
    }
    let assertion = assertions::assertion(executor, output);
    let success = output.is_success() && assertion.is_none();
    let outcome = if success { Outcome::Success } else { Outcome::Revert };
    let explained = checks.fail_on_revert && !success && assertion.is_none();
    StepEnd { outcome, reason: explained.then(|| executor.reason(output)), assertion }
}

/// Returns the reason that the pending call of a test failed, if it did. The reason is empty if the failure
/// is known only from the failure flag.
fn test_failure(executor: &mut EvmExecutor, output: &CallOutput, rule: TestRule) -> Option<String> {
    let reverter = executor.evm.vm.inspector.failures.reverter();
    let foreign =
        reverter.is_some_and(|reverter| reverter != executor.test_env.suite.test && reverter != VM_ADDRESS);
    match output.is_success() {
        _ if foreign && !rule.any_revert => None,
        true => executor.failed_flag().then(String::new),
        false => Some(executor.reason(output)),
    }
}

fn words(executor: &mut EvmExecutor, output: &CallOutput) -> Vec<U256> {
    let mut words: Vec<U256> = executor.evm.vm.ctx.chain.writes.words.drain(..).collect();
    if output.is_success() && output.created.is_none() {
        words.extend(whole_words(&output.output));
    }
    for log in &executor.evm.inspector().logs {
        words.extend(log.topics().iter().skip(1).map(|topic| U256::from_be_bytes(topic.0)));
        words.extend(whole_words(&log.data.data));
    }
    words.truncate(WORDS_PER_STEP);
    words
}

fn note_created(executor: &mut EvmExecutor, step: usize, observation: &mut Observation) {
    if !executor.test_env.targets.dynamic || executor.evm.inspector().created.is_empty() {
        return;
    }
    for address in mem::take(&mut executor.evm.inspector().created) {
        let code = executor.evm.code(address);
        if let Some(target) = executor.test_env.dynamic_target(&code) {
            let (identifier, functions) = target;
            observation.created.push(Created { step, address, identifier, functions });
        }
    }
}

/// Maximum number of bytes of a call's result that are kept after the call. A call may return as much as the memory
/// limit allows, and results are kept for a whole run, and as reasons of reverts for a whole campaign.
const KEPT_OUTPUT: usize = 1 << 16;

fn bounded(output: Bytes) -> Bytes {
    match output.get(..KEPT_OUTPUT) {
        // A slice would keep all of it.
        Some(start) => Bytes::copy_from_slice(start),
        None => output,
    }
}

fn whole_words(data: &Bytes) -> impl Iterator<Item = U256> + '_ {
    data.chunks_exact(32).take(8).map(U256::from_be_slice)
}
