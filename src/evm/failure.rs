//! Which assertion failed in a transaction, and whether its failure reached the top (`decisions.md` 10).

use super::{
    Ctx,
    constants::VM_ADDRESS,
    probe::{CodePlace, Probe},
};
use crate::model::AssertionKind;
use alloy_primitives::{Address, Bytes};
use alloy_sol_types::{Panic, PanicKind, SolError};
use revm::interpreter::{InstructionResult, InterpreterResult};

/// A failing assertion on its way up the call stack.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: AssertionKind,
    /// Where it failed.
    pub(crate) place: CodePlace,
    /// Return addresses on the stack of a failing `vm.assert*`, topmost first: its callers.
    pub(crate) callers: Vec<usize>,
    /// Revert data; empty for INVALID.
    output: Bytes,
}

/// Follows failures from the frame in which they arise to the top of the transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureWatch {
    rising: Option<Failure>,
}

impl FailureWatch {
    /// Forgets the last transaction.
    pub(crate) fn reset(&mut self) {
        self.rising = None;
    }

    /// A frame ended: the failure below it rises when the frame passes it on, is replaced when the frame
    /// fails in its own way, and is gone when the frame succeeds.
    pub(crate) fn frame_end(
        &mut self,
        context: &Ctx,
        callee: Address,
        result: &InterpreterResult,
        asserted: bool,
    ) {
        if result.result.is_ok() {
            // A successful cheatcode or library call in between does not swallow anything: what was
            // rising belongs to a sibling that its caller has already dealt with.
            self.rising = None;
            return;
        }
        let passed_on = self.rising.as_ref().is_some_and(|failure| failure.output == result.output);
        if !passed_on {
            self.rising = classify(&context.chain, callee, result, asserted);
        }
    }

    /// The assertion that made the whole transaction fail.
    pub(crate) fn reached_top(&self) -> Option<&Failure> {
        self.rising.as_ref()
    }
}

fn classify(probe: &Probe, callee: Address, result: &InterpreterResult, asserted: bool) -> Option<Failure> {
    let failure = |kind, place: &CodePlace, callers: &[usize]| {
        Some(Failure { kind, place: place.clone(), callers: callers.to_vec(), output: result.output.clone() })
    };
    if callee == VM_ADDRESS {
        return asserted
            .then(|| failure(AssertionKind::VmAssert, &probe.last_cheat, &probe.return_addresses))?;
    }
    if result.result == InstructionResult::InvalidFEOpcode {
        return failure(AssertionKind::Invalid, &probe.last_failure, &[]);
    }
    if is_assert_panic(&result.output) {
        // The compiler shares one panic routine a contract; the branch before it tells assertions apart.
        let branch = &probe.last_jumpi;
        let place = if branch.code == probe.last_failure.code { branch } else { &probe.last_failure };
        return failure(AssertionKind::Panic, place, &[]);
    }
    None
}

fn is_assert_panic(output: &Bytes) -> bool {
    output.len() == 36 && Panic::abi_decode(output).is_ok_and(|panic| panic.kind() == Some(PanicKind::Assert))
}
