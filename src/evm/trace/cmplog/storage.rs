//! Storage slots that a transaction reads and writes.

use crate::model::branch::Slot;
use alloy_primitives::U256;
use rustc_hash::FxHashSet;

/// Maximum number of slots recorded per transaction, for reads and for writes.
const REMEMBERED: usize = 1024;

/// Slots touched by one transaction, in order.
#[derive(Clone, Debug, Default)]
pub(in crate::evm) struct Touched {
    pub(in crate::evm) reads: Vec<(Slot, U256)>,
    pub(in crate::evm) writes: Vec<Slot>,
    read: FxHashSet<Slot>,
    written: FxHashSet<Slot>,
}

impl Touched {
    pub(in crate::evm) fn reset(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.read.clear();
        self.written.clear();
    }

    pub(in crate::evm) fn load(&mut self, slot: Slot, value: U256) {
        if self.reads.len() < REMEMBERED && !self.written.contains(&slot) && self.read.insert(slot) {
            self.reads.push((slot, value));
        }
    }

    pub(in crate::evm) fn store(&mut self, slot: Slot) {
        if self.writes.len() < REMEMBERED && self.written.insert(slot) {
            self.writes.push(slot);
        }
    }
}
