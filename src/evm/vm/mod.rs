//! One EVM per thread: top-level calls, the inspector and transactions within transactions.

pub(crate) mod evm;
pub(crate) mod inspector;
mod instructions;
pub(in crate::evm) mod isolation;
pub(in crate::evm) mod nested;
pub(crate) mod recorder;
