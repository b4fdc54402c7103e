//! Storage accesses that `vm.record` asked for.

use alloy_primitives::{Address, U256};
use std::{mem, sync::Arc};

/// Account, slot, and true for a write.
type StorageUse = (Address, U256, bool);

/// Storage accesses, in order. A test may never stop to record them, so that copies share those of transactions that
/// have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    ended: Vec<Arc<[StorageUse]>>,
    running: Vec<StorageUse>,
}

impl Accesses {
    pub(crate) fn push(&mut self, account: Address, slot: U256, is_write: bool) {
        self.running.push((account, slot, is_write));
    }

    /// Ends a transaction.
    pub(super) fn end_tx(&mut self) {
        if !self.running.is_empty() {
            self.ended.push(mem::take(&mut self.running).into());
        }
    }

    /// Appends later accesses.
    pub(super) fn append(&mut self, mut later: Self) {
        self.end_tx();
        self.ended.append(&mut later.ended);
        self.running = later.running;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &StorageUse> {
        self.ended.iter().flat_map(|part| &**part).chain(&self.running)
    }

    /// Returns the approximate size in bytes. Of the transactions that have ended, only the last one counts: others are
    /// those of a copy, too.
    pub(super) fn size(&self) -> usize {
        let last = self.ended.last().map_or(0, |part| size_of_val(&**part));
        self.ended.len() * size_of::<Arc<[StorageUse]>>() + last + size_of_val(&*self.running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(accesses: &Accesses) -> Vec<u64> {
        accesses.iter().map(|(_, slot, _)| slot.to()).collect()
    }

    fn record(accesses: &mut Accesses, slots: &[u64]) {
        slots.iter().for_each(|slot| accesses.push(Address::ZERO, U256::from(*slot), false));
    }

    #[test]
    fn accesses_are_in_the_order_of_their_transactions() {
        let mut accesses = Accesses::default();
        record(&mut accesses, &[3, 1]);
        accesses.end_tx();
        accesses.end_tx();
        record(&mut accesses, &[2]);
        assert_eq!(slots(&accesses), [3, 1, 2]);
        let mut all = Accesses::default();
        record(&mut all, &[7]);
        all.append(accesses);
        record(&mut all, &[8]);
        assert_eq!(slots(&all), [7, 3, 1, 2, 8]);
    }

    #[test]
    fn a_copy_shares_the_transactions_that_have_ended() {
        let mut accesses = Accesses::default();
        for _ in 0..100 {
            record(&mut accesses, &[1; 1000]);
            accesses.end_tx();
        }
        let copy = accesses.clone();
        assert!(accesses.ended.iter().zip(&copy.ended).all(|(part, same)| Arc::ptr_eq(part, same)));
        assert!(copy.size() < 2 * 1000 * size_of::<StorageUse>());
    }
}
