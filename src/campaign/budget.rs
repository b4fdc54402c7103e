//! When a campaign ends.

use crate::config::InvariantConfig;
use std::time::{Duration, Instant};

/// Calls and time that a campaign may spend.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    start: Instant,
    /// Calls, when no timeout is set.
    calls: Option<u64>,
    timeout: Option<Duration>,
    /// Calls without a new path after which to stop.
    plateau: Option<u64>,
}

impl Budget {
    pub(super) fn new(config: &InvariantConfig, plateau: u64) -> Self {
        let timeout = config.timeout.map(|seconds| Duration::from_secs(seconds.into()));
        let calls = timeout.is_none().then(|| u64::from(config.runs) * u64::from(config.depth));
        Self { start: Instant::now(), calls, timeout, plateau: (plateau > 0).then_some(plateau) }
    }

    /// The bound on calls, when there is one.
    pub(super) fn calls(&self) -> Option<u64> {
        self.calls
    }

    /// Seconds since the campaign began.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether `calls` made so far, the last new path `stale` calls ago, use the budget up.
    pub(super) fn is_spent(&self, calls: u64, stale: u64) -> bool {
        self.calls.is_some_and(|bound| calls >= bound)
            || self.timeout.is_some_and(|bound| self.start.elapsed() >= bound)
            || self.plateau.is_some_and(|bound| stale >= bound)
    }
}
