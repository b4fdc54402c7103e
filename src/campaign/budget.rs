//! Limits on the calls, executions and time of a campaign.

use super::CancellationToken;
use crate::config::{HarveyConfig, InvariantConfig};
use std::time::{Duration, Instant};

/// Budget of a campaign, which ends at the first limit that it reaches.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// Start of the suite's first campaign, or of the test.
    start: Instant,
    /// Maximum number of calls; `None` if a timeout or a number of executions limits the campaign instead.
    calls: Option<u64>,
    /// Deadline, if there is a timeout.
    deadline: Option<Instant>,
    /// Number of successive calls without a new path after which the campaign ends.
    plateau: Option<u64>,
    /// Maximum number of executions in the search.
    executions: Option<u64>,
}

/// Calls and executions that a campaign has used so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    /// Number of calls.
    pub(super) calls: u64,
    /// Number of executions in the search; those of stored inputs do not count.
    pub(super) executions: u64,
    /// Number of calls since the last new path.
    pub(super) stale: u64,
}

impl Budget {
    /// Creates the budget of a campaign that begins now; its time is measured from `start`. The timeout is
    /// for `timed` campaigns together, so this campaign gets an equal share. With a timeout, the number of
    /// calls is unlimited, unless the campaign `is_test`.
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

    /// Returns the maximum number of calls; `None` if a timeout or a number of executions limits the campaign
    /// instead.
    pub(super) fn calls_of(config: &InvariantConfig, harvey: &HarveyConfig, is_test: bool) -> Option<u64> {
        let unbounded = config.timeout.is_some() && !is_test || harvey.executions > 0;
        (!unbounded).then(|| u64::from(config.runs) * u64::from(config.depth))
    }

    /// Returns a token that also ends the campaign at its deadline.
    pub(super) fn cancellation(&self, token: &CancellationToken) -> CancellationToken {
        token.until(self.deadline)
    }

    /// Returns the maximum number of calls, if there is one.
    pub(super) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Returns the numbers of calls and of executions that are left.
    pub(super) fn left(&self, spent: &Spent) -> (u64, u64) {
        let left = |bound: Option<u64>, spent| bound.map_or(u64::MAX, |bound| bound.saturating_sub(spent));
        (left(self.calls, spent.calls), left(self.executions, spent.executions))
    }

    /// Returns the number of seconds since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Tells whether the budget is used up.
    pub(super) fn is_spent(&self, spent: &Spent) -> bool {
        self.calls.is_some_and(|bound| spent.calls >= bound)
            || self.executions.is_some_and(|bound| spent.executions >= bound)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.plateau.is_some_and(|bound| spent.stale >= bound)
    }
}
