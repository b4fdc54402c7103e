//! Bounded queue of work that runs suggested.

use std::collections::VecDeque;

/// Items that wait for the turn of their technique. A full queue drops its oldest item, because suggestions
/// of newer runs build on more knowledge.
#[derive(Debug)]
pub(super) struct BoundedQueue<T> {
    waiting: VecDeque<T>,
    capacity: usize,
}

impl<T> BoundedQueue<T> {
    pub(super) fn new(capacity: usize) -> Self {
        Self { waiting: VecDeque::new(), capacity }
    }

    /// Appends an item.
    pub(super) fn push(&mut self, item: T) {
        if self.waiting.len() >= self.capacity {
            self.waiting.pop_front();
        }
        self.waiting.push_back(item);
    }

    /// Tells whether the queue is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns the items, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter()
    }

    /// Removes all items.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Removes and returns the oldest item.
    pub(super) fn pop(&mut self) -> Option<T> {
        self.waiting.pop_front()
    }

    /// Removes and returns the newest item.
    pub(super) fn pop_newest(&mut self) -> Option<T> {
        self.waiting.pop_back()
    }
}

impl<T> Extend<T> for BoundedQueue<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_its_oldest_items() {
        let mut queue = BoundedQueue::new(3);
        queue.extend(1..=5);
        assert_eq!((queue.pop(), queue.pop_newest()), (Some(3), Some(5)));
    }
}
