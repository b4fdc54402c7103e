//! The inspector: cheatcodes, console, tracing and what else hooks into calls and creations.

use super::{Ctx, cheats::Cheats};
use alloy_primitives::Log;
use revm::{
    Inspector,
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, FrameInput},
};

/// State of the hooks; lives as long as a run, and is reset to that after `setUp` for the next.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) cheats: Cheats,
}

impl Inspector<Ctx> for Session {
    fn frame_start(&mut self, context: &mut Ctx, input: &mut FrameInput) -> Option<FrameResult> {
        self.cheats.on_frame_start(context, input);
        None
    }

    fn frame_end(&mut self, context: &mut Ctx, _: &FrameInput, result: &mut FrameResult) {
        self.cheats.on_frame_end(context, result);
    }

    fn call(&mut self, context: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        self.cheats.on_call(context, inputs)
    }

    fn call_end(&mut self, context: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        self.cheats.on_call_end(context, inputs, outcome);
    }

    fn create(&mut self, context: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.cheats.on_create(context, inputs)
    }

    fn create_end(&mut self, context: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        self.cheats.on_create_end(context, inputs, outcome);
    }

    fn log(&mut self, context: &mut Ctx, log: Log) {
        self.cheats.on_log(context, &log);
    }
}
