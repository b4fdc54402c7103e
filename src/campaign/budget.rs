//! When a campaign ends.

use super::CancellationToken;
use crate::config::{HarveyConfig, InvariantConfig};
use std::time::{Duration, Instant};

/// Calls and time that a campaign may spend.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// When the suite began.
    start: Instant,
    /// Calls, when nothing stands in their place.
    calls: Option<u64>,
    /// When the time is up.
    deadline: Option<Instant>,
    /// Calls without a new path after which to stop.
    plateau: Option<u64>,
    /// Executions of the search.
    executions: Option<u64>,
}

/// What a campaign spent so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    /// Calls made.
    pub(super) calls: u64,
    /// Executions of the search.
    pub(super) executions: u64,
    /// Calls since the last new path.
    pub(super) stale: u64,
}

impl Budget {
    /// The budget of a campaign that begins now, in a suite that began at `start` and has `timed` campaigns with
    /// a timeout, which bounds all of them together. It stands in place of the runs unless it `is_test`.
    pub(super) fn new(
        start: Instant,
        timed: u32,
        config: &InvariantConfig,
        harvey: &HarveyConfig,
        is_test: bool,
    ) -> Self {
        let bound = |number: u64| (number > 0).then_some(number);
        let timeout = config.timeout.map(|seconds| Duration::from_secs(seconds.into()) / timed.max(1));
        Self {
            start,
            calls: Self::calls_of(config, harvey, is_test),
            deadline: timeout.map(|timeout| Instant::now() + timeout),
            plateau: bound(harvey.plateau),
            executions: bound(harvey.executions),
        }
    }

    /// Calls that a campaign may make, when nothing stands in their place.
    pub(super) fn calls_of(config: &InvariantConfig, harvey: &HarveyConfig, is_test: bool) -> Option<u64> {
        let unbounded = config.timeout.is_some() && !is_test || harvey.executions > 0;
        (!unbounded).then(|| u64::from(config.runs) * u64::from(config.depth))
    }

    /// Returns the token that ends the campaign at any point.
    pub(super) fn cancellation(&self, token: &CancellationToken) -> CancellationToken {
        token.until(self.deadline)
    }

    /// The bound on calls, when there is one.
    pub(super) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Calls and executions that may still be made.
    pub(super) fn left(&self, spent: &Spent) -> (u64, u64) {
        let left = |bound: Option<u64>, spent| bound.map_or(u64::MAX, |bound| bound.saturating_sub(spent));
        (left(self.calls, spent.calls), left(self.executions, spent.executions))
    }

    /// Seconds since the suite began.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self, spent: &Spent) -> bool {
        self.calls.is_some_and(|bound| spent.calls >= bound)
            || self.executions.is_some_and(|bound| spent.executions >= bound)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.plateau.is_some_and(|bound| spent.stale >= bound)
    }
}
