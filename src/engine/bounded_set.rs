//! What was done lately, so that it is not done again.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Things remembered at a time.
const CAPACITY: usize = 1 << 16;

/// A set of bounded size: it is emptied when it is full.
#[derive(Debug)]
pub(super) struct BoundedSet<T>(FxHashSet<T>);

impl<T> Default for BoundedSet<T> {
    fn default() -> Self {
        Self(FxHashSet::default())
    }
}

impl<T: Eq + Hash> BoundedSet<T> {
    /// Whether `thing` was done lately.
    pub(super) fn knows(&self, thing: T) -> bool {
        self.0.contains(&thing)
    }

    /// Remembers `thing`; says whether it was not known.
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
