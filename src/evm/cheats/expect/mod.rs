//! Expectations: what calls must do until the test ends, and fail the test otherwise.

mod call;
mod emit;
mod revert;
mod revert_reason;

use super::{CheatEnv, dispatch::encode_message};
use crate::evm::Ctx;
use alloy_primitives::{Address, Bytes, Log};
use call::ExpectedCalls;
use emit::ExpectedEmits;
use revert::ExpectedReverts;
use revm::interpreter::{
    CallInputs, CallOutcome, CreateInputs, CreateOutcome, InstructionResult, InterpreterResult,
};

/// Expectations of a test that were not met yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Expectations {
    reverts: ExpectedReverts,
    emits: ExpectedEmits,
    calls: ExpectedCalls,
}

impl Expectations {
    /// Tells whether nothing is expected of the next transaction.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { reverts, emits, calls } = self;
        reverts.is_quiet() && emits.is_quiet() && calls.is_quiet()
    }

    /// Notes a call that is about to be made.
    pub(super) fn on_call(&mut self, ctx: &Ctx, inputs: &CallInputs) {
        self.reverts.on_enter(ctx.journaled_state.depth);
        self.calls.on_call(ctx, inputs);
    }

    /// Notes a creation that is about to be made.
    pub(super) fn on_create(&mut self, ctx: &Ctx) {
        self.reverts.on_enter(ctx.journaled_state.depth);
    }

    /// Compares a log with those that are expected.
    pub(super) fn on_log(&mut self, log: &Log) {
        self.emits.on_log(log);
    }

    /// Changes the result of a cheatcode, if a revert was expected of it.
    pub(super) fn on_cheatcode_end(
        &mut self,
        env: &CheatEnv,
        inputs: &CallInputs,
        outcome: &mut CallOutcome,
        depth: usize,
    ) {
        self.reverts.on_cheatcode_end(env, &mut EndedCall::of(inputs, outcome, depth));
    }

    /// Changes the result of a call to what was expected of it, or to a failure.
    pub(super) fn on_call_end(
        &mut self,
        env: &CheatEnv,
        inputs: &CallInputs,
        outcome: &mut CallOutcome,
        depth: usize,
    ) {
        let mut ended = EndedCall::of(inputs, outcome, depth);
        if !self.reverts.on_end(env, &mut ended) {
            self.emits.on_call_end(&mut ended, inputs.is_static);
            self.finish(&mut ended);
        }
    }

    /// Changes the result of a creation to what was expected of it, or to a failure.
    pub(super) fn on_create_end(
        &mut self,
        env: &CheatEnv,
        inputs: &CreateInputs,
        outcome: &mut CreateOutcome,
        depth: usize,
    ) {
        self.calls.on_create_end(inputs, outcome);
        let mut ended = EndedCall {
            result: &mut outcome.result,
            target: outcome.address.unwrap_or_default(),
            depth,
            created: Some(&mut outcome.address),
        };
        if !self.reverts.on_end(env, &mut ended) {
            self.finish(&mut ended);
        }
    }

    /// Checks, when a transaction succeeds, that everything expected of it has happened.
    ///
    /// A transaction that fails keeps its own reason.
    fn finish(&mut self, ended: &mut EndedCall<'_>) {
        if ended.depth > 0 || !ended.result.result.is_ok() {
            return;
        }
        self.calls.finish(ended);
        if ended.result.result.is_ok() {
            self.emits.finish(ended);
        }
    }
}

/// Call or creation that has ended.
struct EndedCall<'a> {
    result: &'a mut InterpreterResult,
    /// Contract called or created; zero for a creation that did not begin.
    target: Address,
    /// Depth of the call.
    depth: usize,
    /// Address that the creation gives, if it was one.
    created: Option<&'a mut Option<Address>>,
}

impl<'a> EndedCall<'a> {
    fn of(inputs: &CallInputs, outcome: &'a mut CallOutcome, depth: usize) -> Self {
        Self { result: &mut outcome.result, target: inputs.target_address, depth, created: None }
    }

    /// Reverts with Forge's text instead of what happened.
    fn fail(&mut self, text: String) {
        self.fail_with(encode_message(text));
    }

    /// Reverts with this data instead of what happened.
    fn fail_with(&mut self, data: Bytes) {
        self.result.result = InstructionResult::Revert;
        self.result.output = data;
    }
}
