//! What the cheatcodes want instructions to note or change while code runs.
//!
//! It sits in the probe during a transaction, where replaced instructions reach it, and in the
//! cheatcodes' state between transactions.

use super::{arbitrary::Arbitrary, diffs::Diffs, mapping::Mappings, safe_memory::SafeMemory};
use alloy_primitives::{Address, B256, U256};
use std::collections::BTreeMap;

/// Storage accesses that `vm.record` asked for, in order: account, slot, and true for a write.
pub(crate) type Accesses = Vec<(Address, U256, bool)>;

/// Standing requests to KECCAK256, SSTORE, SLOAD and BLOCKHASH; usually none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// Storage accesses, while `vm.record` is on.
    pub(crate) accesses: Option<Accesses>,
    /// Mapping elements, while `vm.startMappingRecording` is on.
    pub(crate) mappings: Option<Box<Mappings>>,
    /// Accesses, while `vm.startStateDiffRecording` is on.
    pub(crate) diffs: Option<Box<Diffs>>,
    /// The fork that is selected.
    pub(crate) fork: Option<u64>,
    /// Accounts whose unset storage reads as random words.
    pub(crate) arbitrary: Option<Box<Arbitrary>>,
    /// Hashes given by `vm.setBlockhash`, by block number.
    pub(crate) block_hashes: BTreeMap<u64, B256>,
    /// Memory that frames may write, while some may not write all.
    pub(crate) safe_memory: Option<Box<SafeMemory>>,
}
