//! Places in code as it runs.

use alloy_primitives::{Address, B256};

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
