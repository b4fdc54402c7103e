//! Caches of one executor.

use super::{properties::PropertyCache, read_changes::ReadChanges, snapshot_cache::SnapshotCache};
use alloy_primitives::{Address, Selector};
use rustc_hash::FxHashSet;

/// Caches of results that replace repeated runs.
#[derive(Default)]
pub(super) struct Caches {
    /// True while a search uses the caches.
    pub(super) enabled: bool,
    pub(super) snapshots: SnapshotCache,
    pub(super) properties: PropertyCache,
    /// Calls whose static calls are not answered from the cache, because they depend on more than the output.
    pub(super) needs_calls: FxHashSet<CallOf>,
    /// True once a cheatcode returned a recording that lacks answered calls of earlier transactions. Since then, static
    /// calls of handlers run. The run in which that happens is not repeated; findings are confirmed without caches.
    pub(super) needs_all_calls: bool,
    pub(super) read_changes: ReadChanges,
}

/// Property or function that the executor calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CallOf {
    /// Property with this index.
    Property(usize),
    /// Function of a target; `None` is a call without a selector.
    Function(Address, Option<Selector>),
}
