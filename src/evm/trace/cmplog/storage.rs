//! Storage that a transaction reads and writes.

use crate::model::branch::Slot;
use alloy_primitives::U256;
use rustc_hash::FxHashSet;

/// Slots remembered of one transaction, read or written.
const REMEMBERED: usize = 1024;

/// Slots touched in one transaction, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub(super) reads: Vec<(Slot, U256)>,
    pub(super) writes: Vec<Slot>,
    read: FxHashSet<Slot>,
    written: FxHashSet<Slot>,
}

impl Touched {
    pub(super) fn reset(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.read.clear();
        self.written.clear();
    }

    pub(super) fn load(&mut self, slot: Slot, value: U256) {
        if self.reads.len() < REMEMBERED && !self.written.contains(&slot) && self.read.insert(slot) {
            self.reads.push((slot, value));
        }
    }

    pub(super) fn store(&mut self, slot: Slot) {
        if self.writes.len() < REMEMBERED && self.written.insert(slot) {
            self.writes.push(slot);
        }
    }
}
