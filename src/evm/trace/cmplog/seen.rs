//! Edges and value classes that an executor has already seen.

use crate::model::{EdgeId, PathId, ValueId};
use rustc_hash::FxHashSet;

/// Paths, edges and value classes seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenCoverage {
    paths: FxHashSet<PathId>,
    edges: FxHashSet<EdgeId>,
    values: FxHashSet<ValueId>,
}

/// Maximum number of known paths. They only avoid a look at the edges, so all may be forgotten at once.
const PATHS: usize = 1 << 16;
/// Maximum number of value classes. Each SLOAD in the code has up to 257.
const VALUES: usize = 1 << 20;

impl SeenCoverage {
    /// Returns the edges of a transaction that are new, sorted.
    pub(crate) fn of(&mut self, path: PathId, edges: impl Iterator<Item = EdgeId>) -> Vec<EdgeId> {
        // A known path has no new edges.
        if self.paths.contains(&path) {
            return Vec::new();
        }
        if self.paths.len() == PATHS {
            self.paths.clear();
        }
        self.paths.insert(path);
        let mut new = edges.filter(|edge| self.edges.insert(*edge)).collect::<Vec<_>>();
        new.sort_unstable();
        new
    }

    /// Returns the value classes that are new, in the order in which they were read.
    pub(crate) fn values(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        if self.values.len() >= VALUES {
            return Vec::new();
        }
        values.iter().copied().filter(|value| self.values.insert(*value)).collect()
    }
}
