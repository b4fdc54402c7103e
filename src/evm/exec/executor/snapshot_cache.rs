//! Cache of states after prefixes of sequences, so that a prefix shared by many sequences runs only once.

use super::{EvmExecutor, SavedEnv, oracle_facts::ScanSnapshot};
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

/// Maximum size of the cache, approximately, in bytes.
const MOST_BYTES: usize = 48 << 20;

/// State after a prefix, and the observations of its run.
#[derive(Clone, Debug)]
pub(super) struct PrefixSnapshot {
    pub(super) layer: Option<Arc<StateLayer>>,
    pub(super) block_context: BlockContext,
    pub(super) cheats: Cheats,
    /// Steps of the prefix, without the edges and values that are reported only once.
    pub(super) steps: Vec<Step>,
    pub(super) created: Vec<Created>,
    /// Number of calls that count towards the depth.
    pub(super) counted: u32,
    /// Facts of a scan beside the state.
    pub(super) scan: Option<ScanSnapshot>,
}

impl PrefixSnapshot {
    /// Returns the approximate size in bytes. Shorter prefixes have the footprints of all steps but the last one, too.
    fn size(&self) -> usize {
        let words: usize = self.steps.iter().map(|step| step.words.capacity() * 32 + step.output.len()).sum();
        let footprint = self.steps.last().and_then(|step| step.footprint.as_ref());
        let layer = self.layer.as_ref().map_or(0, |layer| layer.size());
        size_of::<Self>()
            + self.steps.len() * size_of::<Step>()
            + words
            + footprint.map_or(0, |footprint| footprint.size())
            + layer
            + self.cheats.size()
    }
}

/// Snapshots by prefix, with eviction of the least recently used.
#[derive(Debug)]
pub(super) struct SnapshotCache {
    kept: LruCache<u64, PrefixSnapshot, FxBuildHasher>,
    bytes: usize,
    /// Hashes of the prefixes of the current sequence, by length.
    names: Vec<u64>,
}

impl Default for SnapshotCache {
    fn default() -> Self {
        Self { kept: LruCache::unbounded_with_hasher(FxBuildHasher), bytes: 0, names: Vec::new() }
    }
}

impl SnapshotCache {
    /// Returns the snapshot of the longest known prefix of these calls.
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

    /// Stores the snapshot of all calls that were last passed to [`Self::longest`].
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

/// Returns the number of calls at the beginning of a sequence, the last call excluded, that other sequences
/// are likely to share. Zero if snapshots cannot be used.
pub(super) fn shared(
    executor: &EvmExecutor,
    sequence: &Sequence,
    checks: &Checks,
    probing: &Probing,
) -> usize {
    // Without comparison tracing, preimages of hashes are not recorded.
    let may_share = executor.caches.enabled && (probing.track || executor.recorder.is_some());
    if may_share { checks.from.min(sequence.len().saturating_sub(1)) } else { 0 }
}

/// Restores the snapshot of the longest known prefix of these calls, if there is one. Returns the number of
/// its calls that count.
pub(super) fn resume(
    executor: &mut EvmExecutor,
    shared: &[Transaction],
    observation: &mut Observation,
) -> u32 {
    let Some(prefix) = executor.caches.snapshots.longest(shared) else { return 0 };
    executor.evm.begin_over(prefix.layer.clone());
    executor.evm.surround(&prefix.block_context);
    executor.evm.inspector().cheats.clone_from(&prefix.cheats);
    if let Some(scan) = &prefix.scan {
        scan.restore(&mut executor.evm, &mut executor.tokens);
    }
    observation.steps.clone_from(&prefix.steps);
    observation.created.clone_from(&prefix.created);
    observation.work.resumed = prefix.steps.len();
    prefix.counted
}

/// Stores a snapshot of the current state, for other sequences with the same prefix.
pub(super) fn keep_prefix(executor: &mut EvmExecutor, counted: u32, observation: &Observation) {
    if !executor.evm.is_on_base() {
        return;
    }
    let layer = executor.evm.fold();
    let SavedEnv { cheats, block_context } = executor.save();
    let known = |step: &Step| Step { new_coverage: NewCoverage::default(), ..step.clone() };
    let steps = observation.steps.iter().map(known).collect();
    let created = observation.created.clone();
    let scan = ScanSnapshot::of(executor);
    let snapshot = PrefixSnapshot { layer, block_context, cheats, steps, created, counted, scan };
    executor.caches.snapshots.keep(snapshot);
}

/// Returns the hash of a prefix extended by one call.
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
            scan: None,
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
