//! The inspector: cheatcodes, console, tracing and what else hooks into calls and creations.

use super::{
    Ctx,
    cheats::{Cheats, is_pure},
    constants::{CONSOLE_ADDRESS, VM_ADDRESS},
    facts::{self, Fact},
    failure::FailureWatch,
    tracer::Tracer,
};
use alloy_primitives::{Address, Log};
use revm::{
    Inspector,
    context::{ContextTr, JournalTr},
    handler::FrameResult,
    interpreter::{
        CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput, Interpreter,
        interpreter::EthInterpreter,
    },
};
use std::mem;

/// State of the hooks; the cheatcodes' part lives as long as a run and is reset to that after `setUp`.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) cheats: Cheats,
    /// Records the call tree while somebody wants it.
    pub(crate) tracer: Option<Tracer>,
    pub(crate) failures: FailureWatch,
    /// Addresses of all contracts created since the last reset, also in calls that reverted.
    pub(crate) created: Vec<Address>,
    /// Logs of the transaction, kept only for the dictionary.
    pub(crate) logs: Vec<Log>,
}

impl Session {
    pub(crate) fn new(cheats: Cheats) -> Self {
        Self {
            cheats,
            tracer: None,
            failures: FailureWatch::default(),
            created: Vec::new(),
            logs: Vec::new(),
        }
    }

    /// Sees the logs that were written since the last time.
    pub(crate) fn show_logs(&mut self, context: &mut Ctx) {
        for log in mem::take(&mut context.chain.logs) {
            self.log(context, log);
        }
    }

    /// Prepares for a top-level call.
    pub(crate) fn begin(&mut self) {
        self.failures.reset();
        self.created.clear();
        self.logs.clear();
    }
}

/// Logs of a transaction kept for the dictionary.
const KEPT_LOGS: usize = 32;

fn is_builtin(address: Address) -> bool {
    address == VM_ADDRESS || address == CONSOLE_ADDRESS
}

/// Notes what a call reads.
fn note_call(context: &mut Ctx, inputs: &CallInputs) {
    let is_known = match inputs.target_address {
        CONSOLE_ADDRESS => true,
        VM_ADDRESS => is_pure(&inputs.input.bytes(context)),
        _ => !inputs.transfers_value() && !inputs.known_bytecode.1.is_eip7702(),
    };
    if is_known {
        facts::note(context, Fact::Code(inputs.bytecode_address));
    } else {
        facts::give_up(context);
    }
}

/// Hands the writes of the frame that ended to the trace; the journal has already left the frame.
fn collect_writes(context: &mut Ctx, tracer: &mut Tracer) {
    let depth = context.journaled_state.depth;
    if let Some(writes) = &mut context.chain.writes {
        // From the back: a frame that writes and calls in a loop would be gone through again at each call.
        let own = writes.iter().rposition(|write| write.0 <= depth).map_or(0, |last| last + 1);
        tracer.writes(writes.drain(own..).map(|(_, slot, before, after)| (slot, before, after)));
    }
}

impl Inspector<Ctx> for Session {
    fn initialize_interp(&mut self, interpreter: &mut Interpreter<EthInterpreter>, context: &mut Ctx) {
        context.chain.enter(context.journaled_state.depth, interpreter);
    }

    fn frame_start(&mut self, context: &mut Ctx, input: &mut FrameInput) -> Option<FrameResult> {
        self.cheats.on_frame_start(context, input);
        None
    }

    fn frame_end(&mut self, context: &mut Ctx, _: &FrameInput, result: &mut FrameResult) {
        self.cheats.on_frame_end(context, result);
        let success = result.interpreter_result().result.is_ok();
        context.chain.frame_ended(context.journaled_state.depth, success);
    }

    fn call(&mut self, context: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if inputs.known_bytecode.1.is_empty()
            && !inputs.input.is_empty()
            && !is_builtin(inputs.bytecode_address)
        {
            let delegate = inputs.scheme.is_delegate_call();
            self.failures.call_without_code(context.journaled_state.depth, inputs.bytecode_address, delegate);
        }
        if context.chain.facts.is_on() {
            note_call(context, inputs);
        }
        // First the cheatcodes: a prank changes the caller that the trace shows.
        let answered = self.cheats.on_call(context, inputs);
        if let Some(tracer) = &mut self.tracer {
            tracer.call(context, inputs);
        }
        answered
    }

    fn call_end(&mut self, context: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        if outcome.result.result.is_revert() {
            self.failures.call_reverted(inputs.target_address);
        }
        let callee = inputs.bytecode_address;
        let builtin = is_builtin(callee) || outcome.was_precompile_called;
        // As in Forge, the trace shows the call as it ended, whatever cheatcodes make of that.
        if let Some(tracer) = &mut self.tracer {
            collect_writes(context, tracer);
            tracer.end(&outcome.result, builtin);
        }
        self.cheats.on_call_end(context, inputs, outcome);
        // The cheatcode account and precompiles succeeding say nothing about what their caller does.
        if !(builtin && outcome.result.result.is_ok()) {
            let asserted = self.cheats.assert_failed_with(&outcome.result.output);
            self.failures.frame_end(context, callee, &outcome.result, asserted);
        }
    }

    fn create(&mut self, context: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        facts::give_up(context);
        let answered = self.cheats.on_create(context, inputs);
        let nonce = context.journal_mut().load_account(inputs.caller()).map_or(0, |caller| caller.info.nonce);
        self.created.push(inputs.created_address(nonce));
        if let Some(tracer) = &mut self.tracer {
            tracer.create(context, inputs);
        }
        answered
    }

    fn create_end(&mut self, context: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        if let Some(tracer) = &mut self.tracer {
            collect_writes(context, tracer);
            tracer.create_end(outcome);
        }
        self.cheats.on_create_end(context, inputs, outcome);
        self.failures.creation_end(context, inputs.init_code(), &outcome.result);
    }

    fn log(&mut self, context: &mut Ctx, log: Log) {
        self.cheats.on_log(context, &log);
        if let Some(tracer) = &mut self.tracer {
            tracer.log(&log);
        }
        if self.logs.len() < KEPT_LOGS {
            self.logs.push(log);
        }
    }
}
