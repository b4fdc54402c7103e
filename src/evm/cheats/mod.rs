//! Cheatcodes and the console.

use super::Ctx;
use alloy_primitives::Log;
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome};

/// State of the cheatcodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cheats {}

#[expect(clippy::unused_self, reason = "filled in by the cheatcode room")]
impl Cheats {
    pub(crate) fn on_call(&mut self, _context: &mut Ctx, _inputs: &mut CallInputs) -> Option<CallOutcome> {
        None
    }
    pub(crate) fn on_call_end(
        &mut self,
        _context: &mut Ctx,
        _inputs: &CallInputs,
        _outcome: &mut CallOutcome,
    ) {
    }
    pub(crate) fn on_create(
        &mut self,
        _context: &mut Ctx,
        _inputs: &mut CreateInputs,
    ) -> Option<CreateOutcome> {
        None
    }
    pub(crate) fn on_create_end(
        &mut self,
        _context: &mut Ctx,
        _inputs: &CreateInputs,
        _outcome: &mut CreateOutcome,
    ) {
    }
    pub(crate) fn assert_failed_with(&self, _output: &alloy_primitives::Bytes) -> bool {
        false
    }
    pub(crate) fn on_log(&mut self, _context: &mut Ctx, _log: &Log) {}
}
