//! Basics for all layers of the EVM: limits of calls, heartbeats of threads, constants, signatures.

pub mod constants;
pub(in crate::evm) mod hash;
pub mod heartbeat;
pub(crate) mod limits;
pub(in crate::evm) mod place;
pub(in crate::evm) mod secp256k1;
pub(in crate::evm) mod spec;
