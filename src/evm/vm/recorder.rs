//! Recorder of one transaction. It sits in revm's chain slot, where instructions can access it.
//!
//! Hooks for calls and cheatcodes belong to the inspector ([`super::inspector`]).

use crate::evm::{
    base::limits::Limits,
    cheats::InstructionWatch,
    trace::{
        cmplog::{CmpLog, CmpSite},
        coverage::CoverageRecorder,
        failure::FailureSites,
        path::PathRecorder,
        read_set::ReadSet,
        symbolic::SymbolicTracker,
        taint::TaintTracker,
        writes::WriteLog,
    },
};
use alloy_primitives::Log;
use revm::interpreter::{InstructionResult, Interpreter, InterpreterResult, interpreter::EthInterpreter};

/// Recordings of one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceRecorder {
    /// Branches, path, and the code of each frame.
    pub(crate) path: PathRecorder,
    /// Sites of reverts and cheatcode calls, to locate a failed assertion.
    pub(crate) failure: FailureSites,
    /// Storage writes.
    pub(crate) writes: WriteLog,
    /// Comparisons, if the transaction is traced for predictions.
    pub(crate) cmplog: CmpLog,
    /// Requests of cheatcodes to record or change instructions.
    pub(crate) watch: InstructionWatch,
    /// State that the call reads, while the read set is recorded.
    pub(crate) reads: ReadSet,
    /// Logs that were not passed to the inspector yet.
    pub(crate) logs: Vec<Log>,
    /// Gas that each frame had spent before its last call, by depth. Recorded while a gas section is measured.
    pub(crate) spent: Option<Vec<u64>>,
    /// Limits that end a call early.
    pub(crate) limits: Limits,
    /// Executed instructions, while coverage is recorded.
    pub(crate) coverage: Option<Box<CoverageRecorder>>,
    /// Origins of data (taint), while oracles need them.
    pub(crate) taint: Option<Box<TaintTracker>>,
    /// Expressions of words, while a transaction is executed symbolically.
    pub(crate) symbolic: Option<Box<SymbolicTracker>>,
}

impl TraceRecorder {
    /// Returns a recorder whose calls end at `limits`.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Clears the recordings of the last transaction. `watch` stays because it belongs to the cheatcodes.
    /// `reads` and `limits` stay, too.
    pub(crate) fn reset(&mut self) {
        self.path.reset();
        self.failure.reset();
        self.writes.reset();
        self.spent = None;
        self.logs.clear();
        if self.cmplog.is_on() {
            self.cmplog.reset();
        }
    }

    /// Records that a frame begins at `depth`; the outermost frame has depth 1.
    pub(crate) fn enter(&mut self, depth: usize, interpreter: &Interpreter<EthInterpreter>) {
        self.path.enter(depth, interpreter);
        if self.cmplog.is_on() {
            self.cmplog.enter(depth);
        }
        if let Some(taint) = &mut self.taint {
            taint.enter(depth);
        }
        if let Some(symbolic) = &mut self.symbolic {
            let account = interpreter.input.bytecode_address.unwrap_or(interpreter.input.target_address);
            symbolic.enter(depth, account);
        }
    }

    /// Records the end of a frame that the frame at `depth` called.
    pub(crate) fn frame_ended(&mut self, depth: usize, result: &InterpreterResult) {
        let success = result.result.is_ok();
        if let Some(taint) = &mut self.taint {
            taint.frame_ended(depth, result);
        }
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.frame_ended(depth, result);
        }
        if !success {
            self.writes.frame_failed(depth);
            // More is recorded of a failed frame than its output, such as the place of a panic.
            self.reads.note_transaction();
            if is_out_of_gas(result.result) {
                self.reads.note_calls();
            }
        }
        if self.cmplog.is_on() {
            self.cmplog.call_ended(depth, success);
        }
    }

    /// Records the gas that the frame at `depth` has spent, while a gas section is measured.
    pub(crate) fn note_spent(&mut self, depth: usize, gas: u64) {
        if let Some(spent) = &mut self.spent {
            spent.resize(spent.len().max(depth + 1), 0);
            spent[depth] = gas;
        }
    }

    /// Returns the site at which the frame at `depth` called the last cheatcode.
    pub(crate) fn cheat_site(&self, depth: usize) -> CmpSite {
        self.path.frame(depth).at(self.failure.cheat.pc)
    }
}

/// Tells whether a frame ended for lack of gas.
fn is_out_of_gas(result: InstructionResult) -> bool {
    use InstructionResult::{
        InvalidOperandOOG, MemoryLimitOOG, MemoryOOG, OutOfGas, PrecompileOOG, ReentrancySentryOOG,
    };
    matches!(
        result,
        OutOfGas | MemoryOOG | MemoryLimitOOG | PrecompileOOG | InvalidOperandOOG | ReentrancySentryOOG
    )
}
