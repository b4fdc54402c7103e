//! Places in running code.

use alloy_primitives::{Address, B256};
use revm::interpreter::{Interpreter, interpreter::EthInterpreter};

/// Place in running code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodePlace {
    /// Hash of the running code; zero for creation code.
    pub(crate) code: B256,
    /// Account whose code runs.
    pub(crate) address: Address,
    /// Program counter.
    pub(crate) pc: usize,
}

/// Returns the hash and the address of the running code. Creation code has hash zero.
pub(in crate::evm) fn running(interpreter: &Interpreter<EthInterpreter>) -> (B256, Address) {
    let address = interpreter.input.bytecode_address.unwrap_or(interpreter.input.target_address);
    (interpreter.bytecode.hash().unwrap_or_default(), address)
}
