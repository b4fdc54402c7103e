//! States after prefixes of sequences: what many sequences begin with is run once.

use super::{EvmExecutor, SavedEnv};
use crate::{
    evm::{base::hash::mix, cheats::Cheats, state::layers::StateLayer, vm::block::BlockContext},
    model::{
        Created, Input, NewCoverage, Observation, Probing, Reentry, Sequence, Step, Transaction,
        executor::Checks,
    },
};
use alloy_dyn_abi::DynSolValue;
use lru::LruCache;
use rustc_hash::{FxBuildHasher, FxHasher};
use std::{
    hash::{Hash as _, Hasher as _},
    sync::Arc,
};

/// Bytes that all of them may take, roughly.
const MOST_BYTES: usize = 64 << 20;

/// The state after a prefix, and what running it showed.
#[derive(Clone, Debug)]
pub(super) struct PrefixSnapshot {
    pub(super) layer: Option<Arc<StateLayer>>,
    pub(super) block_context: BlockContext,
    pub(super) cheats: Cheats,
    /// As they ran, without what is new only once.
    pub(super) steps: Vec<Step>,
    pub(super) created: Vec<Created>,
    /// Calls that count.
    pub(super) counted: u32,
}

impl PrefixSnapshot {
    fn size(&self) -> usize {
        let words: usize = self.steps.iter().map(|step| step.words.len() * 32 + step.output.len()).sum();
        let layer = self.layer.as_ref().map_or(0, |layer| layer.size());
        size_of::<Self>() + self.steps.len() * size_of::<Step>() + words + layer
    }
}

/// Prefixes that were run, those used last kept longest.
#[derive(Debug)]
pub(super) struct SnapshotCache {
    kept: LruCache<u64, PrefixSnapshot, FxBuildHasher>,
    bytes: usize,
    /// Names of the prefixes of the sequence at hand, by length.
    names: Vec<u64>,
}

impl Default for SnapshotCache {
    fn default() -> Self {
        Self { kept: LruCache::unbounded_with_hasher(FxBuildHasher), bytes: 0, names: Vec::new() }
    }
}

impl SnapshotCache {
    /// The longest prefix of these calls that is kept.
    pub(super) fn longest(&mut self, calls: &[Transaction]) -> Option<&PrefixSnapshot> {
        self.names.clear();
        let mut name = 0;
        self.names.extend(calls.iter().map(|call| {
            name = after(name, call);
            name
        }));
        let known = self.names.iter().rev().copied().find(|name| self.kept.contains(name))?;
        self.kept.get(&known)
    }

    /// Keeps the state after all the calls that [`Self::longest`] was asked about last.
    pub(super) fn keep(&mut self, prefix: PrefixSnapshot) {
        let Some(name) = self.names.last() else { return };
        self.bytes += prefix.size();
        let before = self.kept.put(*name, prefix);
        self.bytes -= before.map_or(0, |prefix| prefix.size());
        while self.bytes > MOST_BYTES
            && let Some((_, prefix)) = self.kept.pop_lru()
        {
            self.bytes -= prefix.size();
        }
    }
}

