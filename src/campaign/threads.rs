//! Distribution of threads among suites. Each running suite has one, and those with the most work get the
//! rest.

use super::{Plan, SuitePlan, plan::CampaignPlan};
use std::sync::{Condvar, Mutex, PoisonError};

/// Minimum number of calls of a campaign for each of its threads. Fewer calls are not worth a thread.
const LEAST_CALLS: u64 = 1 << 13;
/// Number of calls assumed for a campaign that is limited by something other than calls.
const UNBOUNDED_CALLS: u64 = 1 << 20;

/// Returns the approximate number of calls of a campaign. `has_time` is true if the time of the run is limited.
fn calls(group: &CampaignPlan, has_time: bool) -> u64 {
    if group.is_test() {
        return u64::from(group.config.invariant.runs);
    }
    group.most_calls(has_time).unwrap_or(UNBOUNDED_CALLS)
}

/// Returns the maximum number of threads of a campaign: as many as are configured, or have work.
pub(super) fn most(group: &CampaignPlan, has_time: bool) -> usize {
    if let Some(workers) = group.config.invariant.workers {
        return workers.get() as usize;
    }
    let most = if group.is_test() { 1 } else { calls(group, has_time) / LEAST_CALLS };
    usize::try_from(most).unwrap_or(usize::MAX).max(1)
}

/// Returns the number of threads of each suite. It depends only on the plan, so that the same plan gives the
/// same results.
pub(super) fn allot(plan: &Plan) -> Vec<usize> {
    let threads = plan.options.threads.max(1);
    let has_time = plan.options.budget.is_some();
    let calls_of = |suite: &SuitePlan| suite.groups.iter().map(|group| calls(group, has_time)).sum::<u64>();
    let weights: Vec<u64> = plan.suites.iter().map(|suite| calls_of(suite).max(1)).collect();
    let most_of =
        |suite: &SuitePlan| suite.groups.iter().map(|group| most(group, has_time)).max().unwrap_or(1);
    let most: Vec<usize> = plan.suites.iter().map(most_of).collect();
    shares(threads, &weights, &most)
}

fn shares(threads: usize, weights: &[u64], most: &[usize]) -> Vec<usize> {
    let total: u64 = weights.iter().sum();
    let fair = |weight: u64| (u128::from(weight) * threads as u128 / u128::from(total.max(1))) as usize;
    let mut shares: Vec<usize> =
        weights.iter().zip(most).map(|(weight, most)| fair(*weight).clamp(1, *most)).collect();
    while shares.iter().sum::<usize>() < threads {
        let open = (0..shares.len()).filter(|suite| shares[*suite] < most[*suite]);
        let load = |suite: &usize| (weights[*suite] / shares[*suite] as u64, usize::MAX - suite);
        let Some(busiest) = open.max_by_key(load) else { break };
        shares[busiest] += 1;
    }
    shares
}

/// Threads that are not in use.
pub(super) struct ThreadPermits {
    free: Mutex<usize>,
    given_back: Condvar,
}

/// Threads that are in use until this is dropped.
pub(super) struct ThreadPermit<'a> {
    permits: &'a ThreadPermits,
    threads: usize,
}

impl ThreadPermits {
    pub(super) fn new(threads: usize) -> Self {
        Self { free: Mutex::new(threads), given_back: Condvar::new() }
    }

    /// Waits until `threads` threads are free, which must not be more than there are, and takes them.
    pub(super) fn take(&self, threads: usize) -> ThreadPermit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.given_back.wait_while(free, |free| *free < threads);
        *wait.unwrap_or_else(PoisonError::into_inner) -= threads;
        ThreadPermit { permits: self, threads }
    }
}

impl Drop for ThreadPermit<'_> {
    fn drop(&mut self) {
        *self.permits.free.lock().unwrap_or_else(PoisonError::into_inner) += self.threads;
        self.permits.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_suite_gets_all_threads_that_it_has_work_for() {
        assert_eq!(shares(8, &[1 << 17], &[16]), [8]);
        assert_eq!(shares(8, &[1 << 14], &[2]), [2]);
    }

    #[test]
    fn threads_follow_the_work() {
        assert_eq!(shares(8, &[128_000, 128_000], &[15, 15]), [4, 4]);
        assert_eq!(shares(8, &[128_000; 3], &[15; 3]), [3, 3, 2]);
        assert_eq!(shares(2, &[128_000; 3], &[15; 3]), [1, 1, 1]);
        let mut weights = vec![256; 50];
        weights.push(128_000);
        let most: Vec<usize> = weights.iter().map(|weight| (weight / LEAST_CALLS).max(1) as usize).collect();
        assert_eq!(shares(8, &weights, &most)[50], 7);
    }

    #[test]
    fn no_more_threads_run_than_there_are() {
        let permits = ThreadPermits::new(3);
        let first = permits.take(2);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| drop(permits.take(2)));
            assert!(!second.is_finished());
            drop(permits.take(1));
            drop(first);
        });
        assert_eq!(*permits.free.lock().expect("nobody panicked"), 3);
    }
}
