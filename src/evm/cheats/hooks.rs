//! Where cheatcodes meet running code: before and after every call and creation, and at every log.

use super::{
    Cheats, console,
    dispatch::{Cx, answer, dispatch, encode_message},
    dstest,
    expect_revert::EndedCall,
    state_diff,
};
use crate::evm::{
    Ctx,
    base::constants::{CONSOLE_ADDRESS, VM_ADDRESS},
    state::layers::info,
};
use alloy_primitives::{Address, Bytes, Log};
use alloy_sol_types::{Revert, SolError};
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome};

impl Cheats {
    /// Answers calls of the cheatcodes, of the console and of mocks; lets a prank change the others.
    pub(crate) fn on_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        self.metering.enter(inputs.gas_limit);
        // The target is the caller itself in a delegate call, which is no call of a cheatcode.
        match inputs.target_address {
            VM_ADDRESS => return Some(self.cheat(ctx, inputs)),
            CONSOLE_ADDRESS => return Some(self.log_console(ctx, inputs)),
            _ => {}
        }
        self.expect_revert_enter(ctx.journaled_state.depth);
        self.expect_call_enter(ctx, inputs);
        if let Some(outcome) = self.mock_call(ctx, inputs) {
            return Some(outcome);
        }
        self.prank_call(ctx, inputs);
        if let Err(data) = self.broadcast_call(ctx, inputs) {
            return Some(answer(inputs, Err(data), 0));
        }
        state_diff::called(ctx, inputs);
        None
    }

    fn cheat(&mut self, ctx: &mut Ctx, inputs: &CallInputs) -> CallOutcome {
        let data = inputs.input.bytes(ctx);
        if let Some(refused) = self.refuses(inputs.caller) {
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
                self.logs.extend(text.lines().map(str::to_owned));
                Ok(Vec::new())
            }
            Err(reason) => Err(Bytes::from(Revert { reason }.abi_encode())),
        };
        answer(inputs, result, 0)
    }

    /// Applies what was expected of the call, and ends what lasted until its return.
    pub(crate) fn on_call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        let depth = ctx.journaled_state.depth;
        let cheatcode = matches!(inputs.target_address, VM_ADDRESS | CONSOLE_ADDRESS);
        if cheatcode {
            self.metering.leave_cheatcode();
            let mut ended = EndedCall {
                result: &mut outcome.result,
                target: inputs.target_address,
                depth,
                created: None,
            };
            return self.expect_cheatcode_revert_end(&mut ended);
        }
        self.metering.leave_call(depth, &mut outcome.result.gas);
        ctx.chain.note_spent(depth + 1, outcome.result.gas.total_gas_spent());
        state_diff::call_ended(ctx, inputs, outcome);
        self.prank_end(ctx);
        self.broadcast_end(ctx);
        self.undo.frame_end(ctx, depth, !outcome.result.is_ok());
        let mut ended =
            EndedCall { result: &mut outcome.result, target: inputs.target_address, depth, created: None };
        if self.assume_no_revert_end(&mut ended) || self.expect_revert_end(&mut ended) {
            return;
        }
        self.expect_emit_end(&mut ended, inputs.is_static);
        self.finish(&mut ended);
    }

    /// Lets a prank change the creator.
    pub(crate) fn on_create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.metering.enter(inputs.gas_limit());
        self.expect_revert_enter(ctx.journaled_state.depth);
        let creator = inputs.caller();
        self.prank_create(ctx, inputs);
        self.broadcast_create(ctx, inputs);
        if self.is_deploying(ctx.journaled_state.depth) {
            // As in Forge, whatever the prank says of it.
            ctx.tx.caller = Address::ZERO;
        }
        let nonce = info(ctx, inputs.caller()).map_or(0, |info| info.nonce);
        self.allow_created(creator, inputs.created_address(nonce));
        state_diff::creating(ctx, inputs);
        let refused = self.without_deployer(inputs);
        self.intercept(inputs).or(refused)
    }

    /// As [`Self::on_call_end`].
    pub(crate) fn on_create_end(
        &mut self,
        ctx: &mut Ctx,
        inputs: &CreateInputs,
        outcome: &mut CreateOutcome,
    ) {
        let depth = ctx.journaled_state.depth;
        self.metering.leave(depth, &mut outcome.result.gas);
        state_diff::created(ctx, outcome);
        self.prank_end(ctx);
        self.broadcast_end(ctx);
        self.undo.frame_end(ctx, depth, !outcome.result.is_ok());
        self.expect_create_end(inputs, outcome);
        let mut ended = EndedCall {
            result: &mut outcome.result,
            target: outcome.address.unwrap_or_default(),
            depth,
            created: Some(&mut outcome.address),
        };
        if self.assume_no_revert_end(&mut ended) || self.expect_revert_end(&mut ended) {
            return;
        }
        self.finish(&mut ended);
    }

    /// When a transaction succeeds, everything that was expected of it must have happened.
    ///
    /// A failing one keeps its own reason.
    fn finish(&mut self, ended: &mut EndedCall<'_>) {
        if ended.depth > 0 || !ended.result.result.is_ok() {
            return;
        }
        self.expect_call_finish(ended);
        if ended.result.result.is_ok() {
            self.expect_emit_finish(ended);
        }
    }

    /// Takes a log for what is recorded, expected and printed.
    pub(crate) fn on_log(&mut self, _: &mut Ctx, log: &Log) {
        self.expect_emit_log(log);
        self.record_log(log);
        self.logs.extend(dstest::line(log));
    }
}
