//! Events that a campaign emits while it runs.

use super::Campaign;
use crate::model::{Event, FailureEvent, Finding, ProgressFigures, TestReport, test_id};
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
    let figures = ProgressFigures {
        calls: campaign.metrics.calls,
        paths: campaign.metrics.paths(),
        branches: campaign.record.coverage.last().map_or(0, |point| point.branches),
        broken: campaign.failures(),
        phase,
    };
    campaign.events.emit(Event::Progress { suite: campaign.test_env.suite.id.clone(), figures });
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

/// Reports a broken property with the name `property`.
pub(super) fn emit_broken(campaign: &mut Campaign<'_>, property: &str, report: &TestReport) {
    let event = FailureEvent {
        id: test_id(&campaign.test_env.suite.id, &report.signature),
        reason: report.reason.clone().unwrap_or_default(),
        counterexample: report.counterexample.clone(),
        ..failure_event(campaign, property)
    };
    campaign.events.emit(Event::Broken(Box::new(event)));
}

/// Reports a finding of an oracle.
pub(super) fn emit_finding(campaign: &mut Campaign<'_>, finding: &Finding) {
    let event = FailureEvent {
        id: finding.id.clone(),
        oracle: Some(finding.oracle),
        reason: finding.failure.reason.clone(),
        counterexample: Some(finding.counterexample.clone()),
        ..failure_event(campaign, &finding.entry.function)
    };
    campaign.events.emit(Event::Broken(Box::new(event)));
}

/// Returns the event of a failure that is found now, without what depends on its kind.
fn failure_event(campaign: &Campaign<'_>, property: &str) -> FailureEvent {
    FailureEvent {
        id: String::new(),
        suite: campaign.test_env.suite.id.clone(),
        property: property.to_owned(),
        oracle: None,
        is_test: campaign.spec.test.is_some(),
        reason: String::new(),
        timestamp: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        found: campaign.found(),
        counterexample: None,
    }
}
