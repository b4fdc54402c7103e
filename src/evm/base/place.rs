//! Places in code as it runs.

use alloy_primitives::{Address, B256};
use revm::interpreter::{Interpreter, interpreter::EthInterpreter};

/// A place in running code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodePlace {
    /// Hash of the running code; zero for creation code.
    pub(crate) code: B256,
    /// The account whose code runs.
    pub(crate) address: Address,
    /// Program counter.
    pub(crate) pc: usize,
}

/// Returns hash and address of the code that runs; creation code has no hash.
pub(in crate::evm) fn running(interpreter: &Interpreter<EthInterpreter>) -> (B256, Address) {
    let address = interpreter.input.bytecode_address.unwrap_or(interpreter.input.target_address);
    (interpreter.bytecode.hash().unwrap_or_default(), address)
}
