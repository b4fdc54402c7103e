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

/// Runs a frame as [`run`] does, with the tracker in `slot`. Without a tracker, the frame runs at full speed.
pub(crate) fn tracked<T>(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
    slot: fn(&mut Ctx) -> &mut Option<Box<T>>,
    before: fn(&mut T, usize, &Interpreter<EthInterpreter>, &Ctx),
) -> InterpreterAction {
    let Some(mut tracker) = slot(host).take() else {
        return interpreter.run_plain(table, gas, host);
    };
    let depth = host.journaled_state.depth;
    let action = run(interpreter, table, gas, host, |interpreter, host| {
        before(&mut tracker, depth, interpreter, host);
        None
    });
    *slot(host) = Some(tracker);
    action
}
