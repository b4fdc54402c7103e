//! What a campaign tells while it runs.

use super::Campaign;
use crate::model::Event;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

impl Campaign<'_> {
    pub(super) fn tell(&mut self, event: Event) {
        (self.emit)(event);
    }

    pub(super) fn tell_progress_now_and_then(&mut self) {
        if self.is_time_to_tell() {
            self.tell_progress(None);
        }
    }

    /// Whether progress was told long ago; the next time counts from now.
    pub(super) fn is_time_to_tell(&mut self) -> bool {
        let is_time = self.told.elapsed() >= PROGRESS_INTERVAL;
        if is_time {
            self.told = Instant::now();
        }
        is_time
    }

    pub(super) fn tell_progress(&mut self, phase: Option<&'static str>) {
        self.tell(Event::Progress {
            suite: self.test_env.suite.id.clone(),
            calls: self.metrics.calls,
            paths: self.metrics.paths(),
            broken: self.failures(),
            phase,
        });
    }

    /// Says that a failure cannot be kept before it is told: who reads of it may rely on nothing.
    pub(super) fn warn_at_once(&mut self, warnings: Vec<String>) {
        if !warnings.is_empty() {
            self.warnings.extend(warnings.clone());
            self.tell(Event::Warned { suite: self.test_env.suite.id.clone(), warnings });
        }
    }

    pub(super) fn tell_broken(&mut self, property: &str, reason: &str) {
        self.tell(Event::Broken {
            suite: self.test_env.suite.id.clone(),
            property: property.to_owned(),
            reason: reason.to_owned(),
            timestamp: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        });
    }
}
