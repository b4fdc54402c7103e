//! Seeds, which are sequences to build on, and the builder of new sequences.

use crate::{
    engine::functions::{Callable, Functions},
    model::{Sequence, Transaction},
};
use alloy_primitives::Address;
use std::sync::Arc;

/// Function of a contract that a sequence creates.
#[derive(Clone, Debug)]
pub(super) struct CreatedCallable {
    /// Index of the call that creates the contract.
    pub(super) step: usize,
    /// Function of the created contract.
    pub(super) callable: Callable,
}

/// Sequence that showed something new.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    /// Calls of the sequence. Calls before the last one that reverted are left out.
    pub(super) calls: Sequence,
    /// Functions of the contracts that the sequence creates, in order of creation.
    pub(super) born: Arc<[CreatedCallable]>,
    /// True if the last call succeeded, so that calls may follow it.
    pub(super) extendable: bool,
}

/// Builder of a sequence that consists of the calls of a seed with changes.
///
/// The address of a created contract is known only while all calls up to its creation are those of the seed.
/// The builder tracks the number of these calls, and [`SequenceBuilder::finish`] drops the calls to targets
/// that may not exist any more.
pub(super) struct SequenceBuilder {
    calls: Sequence,
    born: Arc<[CreatedCallable]>,
    /// Number of leading calls that are unchanged from the seed.
    intact: usize,
    /// Maximum number of calls.
    depth: usize,
}

impl SequenceBuilder {
    /// Creates a builder with the calls of `seed`, if given, and at most `depth` calls.
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

    /// Returns the number of calls that may still be added.
    pub(super) fn room(&self) -> usize {
        self.depth - self.calls.len()
    }

    /// Returns the call at `index` for modification.
    pub(super) fn edit(&mut self, index: usize) -> &mut Transaction {
        self.intact = self.intact.min(index);
        &mut self.calls[index]
    }

    /// Returns the calls from `start` on for reordering.
    pub(super) fn edit_from(&mut self, start: usize) -> &mut [Transaction] {
        self.intact = self.intact.min(start);
        &mut self.calls[start..]
    }

    /// Removes `count` calls from `start` on.
    pub(super) fn remove(&mut self, start: usize, count: usize) {
        self.intact = self.intact.min(start);
        self.calls.drain(start..start + count);
    }

    /// Inserts `calls` before `start`, up to the maximum number of calls.
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

    /// Returns the functions of created contracts that exist before the call at `index`.
    pub(super) fn born_before(&self, index: usize) -> &[CreatedCallable] {
        let limit = self.intact.min(index);
        &self.born[..self.born.partition_point(|born| born.step < limit)]
    }

    /// Returns the sequence, and the index of the first call that differs from the seed (at most that of the
    /// last call). Calls to contracts that may not be created at the same address any more are dropped.
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

    /// Returns a seed of three calls: `make()`, `poke()` on the created child, and `inc()`.
    fn family() -> (Functions, Seed) {
        let mut functions = toy::functions();
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
