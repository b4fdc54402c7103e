//! Limits on the calls, executions and time of a campaign.

use super::{CancellationToken, plan::CampaignPlan};
use std::time::{Duration, Instant};

/// Budget of a campaign, which ends at the first limit that it reaches.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// Start of the suite's first campaign, or of the test.
    start: Instant,
    /// Start of the campaign.
    begun: Instant,
    /// Maximum number of calls; `None` if a time or a number of executions limits the campaign instead.
    calls: Option<u64>,
    /// Time of the campaign, if a timeout or the time of the run limits it.
    time: Option<Duration>,
    /// Deadline, if the campaign has a timeout of its own.
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

/// Calls, executions and time that stored inputs have used so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredUse {
    pub(super) calls: u64,
    pub(super) executions: u64,
    pub(super) time: Duration,
}

/// Part of the budget that stored inputs may use before the search, and part of what the search has spent that they
/// may use in addition.
const STORED_FIRST: f64 = 0.05;
const STORED_LATER: f64 = 0.05;
/// Part of the time of a campaign by which one stored input may exceed the time of all stored inputs.
const OVERDRAFT: f64 = 0.02;
/// Time of a call that is assumed before any stored input has run.
const SLOW_CALL: Duration = Duration::from_millis(5);
/// Number of calls that stored inputs may always use if no time limits the campaign.
const LEAST_STORED: u64 = 1 << 13;

impl Budget {
    /// Creates the budget of a campaign that begins now; its time is measured from `start`. The timeout is
    /// for `timed` campaigns together, so this campaign gets an equal share. `token` ends the campaign when
    /// the time of the run is up.
    pub(super) fn new(
        start: Instant,
        timed: u32,
        campaign: &CampaignPlan,
        token: &CancellationToken,
    ) -> Self {
        let of_run = token.time_left();
        let (invariant, harvey) = (&campaign.config.invariant, &campaign.config.harvey);
        let bound = |number: u64| (number > 0).then_some(number);
        let timeout = invariant.timeout.map(|seconds| Duration::from_secs(seconds.into()) / timed.max(1));
        Self {
            start,
            begun: Instant::now(),
            calls: campaign.most_calls(of_run.is_some()),
            time: timeout.into_iter().chain(of_run).min(),
            deadline: timeout.map(|timeout| Instant::now() + timeout),
            plateau: bound(harvey.plateau),
            executions: bound(harvey.executions),
        }
    }

    /// Returns a token that also ends the campaign at its deadline.
    pub(super) fn cancellation(&self, token: &CancellationToken) -> CancellationToken {
        token.until(self.deadline)
    }

    /// Returns the maximum number of calls, if there is one.
    pub(super) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Returns the time of the campaign, if it is limited.
    pub(super) fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Returns the numbers of calls and of executions that are left.
    pub(super) fn left(&self, spent: &Spent) -> (u64, u64) {
        let left = |bound: Option<u64>, spent| bound.map_or(u64::MAX, |bound| bound.saturating_sub(spent));
        (left(self.calls, spent.calls), left(self.executions, spent.executions))
    }

    /// Returns the maximum number of calls of the next stored input; `None` if no other one may run now. All of them
    /// together take at most a tenth of the budget, half of it before the search.
    ///
    /// If a time limits the campaign, an input that would take too much of it is shortened, by the time that calls
    /// of earlier inputs took.
    pub(super) fn stored_calls(&self, stored: &StoredUse, spent: &Spent) -> Option<usize> {
        let part = |total: f64, spent: f64| STORED_FIRST * total + STORED_LATER * spent.min(total);
        let may_run = match (self.time, self.calls, self.executions) {
            (Some(time), ..) => {
                let (used, total) = (stored.time.as_secs_f64(), time.as_secs_f64());
                let left = part(total, self.begun.elapsed().as_secs_f64()) - used;
                let each = (used + SLOW_CALL.as_secs_f64()) / (stored.calls + 1) as f64;
                let calls = ((left + OVERDRAFT * total) / each).max(1.0) as usize;
                return (left > 0.0).then_some(calls);
            }
            (None, Some(calls), _) => {
                stored.calls < LEAST_STORED.max(part(calls as f64, spent.calls as f64) as u64)
            }
            (None, None, Some(most)) => {
                stored.executions < LEAST_STORED.max(part(most as f64, spent.executions as f64) as u64)
            }
            (None, None, None) => true,
        };
        may_run.then_some(usize::MAX)
    }

    /// Returns the number of seconds since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the part of the budget that is used up, in thousandths: that of the limit which comes first.
    pub(super) fn used(&self, spent: &Spent) -> u32 {
        let part = |spent: f64, bound: Option<f64>| bound.map_or(0.0, |bound| spent / bound.max(1e-9));
        let time = part(self.begun.elapsed().as_secs_f64(), self.time.map(|time| time.as_secs_f64()));
        let calls = part(spent.calls as f64, self.calls.map(|calls| calls as f64));
        let executions = part(spent.executions as f64, self.executions.map(|most| most as f64));
        (1000.0 * time.max(calls).max(executions)).min(1000.0) as u32
    }

    /// Tells whether the budget is used up.
    pub(super) fn is_spent(&self, spent: &Spent) -> bool {
        self.calls.is_some_and(|bound| spent.calls >= bound)
            || self.executions.is_some_and(|bound| spent.executions >= bound)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.plateau.is_some_and(|bound| spent.stale >= bound)
    }
}
