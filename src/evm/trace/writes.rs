//! Storage writes of a transaction.

use crate::evm::base::place::CodePlace;
use alloy_primitives::{Address, U256};

/// Maximum number of written words that are kept per transaction.
const KEPT_WORDS: usize = 32;

/// Write to the slot that no program writes on purpose ([`PROBE_SLOT`](crate::model::PROBE_SLOT)).
#[derive(Clone, Debug)]
pub(crate) struct StrayWrite {
    /// Account whose storage was written.
    pub(crate) account: Address,
    /// Place of the SSTORE.
    pub(crate) place: CodePlace,
    /// Depth of the frame that wrote.
    pub(crate) depth: usize,
}

/// Storage writes of one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteLog {
    /// All writes, while a call tree is recorded: depth of the frame, slot, value before and after.
    pub(crate) traced: Option<Vec<(usize, U256, U256, U256)>>,
    /// Last write to the probe slot, unless its frame failed.
    pub(crate) stray: Option<StrayWrite>,
    /// Written values and slots, for the dictionary.
    pub(crate) words: Vec<U256>,
}

impl WriteLog {
    /// Forgets the last transaction.
    pub(crate) fn reset(&mut self) {
        self.words.clear();
        self.stray = None;
    }

    /// Records a slot and the value written to it.
    pub(crate) fn note_words(&mut self, value: U256, slot: U256) {
        if self.words.len() < KEPT_WORDS {
            self.words.extend([value, slot]);
        }
    }

    /// Records that a frame called by the frame at `depth` failed. This drops the write to the probe slot if
    /// it was made in that frame or below it.
    pub(crate) fn frame_failed(&mut self, depth: usize) {
        self.stray.take_if(|write| write.depth > depth);
    }
}
