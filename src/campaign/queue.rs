//! Queue of the suites of a run, and the shares of suites and of their campaigns in the time of a run that is limited.
//!
//! A share follows the size of a suite's code, because a base contract of a few lines needs less time than the
//! contract that inherits it. A quarter of the average size is added, so that no suite is left without.

use super::{plan::CampaignKind, threads::ThreadPermits};
use std::{
    cmp::Reverse,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Part of the average weight that is added to each.
const EQUAL_PART: f64 = 0.25;

/// Suites that wait for threads.
pub(super) struct SuiteQueue {
    /// Suites in the order in which they begin. Those with the most threads come first, since the end of the run
    /// waits longest for them.
    turns: Vec<SuiteTurn>,
    /// Number of suites that have begun.
    begun: AtomicUsize,
    pub(super) permits: ThreadPermits,
}

/// Run of a suite when its turn has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SuiteTurn {
    /// Index of the suite in the plan.
    pub(super) index: usize,
    /// Number of its threads.
    pub(super) threads: usize,
    /// Share of the time that is left when it begins, from 0 to 1.
    pub(super) share: f64,
}

impl SuiteQueue {
    /// Creates the queue of suites with these numbers of threads and these weights on `threads` threads.
    pub(super) fn new(numbers: Vec<usize>, weights: &[usize], threads: usize) -> Self {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|suite| Reverse(numbers[*suite]));
        let turns = turns(&order, &numbers, weights, threads);
        Self { turns, begun: AtomicUsize::new(0), permits: ThreadPermits::new(threads) }
    }

    /// Returns the next suite.
    pub(super) fn next(&self) -> Option<SuiteTurn> {
        self.turns.get(self.begun.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

/// Returns the turns of the suites in `order`. Each begins as soon as threads are free for it, and its share is that
/// of its weight among the suites that its threads still have to run.
fn turns(order: &[usize], numbers: &[usize], weights: &[usize], threads: usize) -> Vec<SuiteTurn> {
    let average = weights.iter().sum::<usize>() as f64 / weights.len().max(1) as f64;
    let mut free = vec![0.0_f64; threads.max(1)];
    let mut runs = Vec::new();
    for suite in order {
        let mut on: Vec<usize> = (0..free.len()).collect();
        on.sort_by(|a, b| free[*a].total_cmp(&free[*b]));
        on.truncate(numbers[*suite].max(1));
        let begin = on.iter().map(|thread| free[*thread]).fold(0.0, f64::max);
        let end = begin + (weights[*suite] as f64 + EQUAL_PART * average).max(1.0);
        on.iter().for_each(|thread| free[*thread] = end);
        runs.push((on, begin, end));
    }
    let turn = |(suite, (on, begin, end)): (&usize, (Vec<usize>, f64, f64))| {
        let last = on.iter().map(|thread| free[*thread]).fold(end, f64::max);
        SuiteTurn { index: *suite, threads: numbers[*suite], share: (end - begin) / (last - begin) }
    };
    order.iter().zip(runs).map(turn).collect()
}

/// Returns the campaigns of a suite, of these kinds, in the order in which they run: the index of each, and its share
/// of the time that is left then.
///
/// If the time is limited, tests come first, and what they leave goes to the invariants: half of the time is for the
/// searches for failing inputs of tests, the other half for the campaigns of invariants. A campaign without a search
/// may take all that is left.
pub(super) fn campaign_turns(kinds: &[CampaignKind], has_time: bool) -> Vec<(usize, f64)> {
    let count = |wanted| kinds.iter().filter(|kind| **kind == wanted).count() as f64;
    let for_invariants = (count(CampaignKind::Fuzz) / count(CampaignKind::Invariants)).max(1.0);
    let weight = |index: usize| match kinds[index] {
        CampaignKind::Invariants => for_invariants,
        CampaignKind::Fuzz => 1.0,
        CampaignKind::Fixed => 0.0,
    };
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    if has_time {
        order.sort_by_key(|index| kinds[*index] == CampaignKind::Invariants);
    }
    let mut left: f64 = order.iter().map(|index| weight(*index)).sum();
    let mut turn = |index: usize| {
        let weight = weight(index);
        let share = if weight > 0.0 { (weight / left).min(1.0) } else { 1.0 };
        left -= weight;
        (index, share)
    };
    order.into_iter().map(&mut turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use CampaignKind::{Fixed, Fuzz, Invariants};

    fn shares(numbers: &[usize], weights: &[usize], threads: usize) -> Vec<(usize, f64)> {
        let queue = SuiteQueue::new(numbers.to_vec(), weights, threads);
        let turns = std::iter::from_fn(|| queue.next());
        turns.map(|turn| (turn.index, (turn.share * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn suites_of_the_same_size_share_the_time_equally() {
        assert_eq!(shares(&[1, 1, 1], &[500; 3], 1), [(0, 0.33), (1, 0.5), (2, 1.0)]);
        assert_eq!(shares(&[1, 1, 1], &[500; 3], 2), [(0, 0.5), (1, 1.0), (2, 1.0)]);
        assert_eq!(shares(&[2, 1, 1], &[500; 3], 2), [(0, 0.5), (1, 1.0), (2, 1.0)]);
        assert_eq!(shares(&[1, 1], &[0; 2], 1), [(0, 0.5), (1, 1.0)]);
        assert_eq!(shares(&[], &[], 4), []);
    }

    #[test]
    fn large_suites_get_more() {
        assert_eq!(shares(&[1, 1, 1], &[100, 800, 300], 1), [(0, 0.13), (1, 0.69), (2, 1.0)]);
        assert_eq!(shares(&[1, 1, 1], &[800, 100, 100], 2), [(0, 1.0), (1, 0.5), (2, 1.0)]);
    }

    #[test]
    fn threads_that_wait_for_others_are_not_counted_as_busy() {
        assert_eq!(shares(&[3, 1], &[300, 100], 4), [(0, 1.0), (1, 1.0)]);
    }

    fn turns_of(kinds: &[CampaignKind]) -> Vec<(usize, f64)> {
        let turns = campaign_turns(kinds, true).into_iter();
        turns.map(|(index, share)| (index, (share * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn tests_come_first_and_take_at_most_half_of_the_time() {
        assert_eq!(turns_of(&[Invariants]), [(0, 1.0)]);
        assert_eq!(turns_of(&[Invariants, Fuzz]), [(1, 0.5), (0, 1.0)]);
        assert_eq!(turns_of(&[Invariants, Fuzz, Fuzz]), [(1, 0.25), (2, 0.33), (0, 1.0)]);
        assert_eq!(turns_of(&[Invariants, Invariants, Fuzz]), [(2, 0.33), (0, 0.5), (1, 1.0)]);
        assert_eq!(turns_of(&[Fuzz, Fixed, Fuzz]), [(0, 0.5), (1, 1.0), (2, 1.0)]);
        assert_eq!(turns_of(&[]), []);
    }

    #[test]
    fn without_a_limit_the_order_is_that_of_the_plan() {
        let turns = campaign_turns(&[Invariants, Fixed, Fuzz], false);
        assert_eq!(turns.into_iter().map(|(index, _)| index).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
