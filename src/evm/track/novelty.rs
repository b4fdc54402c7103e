//! Edges that an executor has not seen before.

use crate::model::{EdgeId, PathId};
use rustc_hash::FxHashSet;

/// Edges and paths seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Novelty {
    paths: FxHashSet<PathId>,
    edges: FxHashSet<EdgeId>,
}

/// Paths remembered; they only save the look at edges, so all may be forgotten at once.
const PATHS: usize = 1 << 16;

impl Novelty {
    /// The edges of a transaction that are new, sorted.
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
}
