//! Bounded set of recent work, in order not to repeat it.

use crate::engine::tuning::bounded_set::CAPACITY;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Set of bounded size. It is emptied when it is full.
#[derive(Debug)]
pub(super) struct BoundedSet<T>(FxHashSet<T>);

impl<T> Default for BoundedSet<T> {
    fn default() -> Self {
        Self(FxHashSet::default())
    }
}

impl<T: Eq + Hash> BoundedSet<T> {
    /// Tells whether `thing` is in the set.
    pub(super) fn knows(&self, thing: T) -> bool {
        self.0.contains(&thing)
    }

    /// Adds `thing`, and returns true if it was not in the set.
    pub(super) fn is_new(&mut self, thing: T) -> bool {
        if self.0.len() >= CAPACITY {
            self.0.clear();
        }
        self.0.insert(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_new_once_and_again_when_all_was_forgotten() {
        let mut recent = BoundedSet::default();
        assert!(recent.is_new(0) && !recent.is_new(0));
        assert!((1..CAPACITY).all(|thing| recent.is_new(thing)));
        assert!(recent.is_new(0) && !recent.is_new(0));
    }
}
