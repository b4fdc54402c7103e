//! One EVM per thread: top-level calls, the inspector and transactions within transactions.

mod accounts;
pub(crate) mod block;
mod blocks;
pub(crate) mod call;
pub(crate) mod call_cache;
pub(crate) mod evm;
mod hit_rate;
pub(crate) mod inspector;
mod instructions;
pub(in crate::evm) mod isolation;
pub(in crate::evm) mod nested;
pub(crate) mod recorder;
mod transact;
