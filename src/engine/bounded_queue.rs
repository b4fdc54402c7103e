//! A bounded queue of work that runs suggested.

use std::collections::VecDeque;

/// What waits for the turn of its technique. When it is full, the oldest makes room: what newer runs suggest builds on
/// what is known by now.
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

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The item that waits longest.
    pub(super) fn pop(&mut self) -> Option<T> {
        self.waiting.pop_front()
    }

    /// The item that came last.
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
