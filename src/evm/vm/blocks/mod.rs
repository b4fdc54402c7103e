//! Execution of code by basic blocks that are decoded in advance.
//!
//! For each instruction, revm looks up a function, charges gas and checks the stack, and solc without its optimizer
//! emits many instructions that only move words. Code that runs often is decoded here into blocks ([`decode`]): a block
//! charges its gas and checks the stack once, constants are words, jumps to constants know where they go, and common
//! groups of instructions are one. All other instructions run by revm's table, and so does a block whose gas is not
//! there or for which the stack has no room. So all results, and the gas at each instruction of the table, are those of
//! revm. Blocks run only where no instruction but those of the recording table has to be seen
//! ([`super::instructions::recording`]).

mod decode;
mod run;
#[cfg(test)]
mod tests;

use crate::evm::Ctx;
use alloy_primitives::{B256, map::HashMap};
use decode::BlockProgram;
use revm::{
    interpreter::{
        GasTable, InstructionTable, Interpreter, InterpreterAction,
        interpreter::EthInterpreter,
        interpreter_types::{LegacyBytecode as _, LoopControl as _},
    },
    primitives::hardfork::SpecId,
};
use std::{fmt, sync::Arc};

/// Number of frames after which code is decoded.
const FRAMES: u32 = 16;

/// Maximum size of all decoded code of a thread in bytes. If it is reached, all is decoded anew.
const MOST_BYTES: usize = 1 << 25;

/// Decoded code of a thread.
#[derive(Clone, Default)]
pub(crate) struct BlockCache {
    is_on: bool,
    known: HashMap<B256, CodeState>,
    /// Size of the decoded code in bytes.
    bytes: usize,
}

#[derive(Clone)]
enum CodeState {
    /// Number of frames so far.
    Counted(u32),
    Decoded(Arc<BlockProgram>),
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCache").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl BlockCache {
    /// Creates a cache that is used; that of `default` is not.
    pub(super) fn on() -> Self {
        Self { is_on: true, ..Self::default() }
    }

    /// Returns the decoded code of a frame. Creation code, which has no hash, runs once only.
    fn program(
        &mut self,
        interpreter: &Interpreter<EthInterpreter>,
        gas: &GasTable,
    ) -> Option<Arc<BlockProgram>> {
        // Some instructions do not exist before.
        let is_supported = interpreter.runtime_flag.spec_id.is_enabled_in(SpecId::SHANGHAI);
        let hash = interpreter.bytecode.hash().filter(|_| self.is_on && is_supported)?;
        if self.bytes > MOST_BYTES || self.known.len() > MOST_BYTES / size_of::<B256>() / 2 {
            *self = Self::on();
        }
        match self.known.entry(hash).or_insert(CodeState::Counted(0)) {
            CodeState::Decoded(program) => Some(program.clone()),
            CodeState::Counted(frames) if *frames < FRAMES => {
                *frames += 1;
                None
            }
            known => {
                let program = Arc::new(BlockProgram::decode(interpreter.bytecode.bytecode_slice(), gas)?);
                self.bytes += program.size();
                *known = CodeState::Decoded(program.clone());
                Some(program)
            }
        }
    }

    /// Runs a frame until it makes a call or ends, as [`Interpreter::run_plain`] does. The table must be that of
    /// [`super::instructions::recording`].
    pub(super) fn run(
        &mut self,
        interpreter: &mut Interpreter<EthInterpreter>,
        table: &InstructionTable<EthInterpreter, Ctx>,
        gas: &GasTable,
        host: &mut Ctx,
    ) -> InterpreterAction {
        let Some(program) = self.program(interpreter, gas) else {
            return interpreter.run_plain(table, gas, host);
        };
        let end = loop {
            let ran = run::from_here(interpreter, table, gas, host, &program);
            // What cannot run as a block runs by the table.
            if let Err(end) = ran.and_then(|()| interpreter.step(table, gas, host)) {
                break end;
            }
        };
        if interpreter.bytecode.action().is_none() {
            interpreter.halt(end);
        }
        interpreter.take_next_action()
    }
}
