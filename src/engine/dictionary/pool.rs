//! Bounded set from which items can be drawn at random.

use crate::engine::rng::Rng;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Distinct items in a ring buffer. When it is full, a new item replaces the oldest.
pub(super) struct Pool<T> {
    items: Vec<T>,
    members: FxHashSet<T>,
    oldest: usize,
    capacity: usize,
}

impl<T: Clone + Eq + Hash> Pool<T> {
    pub(super) fn new(capacity: usize) -> Self {
        Self { items: Vec::new(), members: FxHashSet::default(), oldest: 0, capacity }
    }

    pub(super) fn insert(&mut self, item: T) {
        if !self.members.insert(item.clone()) {
            return;
        }
        if self.items.len() < self.capacity {
            self.items.push(item);
        } else {
            let gone = std::mem::replace(&mut self.items[self.oldest], item);
            self.members.remove(&gone);
            self.oldest = (self.oldest + 1) % self.capacity;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    pub(super) fn pick(&self, rng: &mut Rng) -> Option<&T> {
        rng.pick(&self.items)
    }

    /// Returns a random item, with a preference for newer ones.
    pub(super) fn pick_new(&self, rng: &mut Rng) -> Option<&T> {
        let length = self.items.len();
        let age = rng.below(length).min(rng.below(length));
        // The newest item stands directly before the oldest.
        self.items.get((self.oldest + length + length.checked_sub(1 + age)?) % length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_pool_forgets_its_oldest_item_and_holds_nothing_twice() {
        let mut pool = Pool::new(3);
        [1, 2, 2, 3, 4, 1].into_iter().for_each(|item| pool.insert(item));
        assert_eq!(pool.items, [4, 1, 3]);
        pool.insert(3);
        assert_eq!(pool.items, [4, 1, 3]);
    }

    #[test]
    fn newer_items_are_drawn_more_often() {
        let (mut pool, mut rng) = (Pool::new(4), Rng::new(1, 0));
        assert_eq!(pool.pick_new(&mut rng), None);
        (0..6).for_each(|item| pool.insert(item));
        let mut drawn = [0; 6];
        (0..1_600).for_each(|_| drawn[*pool.pick_new(&mut rng).expect("it holds four")] += 1);
        assert_eq!(drawn[..2], [0, 0]);
        assert!(drawn.is_sorted() && drawn[5] > 4 * drawn[2], "{drawn:?}");
    }
}
