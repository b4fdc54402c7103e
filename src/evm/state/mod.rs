//! State of accounts, its changes, and forks of live chains.

pub(in crate::evm) mod blob;
pub(crate) mod fork;
pub(crate) mod layers;
