//! Execution of frames instruction by instruction.

use crate::evm::Ctx;
use revm::interpreter::{
    GasTable, InstructionTable, Interpreter, InterpreterAction, interpreter::EthInterpreter,
    interpreter_types::LoopControl,
};

/// Runs a frame until it calls or ends, as [`Interpreter::run_plain`] does. Calls `before` before each
/// instruction; it may end the frame.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
    mut before: impl FnMut(&Interpreter<EthInterpreter>, &Ctx) -> Option<InterpreterAction>,
) -> InterpreterAction {
    loop {
        if let Some(end) = before(interpreter, host) {
            interpreter.bytecode.set_action(end);
            break;
        }
        if let Err(end) = interpreter.step(table, gas, host) {
            if interpreter.bytecode.action().is_none() {
                interpreter.halt(end);
            }
            break;
        }
    }
    interpreter.take_next_action()
}
