//! Sequences worth building on, and drafts of new ones.

use crate::{
    engine::functions::{Callable, Functions},
    model::{Sequence, Transaction},
};
use alloy_primitives::Address;
use std::sync::Arc;

/// A function of a contract that a sequence creates on its way.
#[derive(Clone, Debug)]
pub(super) struct CreatedCallable {
    /// Index of the call that creates the contract.
    pub(super) step: usize,
    /// The function.
    pub(super) callable: Callable,
}

/// A sequence that showed something.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    /// Its calls, without those before the last that reverted.
    pub(super) calls: Sequence,
    /// What can be called on the contracts that it creates, in order of creation.
    pub(super) born: Arc<[CreatedCallable]>,
    /// Whether its last call succeeded, so that calls may follow it.
    pub(super) extendable: bool,
}

/// A sequence in the making: a seed's calls with changes.
///
/// The address of a created contract is known only while everything up to its creation is as it was in
/// the seed. A draft tracks how far that holds, and [`SequenceBuilder::finish`] drops the calls that lost their target.
pub(super) struct SequenceBuilder {
    calls: Sequence,
    born: Arc<[CreatedCallable]>,
    /// Number of leading calls that are the seed's.
    intact: usize,
    depth: usize,
}

impl SequenceBuilder {
    /// Starts from `seed`, or from nothing; at most `depth` calls.
    pub(super) fn new(seed: Option<&Seed>, depth: usize) -> Self {
        let (calls, born) = seed.map(|s| (s.calls.clone(), s.born.clone())).unwrap_or_default();
        let mut builder = Self { intact: calls.len(), calls, born, depth };
        builder.truncate(depth);
        builder
    }

    pub(super) fn calls(&self) -> &[Transaction] {
        &self.calls
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Calls that may still be added.
    pub(super) fn room(&self) -> usize {
        self.depth - self.calls.len()
    }

    /// The call at `index`, to be changed.
    pub(super) fn edit(&mut self, index: usize) -> &mut Transaction {
        self.intact = self.intact.min(index);
        &mut self.calls[index]
    }

    /// The calls from `start` on, to be reordered.
    pub(super) fn edit_from(&mut self, start: usize) -> &mut [Transaction] {
        self.intact = self.intact.min(start);
        &mut self.calls[start..]
    }

    /// Removes `count` calls from `start` on.
    pub(super) fn remove(&mut self, start: usize, count: usize) {
        self.intact = self.intact.min(start);
        self.calls.drain(start..start + count);
    }

    /// Inserts `calls` before `start`, as many as there is room for.
    pub(super) fn insert(&mut self, start: usize, calls: impl IntoIterator<Item = Transaction>) {
        self.intact = self.intact.min(start);
        self.calls.splice(start..start, calls.into_iter().take(self.depth - self.calls.len()));
    }

    /// Appends a call if there is room.
    pub(super) fn push(&mut self, call: Transaction) {
        if self.room() > 0 {
            self.calls.push(call);
        }
    }

    /// Keeps the first `length` calls.
    pub(super) fn truncate(&mut self, length: usize) {
        self.calls.truncate(length);
        self.intact = self.intact.min(self.calls.len());
    }

    /// Functions of contracts that exist before the call at `index`.
    pub(super) fn born_before(&self, index: usize) -> &[CreatedCallable] {
        let limit = self.intact.min(index);
        &self.born[..self.born.partition_point(|born| born.step < limit)]
    }

    /// The sequence, without calls to contracts that may no longer be created where they were, and the index of
    /// the first call that is not the seed's (of the last call at most).
    pub(super) fn finish(mut self, functions: &Functions) -> (Sequence, usize) {
        if functions.dynamic {
            let alive: Vec<(usize, Address)> =
                self.born_before(self.calls.len()).iter().map(|b| (b.step, b.callable.target)).collect();
            let mut index = 0;
            self.calls.retain(|call| {
                index += 1;
                functions.is_fixed(call.target)
                    || alive.iter().any(|(step, target)| *step + 1 < index && *target == call.target)
            });
        }
        let from = self.intact.min(self.calls.len().saturating_sub(1));
        (self.calls, from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    /// make(), poke() on the child that it creates, inc().
    fn family() -> (Functions, Seed) {
        let functions = toy::functions();
        let (make, poke, inc) = (toy::call("make", &[]), toy::poke(0, 7), toy::call("inc", &[]));
        let born = toy::created(0, 0);
        let born =
            functions.born(&born).into_iter().map(|callable| CreatedCallable { step: 0, callable }).collect();
        (functions, Seed { calls: vec![make, poke, inc], born, extendable: true })
    }

    #[test]
    fn calls_to_a_created_contract_stay_while_its_prefix_is_unchanged() {
        let (functions, seed) = family();
        let mut builder = SequenceBuilder::new(Some(&seed), 9);
        builder.edit(1).value = alloy_primitives::U256::ONE;
        builder.remove(2, 1);
        assert_eq!(builder.born_before(1).len(), 1);
        assert_eq!(builder.born_before(0).len(), 0);
        assert_eq!(builder.finish(&functions).0.len(), 2);
    }

    #[test]
    fn calls_to_a_created_contract_go_when_its_prefix_changes() {
        let (functions, seed) = family();
        let mut edited = SequenceBuilder::new(Some(&seed), 9);
        edited.edit(0).sender = Address::ZERO;
        assert_eq!(edited.finish(&functions).0, [edited_make(&seed), seed.calls[2].clone()]);
        let mut shifted = SequenceBuilder::new(Some(&seed), 9);
        shifted.insert(0, [seed.calls[2].clone()]);
        assert_eq!(shifted.finish(&functions).0.len(), 3);
        let mut swapped = SequenceBuilder::new(Some(&seed), 9);
        swapped.edit_from(0).swap(0, 1);
        assert_eq!(swapped.finish(&functions).0.len(), 2);
    }

    fn edited_make(seed: &Seed) -> Transaction {
        Transaction { sender: Address::ZERO, ..seed.calls[0].clone() }
    }

    #[test]
    fn a_draft_never_outgrows_the_depth() {
        let (_, seed) = family();
        assert_eq!(SequenceBuilder::new(Some(&seed), 2).len(), 2);
        let mut builder = SequenceBuilder::new(Some(&seed), 4);
        builder.insert(1, seed.calls.clone());
        builder.push(seed.calls[0].clone());
        assert_eq!((builder.len(), builder.room()), (4, 0));
    }
}