impl EvmExecutor {
    /// How many calls of a sequence, of all but the last, are likely to be those of others too.
    pub(super) fn shared(&self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> usize {
        // Where nothing is tracked, hashes are not remembered.
        let may_share = self.reuse && (probing.track || self.recorder.is_some());
        if may_share { checks.from.min(sequence.len().saturating_sub(1)) } else { 0 }
    }

    /// Begins where some of these calls lead that were run before; returns how many of them count.
    pub(super) fn resume(&mut self, shared: &[Transaction], observation: &mut Observation) -> u32 {
        let Some(prefix) = self.snapshots.longest(shared) else { return 0 };
        self.evm.begin_over(prefix.layer.clone());
        self.evm.surround(&prefix.block_context);
        self.evm.inspector().cheats.clone_from(&prefix.cheats);
        observation.steps.clone_from(&prefix.steps);
        observation.created.clone_from(&prefix.created);
        observation.resumed = prefix.steps.len();
        prefix.counted
    }

    /// Keeps the state as it is, for other sequences that begin like the one that runs.
    pub(super) fn keep_prefix(&mut self, counted: u32, observation: &Observation) {
        if !self.evm.is_on_base() {
            return;
        }
        let layer = self.evm.fold();
        let SavedEnv { cheats, block_context } = self.save();
        let known = |step: &Step| Step { new_coverage: NewCoverage::default(), ..step.clone() };
        let steps = observation.steps.iter().map(known).collect();
        let created = observation.created.clone();
        self.snapshots.keep(PrefixSnapshot { layer, block_context, cheats, steps, created, counted });
    }
}

/// The name of a prefix with one call more.
fn after(name: u64, call: &Transaction) -> u64 {
    let mut hasher = FxHasher::default();
    (name, call.sender, call.target, call.value, call.warp, call.roll).hash(&mut hasher);
    match &call.input {
        Input::Typed { function, args } => {
            function.selector().hash(&mut hasher);
            args.iter().for_each(|arg| hash(arg, &mut hasher));
        }
        Input::Raw(data) => data.hash(&mut hasher),
    }
    if let Some(Reentry { target, nth, input }) = call.reentry.as_deref() {
        (target, nth, input.calldata()).hash(&mut hasher);
    }
    mix(hasher.finish())
}

fn hash(value: &DynSolValue, hasher: &mut FxHasher) {
    match value {
        DynSolValue::Bool(value) => value.hash(hasher),
        DynSolValue::Int(value, _) => value.hash(hasher),
        DynSolValue::Uint(value, _) => value.hash(hasher),
        DynSolValue::FixedBytes(word, _) => word.hash(hasher),
        DynSolValue::Address(address) => address.hash(hasher),
        DynSolValue::Function(function) => function.hash(hasher),
        DynSolValue::Bytes(bytes) => bytes.hash(hasher),
        DynSolValue::String(text) => text.hash(hasher),
        DynSolValue::Array(values)
        | DynSolValue::FixedArray(values)
        | DynSolValue::Tuple(values)
        | DynSolValue::CustomStruct { tuple: values, .. } => {
            values.len().hash(hasher);
            values.iter().for_each(|value| hash(value, hasher));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::Lab;
    use alloy_primitives::{Address, Bytes, U256};

    fn call(data: u8) -> Transaction {
        Transaction {
            sender: Address::ZERO,
            target: Address::ZERO,
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Raw(Bytes::copy_from_slice(&[data])),
            reentry: None,
        }
    }

    fn prefix(calls: usize, output: usize) -> PrefixSnapshot {
        let mut lab = Lab::new();
        let step = Step { output: vec![0; output].into(), ..Step::default() };
        PrefixSnapshot {
            layer: None,
            block_context: lab.evm.block_context(),
            cheats: lab.cheats().clone(),
            steps: vec![step; calls],
            created: Vec::new(),
            counted: 0,
        }
    }

    #[test]
    fn the_longest_is_found() {
        let mut snapshots = SnapshotCache::default();
        let calls = [1, 2, 3].map(call);
        for length in [1, 2] {
            assert!(snapshots.longest(&calls[..length]).is_none_or(|known| known.steps.len() < length));
            snapshots.keep(prefix(length, 0));
        }
        assert_eq!(snapshots.longest(&calls).map(|known| known.steps.len()), Some(2));
        assert_eq!(snapshots.longest(&[1, 3].map(call)).map(|known| known.steps.len()), Some(1));
        assert!(snapshots.longest(&[2, 1].map(call)).is_none());
        assert!(snapshots.longest(&[]).is_none());
    }

    #[test]
    fn calls_that_differ_in_anything_have_other_names() {
        let plain = call(1);
        let others = [
            Transaction { sender: Address::repeat_byte(1), ..plain.clone() },
            Transaction { target: Address::repeat_byte(1), ..plain.clone() },
            Transaction { value: U256::ONE, ..plain.clone() },
            Transaction { warp: U256::ONE, ..plain.clone() },
            Transaction { roll: U256::ONE, ..plain.clone() },
            call(2),
        ];
        for other in others {
            assert_ne!(after(0, &plain), after(0, &other));
        }
        assert_ne!(after(0, &plain), after(1, &plain));
    }

    #[test]
    fn those_not_used_for_long_are_dropped_when_memory_is_full() {
        let mut snapshots = SnapshotCache::default();
        for data in 0..=255 {
            snapshots.longest(&[call(0)]);
            snapshots.longest(&[call(data)]);
            snapshots.keep(prefix(1, 1 << 20));
            assert!(snapshots.bytes <= MOST_BYTES);
        }
        assert!(snapshots.longest(&[call(1)]).is_none());
        assert!(snapshots.longest(&[call(255)]).is_some());
        assert!(snapshots.longest(&[call(0)]).is_some(), "it was asked for all the time");
    }
}
