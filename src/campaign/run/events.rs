//! Events that a campaign emits while it runs.

use super::Campaign;
use crate::model::Event;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Interval between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Receiver of a campaign's events.
pub(super) struct EventSink<'a> {
    emit: &'a mut dyn FnMut(Event),
    /// Time of the last report of progress.
    last_progress: Instant,
}

impl<'a> EventSink<'a> {
    pub(super) fn new(emit: &'a mut dyn FnMut(Event)) -> Self {
        Self { emit, last_progress: Instant::now() }
    }

    /// Emits an event.
    pub(super) fn emit(&mut self, event: Event) {
        (self.emit)(event);
    }

    /// Returns true if a report of progress is due. The next interval then begins.
    pub(super) fn is_progress_due(&mut self) -> bool {
        let is_due = self.last_progress.elapsed() >= PROGRESS_INTERVAL;
        if is_due {
            self.last_progress = Instant::now();
        }
        is_due
    }
}

/// Reports progress; `phase` is a phase other than the search.
pub(super) fn emit_progress(campaign: &mut Campaign<'_>, phase: Option<&'static str>) {
    let event = Event::Progress {
        suite: campaign.test_env.suite.id.clone(),
        calls: campaign.metrics.calls,
        paths: campaign.metrics.paths(),
        broken: campaign.failures(),
        phase,
    };
    campaign.events.emit(event);
}

/// Reports progress if it is due.
pub(super) fn emit_progress_if_due(campaign: &mut Campaign<'_>) {
    if campaign.events.is_progress_due() {
        emit_progress(campaign, None);
    }
}

/// Reports that a failure cannot be stored. This comes before the failure itself, so that readers do not rely
/// on the file.
pub(super) fn warn_at_once(campaign: &mut Campaign<'_>, warnings: Vec<String>) {
    if !warnings.is_empty() {
        campaign.results.warnings.extend(warnings.clone());
        let suite = campaign.test_env.suite.id.clone();
        campaign.events.emit(Event::Warned { suite, warnings });
    }
}

/// Reports a broken property.
pub(super) fn emit_broken(campaign: &mut Campaign<'_>, property: &str, reason: &str) {
    let event = Event::Broken {
        suite: campaign.test_env.suite.id.clone(),
        property: property.to_owned(),
        reason: reason.to_owned(),
        timestamp: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    campaign.events.emit(event);
}
