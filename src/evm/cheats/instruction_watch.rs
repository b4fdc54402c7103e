//! Requests of cheatcodes to instructions: what to record or to change while code runs.
//!
//! The requests are in the recorder during a transaction, within reach of the replaced instructions, and in the
//! cheatcodes' state between transactions.

use super::{
    accesses::Accesses, arbitrary_storage::Arbitrary, block::FeeOverrides, block_history::BlockHistory,
    mapping::Mappings, safe_memory::SafeMemory, state_diff::Diffs, storage_hooks::StorageHooks,
};
use alloy_primitives::B256;
use std::collections::BTreeMap;

/// Standing requests to instructions, such as KECCAK256, SSTORE, SLOAD and BLOCKHASH; usually none.
#[derive(Clone, Debug, Default)]
pub(crate) struct InstructionWatch {
    /// Storage accesses, while `vm.record` is on.
    pub(crate) accesses: Option<Accesses>,
    /// Mapping elements, while `vm.startMappingRecording` is on.
    pub(crate) mappings: Option<Box<Mappings>>,
    /// Accesses, while `vm.startStateDiffRecording` is on.
    pub(crate) diffs: Option<Box<Diffs>>,
    /// True if these recordings lack calls that did not run, because their answers were known.
    pub(super) has_gaps: bool,
    /// Number of the selected fork.
    pub(crate) fork: Option<u64>,
    /// Accounts whose unset storage reads as random words.
    pub(crate) arbitrary: Option<Box<Arbitrary>>,
    /// Hashes given by `vm.setBlockhash`, by block number.
    pub(crate) block_hashes: BTreeMap<u64, B256>,
    /// Memory that frames may write, while some may not write all.
    pub(crate) safe_memory: Option<Box<SafeMemory>>,
    /// Functions to call after accesses to storage.
    pub(crate) hooks: Option<Box<StorageHooks>>,
    /// Contract with the hashes of the last blocks.
    pub(crate) history: BlockHistory,
    /// Fees that isolated calls see.
    pub(crate) fees: FeeOverrides,
    /// True if a cheatcode has warmed, cooled or changed a word without an entry of the journal.
    pub(crate) bypasses_journal: bool,
}

impl InstructionWatch {
    /// Tells whether instructions do what the EVM says. Recordings do not change that; cheatcodes that return them are
    /// [noted](crate::evm::trace::read_set::ReadSet::note_calls).
    pub(crate) fn is_quiet(&self) -> bool {
        let Self {
            accesses: _,
            mappings: _,
            diffs: _,
            has_gaps: _,
            fork: _,
            arbitrary,
            block_hashes,
            safe_memory,
            hooks,
            history: _,
            fees: _,
            bypasses_journal: _,
        } = self;
        arbitrary.is_none() && block_hashes.is_empty() && safe_memory.is_none() && hooks.is_none()
    }

    /// Tells whether the journal has an entry for each word that became warm or was changed in the transaction.
    pub(crate) fn keeps_journal(&self) -> bool {
        let is_kept = self.fork.is_none() && self.arbitrary.is_none() && self.hooks.is_none();
        is_kept && !self.bypasses_journal
    }

    /// Notes that a call does not run, because its answer is known.
    pub(crate) fn note_answer(&mut self) {
        self.has_gaps |= self.accesses.is_some() || self.mappings.is_some() || self.diffs.is_some();
    }

    /// Begins to record storage accesses.
    pub(super) fn record_accesses(&mut self) {
        self.accesses = Some(Accesses::default());
        self.has_gaps &= self.mappings.is_some() || self.diffs.is_some();
    }
}
