//! Hooks into running code: before and after every frame, call and creation, and at every log.

use super::{
    Cheats, block_history, code, console,
    dispatch::{Cx, answer, dispatch, encode_message},
    dstest, state_diff,
};
use crate::evm::{
    Ctx,
    base::constants::{CONSOLE_ADDRESS, VM_ADDRESS},
    state::layers::info,
};
use alloy_primitives::{Address, Bytes, Log};
use alloy_sol_types::{Revert, SolError};
use revm::{
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput},
};

impl Cheats {
    /// Replaces a creation by a call of the deployer, and a call of `deployCode` by the creation that it asks for.
    pub(crate) fn on_frame_start(&mut self, ctx: &mut Ctx, input: &mut FrameInput) {
        self.broadcasts.through_deployer(&self.shared.config, ctx, input);
        code::begin_deployment(self, ctx, input);
    }

    /// Gives the result of a replaced call or creation to its caller.
    pub(crate) fn on_frame_end(&mut self, ctx: &mut Ctx, result: &mut FrameResult) {
        self.broadcasts.leave_deployer(ctx, result);
        self.deployments.on_frame_end(ctx, result);
    }

    /// Answers calls of the cheatcodes, of the console and of mocks; lets a prank change the others.
    pub(crate) fn on_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        self.gas.metering.enter(inputs.gas_limit);
        // The target is the caller itself in a delegate call, which is no call of a cheatcode.
        match inputs.target_address {
            VM_ADDRESS => return Some(self.cheat(ctx, inputs)),
            CONSOLE_ADDRESS => return Some(self.log_console(ctx, inputs)),
            _ => {}
        }
        self.expectations.on_call(ctx, inputs);
        block_history::on_call(ctx, inputs);
        if let Some(outcome) = self.mocks.on_call(ctx, inputs) {
            return Some(outcome);
        }
        self.pranks.on_call(ctx, inputs);
        if let Err(data) = self.broadcasts.on_call(ctx, inputs) {
            return Some(answer(inputs, Err(data), 0));
        }
        state_diff::called(ctx, inputs);
        None
    }

    fn cheat(&mut self, ctx: &mut Ctx, inputs: &CallInputs) -> CallOutcome {
        let data = inputs.input.bytes(ctx);
        if let Some(refused) = self.forks.refuses(self.shared.test, inputs.caller) {
            return answer(inputs, Err(encode_message(refused)), 0);
        }
        let mut cx = Cx::new(ctx, self, inputs);
        let result = dispatch(&mut cx, &data);
        let gas_back = cx.gas_back;
        answer(inputs, result, gas_back)
    }

    fn log_console(&mut self, ctx: &Ctx, inputs: &CallInputs) -> CallOutcome {
        let data = inputs.input.bytes(ctx);
        let result = match console::line(&data) {
            Ok(text) => {
                // An empty text prints nothing.
                self.transaction.logs.extend(text.lines().map(str::to_owned));
                Ok(Vec::new())
            }
            Err(reason) => Err(Bytes::from(Revert { reason }.abi_encode())),
        };
        answer(inputs, result, 0)
    }

    /// Applies what was expected of the call, and ends what lasted until its return.
    pub(crate) fn on_call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        let depth = ctx.journaled_state.depth;
        if matches!(inputs.target_address, VM_ADDRESS | CONSOLE_ADDRESS) {
            self.gas.metering.leave_cheatcode();
            return self.expectations.on_cheatcode_end(&self.shared, inputs, outcome, depth);
        }
        self.gas.metering.leave_call(depth, &mut outcome.result.gas);
        ctx.chain.note_spent(depth + 1, outcome.result.gas.total_gas_spent());
        state_diff::call_ended(ctx, inputs, outcome);
        self.pranks.on_end(ctx);
        self.broadcasts.on_end(ctx);
        self.transaction.undo.frame_end(ctx, depth, !outcome.result.is_ok());
        self.expectations.on_call_end(&self.shared, inputs, outcome, depth);
    }

    /// Lets a prank change the creator.
    pub(crate) fn on_create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.gas.metering.enter(inputs.gas_limit());
        self.expectations.on_create(ctx);
        let creator = inputs.caller();
        self.pranks.on_create(ctx, inputs);
        self.broadcasts.on_create(ctx, inputs);
        if self.deployments.is_running(ctx.journaled_state.depth) {
            // As in Forge, whatever the prank says of it.
            ctx.tx.caller = Address::ZERO;
        }
        let nonce = info(ctx, inputs.caller()).map_or(0, |info| info.nonce);
        self.forks.allow_created(self.shared.test, creator, inputs.created_address(nonce));
        state_diff::creating(ctx, inputs);
        let refused = self.broadcasts.without_deployer(inputs);
        self.deployments.intercept(inputs).or(refused)
    }

    /// Does as [`Self::on_call_end`], for a creation.
    pub(crate) fn on_create_end(
        &mut self,
        ctx: &mut Ctx,
        inputs: &CreateInputs,
        outcome: &mut CreateOutcome,
    ) {
        let depth = ctx.journaled_state.depth;
        self.gas.metering.leave_creation(depth, &mut outcome.result.gas);
        state_diff::created(ctx, outcome);
        self.pranks.on_end(ctx);
        self.broadcasts.on_end(ctx);
        self.transaction.undo.frame_end(ctx, depth, !outcome.result.is_ok());
        self.expectations.on_create_end(&self.shared, inputs, outcome, depth);
    }

    /// Compares, records and prints a log.
    pub(crate) fn on_log(&mut self, _: &mut Ctx, log: &Log) {
        self.expectations.on_log(log);
        self.recording.on_log(log);
        self.transaction.logs.extend(dstest::line(log));
    }
}
