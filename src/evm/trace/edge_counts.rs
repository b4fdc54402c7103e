//! Hit counts of edges in one transaction.

use crate::model::EdgeId;

/// Initial size of the table, a power of two.
const FIRST_SIZE: usize = 1 << 10;

/// Hash table of counts that is cleared in constant time. Edge ids are hashes already, so they are not hashed
/// again.
#[derive(Clone, Debug)]
pub(in crate::evm) struct EdgeCounts {
    /// Entries; their number is a power of two, and less than half of them are used.
    table: Vec<EdgeCount>,
    /// Number of the current transaction; entries of earlier ones are invalid.
    epoch: u32,
    /// Edges in the order in which they were first taken.
    edges: Vec<EdgeId>,
}

#[derive(Clone, Copy, Debug, Default)]
struct EdgeCount {
    edge: EdgeId,
    epoch: u32,
    times: u32,
}

impl Default for EdgeCounts {
    fn default() -> Self {
        Self { table: vec![EdgeCount::default(); FIRST_SIZE], epoch: 1, edges: Vec::new() }
    }
}

impl EdgeCounts {
    /// Clears all counts.
    pub(in crate::evm) fn clear(&mut self) {
        self.edges.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.table.fill(EdgeCount::default());
            self.epoch = 1;
        }
    }

    /// Counts an edge that was taken so many times, and returns its new count.
    pub(in crate::evm) fn add(&mut self, edge: EdgeId, times: u32) -> u32 {
        let count = self.place(edge);
        if count.times == 0 {
            count.times = times;
            self.edges.push(edge);
            if self.edges.len() * 2 > self.table.len() {
                self.grow();
            }
            return times;
        }
        count.times = count.times.saturating_add(times);
        count.times
    }

    /// Returns all edges taken.
    pub(in crate::evm) fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Returns the entry of an edge; a new one has a count of zero.
    fn place(&mut self, edge: EdgeId) -> &mut EdgeCount {
        let mask = self.table.len() - 1;
        let mut at = edge as usize & mask;
        loop {
            let count = self.table[at];
            if count.epoch != self.epoch {
                self.table[at] = EdgeCount { edge, epoch: self.epoch, times: 0 };
            } else if count.edge != edge {
                at = (at + 1) & mask;
                continue;
            }
            return &mut self.table[at];
        }
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![EdgeCount::default(); old.len() * 2];
        let epoch = self.epoch;
        for count in old.into_iter().filter(|count| count.epoch == epoch) {
            *self.place(count.edge) = count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::base::hash::mix;

    #[test]
    fn edges_are_counted_while_the_table_grows() {
        let mut counts = EdgeCounts::default();
        let edges: Vec<EdgeId> = (0..3 * FIRST_SIZE as u64).map(mix).collect();
        for times in 1..=3 {
            assert!(edges.iter().all(|edge| counts.add(*edge, 1) == times));
        }
        assert_eq!(counts.edges(), edges);
    }

    #[test]
    fn nothing_is_left_of_earlier_transactions() {
        let mut counts = EdgeCounts { epoch: u32::MAX - 1, ..EdgeCounts::default() };
        for _ in 0..4 {
            assert_eq!((counts.add(7, 1), counts.add(7, 2), counts.add(7 + FIRST_SIZE as u64, 1)), (1, 3, 1));
            counts.clear();
            assert!(counts.edges().is_empty());
        }
    }
}
