//! Token that ends a run, or one of its campaigns, early.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Time for which replays of failures may continue after the end of the run was requested.
const GRACE: Duration = Duration::from_secs(2);

/// Request to end a run early. It is made by Ctrl-C, by `--fail-fast` after the first failure, by the
/// watchdog, or at a deadline. Clones share all of these except the deadlines.
#[derive(Clone, Debug)]
pub struct CancellationToken {
    interrupted: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
    /// True if the sources have changed since the run began (`--watch`).
    stale: Arc<AtomicBool>,
    /// True if a call does not end, or the process uses too much memory.
    overrun: Arc<AtomicBool>,
    /// Deadline of the run, or of a part of it.
    deadline: Option<Instant>,
    /// Deadline of a campaign. At that time the campaign ends, but its failures may still be replayed.
    campaign_deadline: Option<Instant>,
    /// Time at which the request was first noticed.
    noticed: Arc<OnceLock<Instant>>,
}

impl CancellationToken {
    /// Creates a token that requests the end when `interrupted` becomes true.
    #[must_use]
    pub fn new(interrupted: Arc<AtomicBool>) -> Self {
        Self {
            interrupted,
            failed: Arc::default(),
            stale: Arc::default(),
            overrun: Arc::default(),
            deadline: None,
            campaign_deadline: None,
            noticed: Arc::default(),
        }
    }

    /// Also requests the end when `stale` becomes true. This does not count as an interrupt.
    #[must_use]
    pub fn or_when(self, stale: Arc<AtomicBool>) -> Self {
        Self { stale, ..self }
    }

    /// Returns the token of a run, which also ends after `time`, if it is limited. Runs share interrupts and changes of
    /// the sources, but not their failures.
    #[must_use]
    pub fn after(self, time: Option<Duration>) -> Self {
        Self {
            failed: Arc::default(),
            overrun: Arc::default(),
            deadline: time.map(|time| Instant::now() + time),
            noticed: Arc::default(),
            ..self
        }
    }

    /// Returns true if the run is to end soon and report the results so far.
    pub(super) fn is_run_ending(&self) -> bool {
        let flags = [&self.interrupted, &self.failed, &self.stale, &self.overrun];
        let is_run_ending = flags.into_iter().any(|flag| flag.load(Ordering::Relaxed)) || self.is_late();
        if is_run_ending {
            self.noticed.get_or_init(Instant::now);
        }
        is_run_ending
    }

    /// Returns the token of one campaign, which also ends at `deadline`.
    pub(super) fn until(&self, deadline: Option<Instant>) -> Self {
        Self { campaign_deadline: deadline, ..self.clone() }
    }

    /// Returns true if the campaign is to end: the end of the run was requested, or the campaign's deadline
    /// has passed.
    pub(super) fn is_requested(&self) -> bool {
        self.is_run_ending() || self.campaign_deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the time since the end of the run was requested; `None` if it was not requested.
    pub(super) fn overdue(&self) -> Option<Duration> {
        let noticed = if self.is_run_ending() { self.noticed.get().copied() } else { None };
        noticed.map(|noticed| self.deadline.map_or(noticed, |deadline| deadline.min(noticed)).elapsed())
    }

    /// Returns true if even replays of failures are to end.
    pub(super) fn is_overdue(&self) -> bool {
        self.overdue().is_some_and(|time| time >= GRACE)
    }

    /// Returns the time until the deadline of the run, or of this part of it; `None` if there is none.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns true if the deadline of the run, or of this part of it, has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns true if the user interrupted the run.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Requests the end of the run after a failure.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Requests the end of the run because a call does not end or uses too much memory.
    pub(super) fn overrun(&self) {
        self.overrun.store(true, Ordering::Relaxed);
    }

    /// Returns the token of a part of the run. Its deadline gives this part a share, from 0 to 1, of the time
    /// that is left.
    pub(super) fn for_share(&self, share: f64) -> Self {
        let now = Instant::now();
        let part =
            |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share.clamp(0.0, 1.0));
        Self { deadline: self.deadline.map(part), noticed: Arc::default(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_the_time_that_is_left_and_every_flag() {
        let interrupted = Arc::new(AtomicBool::new(false));
        let stop = CancellationToken::new(interrupted.clone()).after(Some(Duration::from_secs(3600)));
        let part = stop.for_share(0.5);
        assert!(part.deadline < stop.deadline && !part.is_run_ending() && part.overdue().is_none());
        interrupted.store(true, Ordering::Relaxed);
        assert!(part.is_run_ending() && part.overdue().unwrap() < GRACE && !part.is_overdue());
        let other = CancellationToken::new(Arc::default()).after(Some(Duration::ZERO));
        other.clone().overrun();
        assert!(other.is_late() && other.is_run_ending() && !other.is_interrupted());
    }
}
