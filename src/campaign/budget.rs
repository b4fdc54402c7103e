//! When a campaign ends.

use super::Stop;
use crate::config::{HarveyConfig, InvariantConfig};
use std::time::{Duration, Instant};

/// Why a campaign must end at once, between calls and within a shrink.
#[derive(Clone, Debug)]
pub(super) struct Halt {
    stop: Stop,
    deadline: Option<Instant>,
}

impl Halt {
    pub(super) fn requested(&self) -> bool {
        self.stop.requested() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Calls and time that a campaign may spend.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    start: Instant,
    /// Calls, when no timeout is set.
    calls: Option<u64>,
    timeout: Option<Duration>,
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
    /// `start` is that of the suite, whose groups share its time.
    pub(super) fn new(start: Instant, config: &InvariantConfig, harvey: &HarveyConfig) -> Self {
        let bound = |number: u64| (number > 0).then_some(number);
        let timeout = config.timeout.map(|seconds| Duration::from_secs(seconds.into()));
        let unbounded = timeout.is_some() || harvey.executions > 0;
        let calls = (!unbounded).then(|| u64::from(config.runs) * u64::from(config.depth));
        Self { start, calls, timeout, plateau: bound(harvey.plateau), executions: bound(harvey.executions) }
    }

    /// What ends the campaign whatever it is doing.
    pub(super) fn halt(&self, stop: &Stop) -> Halt {
        Halt { stop: stop.clone(), deadline: self.timeout.map(|timeout| self.start + timeout) }
    }

    /// The bound on calls, when there is one.
    pub(super) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Seconds since the campaign began.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self, spent: &Spent) -> bool {
        self.calls.is_some_and(|bound| spent.calls >= bound)
            || self.executions.is_some_and(|bound| spent.executions >= bound)
            || self.timeout.is_some_and(|bound| self.start.elapsed() >= bound)
            || self.plateau.is_some_and(|bound| spent.stale >= bound)
    }
}
