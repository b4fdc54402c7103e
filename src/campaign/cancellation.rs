//! What ends a run before its campaigns are done.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How long calls may still run that what was found is replayed with, once a run is to end.
const GRACE: Duration = Duration::from_secs(2);

/// A signal to stop: set by Ctrl-C, by `--fail-fast` after the first failure, and by the watchdog. Clones share it.
#[derive(Clone, Debug)]
pub struct CancellationToken {
    interrupted: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
    /// Whether the sources are others by now.
    stale: Arc<AtomicBool>,
    /// Whether a call does not answer, or there is too little memory.
    overrun: Arc<AtomicBool>,
    /// When the time for the run is up, or for a part of it.
    deadline: Option<Instant>,
    /// Deadline of a campaign, after which it ends but its failures may still be replayed.
    campaign_deadline: Option<Instant>,
    /// When it was noticed first.
    noticed: Arc<OnceLock<Instant>>,
}

impl CancellationToken {
    /// Stops when `interrupted` becomes true.
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

    /// Stops when `stale` becomes true as well, which is no interrupt.
    #[must_use]
    pub fn or_when(self, stale: Arc<AtomicBool>) -> Self {
        Self { stale, ..self }
    }

    /// Stops once the time for the run is up, if there is a bound.
    pub(super) fn after(self, time: Option<Duration>) -> Self {
        Self { deadline: time.map(|time| Instant::now() + time), ..self }
    }

    /// Whether to end: soon, with what was found.
    pub(super) fn requested(&self) -> bool {
        let flags = [&self.interrupted, &self.failed, &self.stale, &self.overrun];
        let requested = flags.into_iter().any(|flag| flag.load(Ordering::Relaxed)) || self.is_late();
        if requested {
            self.noticed.get_or_init(Instant::now);
        }
        requested
    }

    /// The same for one campaign, which also ends at `deadline`.
    pub(super) fn until(&self, deadline: Option<Instant>) -> Self {
        Self { campaign_deadline: deadline, ..self.clone() }
    }

    /// Returns true if the campaign is to end: on request, or because its own time is up.
    pub(super) fn is_requested(&self) -> bool {
        self.requested() || self.campaign_deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How long ago it was to end; `None` while it is not.
    pub(super) fn overdue(&self) -> Option<Duration> {
        let noticed = if self.requested() { self.noticed.get().copied() } else { None };
        noticed.map(|noticed| self.deadline.map_or(noticed, |deadline| deadline.min(noticed)).elapsed())
    }

    /// Whether even the calls are to end that what was found is replayed with.
    pub(super) fn is_overdue(&self) -> bool {
        self.overdue().is_some_and(|time| time >= GRACE)
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether somebody interrupted the run.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Ends the run, since something failed.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Ends the run, since something in it does not end.
    pub(super) fn overrun(&self) {
        self.overrun.store(true, Ordering::Relaxed);
    }

    /// The same for the next of `parts` that follow each other: it may take its share of the time that is left.
    pub(super) fn for_one_of(&self, parts: usize) -> Self {
        let now = Instant::now();
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / parts.max(1) as u32;
        Self { deadline: self.deadline.map(share), noticed: Arc::default(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_the_time_that_is_left_and_every_flag() {
        let interrupted = Arc::new(AtomicBool::new(false));
        let stop = CancellationToken::new(interrupted.clone()).after(Some(Duration::from_secs(3600)));
        let part = stop.for_one_of(2);
        assert!(part.deadline < stop.deadline && !part.requested() && part.overdue().is_none());
        interrupted.store(true, Ordering::Relaxed);
        assert!(part.requested() && part.overdue().unwrap() < GRACE && !part.is_overdue());
        let other = CancellationToken::new(Arc::default()).after(Some(Duration::ZERO));
        other.clone().overrun();
        assert!(other.is_late() && other.requested() && !other.is_interrupted());
    }
}
