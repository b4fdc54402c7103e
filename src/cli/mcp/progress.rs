//! Events of a run (`--events`) as notifications of progress.

use super::page::line;
use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use serde::Deserialize;

/// Line of `--events`, as far as it is shown.
#[derive(Debug, Deserialize)]
struct EventDocument {
    timestamp: f64,
    event: String,
    budget: Option<f64>,
    target: Option<String>,
    invariant: Option<String>,
    reason: Option<String>,
    metrics: Option<PulseDocument>,
}

#[derive(Debug, Deserialize)]
struct PulseDocument {
    calls: u64,
    paths: u64,
    failures: usize,
    phase: String,
}

/// Progress to report.
#[derive(Clone, Debug, PartialEq)]
struct Notice {
    /// Seconds since the search began.
    seconds: f64,
    /// Seconds that the search may take.
    total: Option<f64>,
    message: String,
}

/// Length of the part of a message that comes from contracts, in characters.
const MOST_MESSAGE: usize = 200;

/// State of a run, by its events. Progress only increases, as the protocol requires.
#[derive(Debug, Default)]
struct Progress {
    started: Option<f64>,
    budget: Option<f64>,
    shown: f64,
}

impl Progress {
    /// Returns the progress that a line shows, if it shows any.
    fn notice(&mut self, line: &str) -> Option<Notice> {
        let event: EventDocument = serde_json::from_str(line).ok()?;
        if event.event == "started" {
            (self.started, self.budget) = (Some(event.timestamp), event.budget);
        }
        let message = message(&event)?;
        let seconds = event.timestamp - self.started?;
        let seconds = self.budget.map_or(seconds, |budget| seconds.min(budget));
        if seconds <= self.shown {
            return None;
        }
        self.shown = seconds;
        Some(Notice { seconds, total: self.budget, message })
    }
}

/// Describes an event; `None` for those that are not shown.
fn message(event: &EventDocument) -> Option<String> {
    let target = line(event.target.as_deref()?, MOST_MESSAGE);
    match &*event.event {
        "pulse" => {
            let PulseDocument { calls, paths, failures, phase } = event.metrics.as_ref()?;
            Some(format!("{target}: {phase}, {calls} calls, {paths} paths, failures: {failures}"))
        }
        "failure" => {
            let [name, reason] = [event.invariant.as_deref()?, event.reason.as_deref()?];
            Some(format!("{target}: {} fails: {}", line(name, MOST_MESSAGE), line(reason, MOST_MESSAGE)))
        }
        "suite_finished" => Some(format!("{target}: done")),
        _ => None,
    }
}

/// Sender of the progress of one request. It sends nothing if the client does not want any.
pub(super) struct ProgressSender<'a> {
    context: &'a RequestContext<RoleServer>,
    token: Option<ProgressToken>,
    progress: Progress,
}

impl<'a> ProgressSender<'a> {
    pub(super) fn new(context: &'a RequestContext<RoleServer>) -> Self {
        Self { context, token: context.meta.get_progress_token(), progress: Progress::default() }
    }

    /// Sends a message before the search.
    pub(super) async fn begin(&self, message: &str) {
        self.send(Notice { seconds: 0.0, total: None, message: message.to_owned() }).await;
    }

    /// Sends the progress that a line of `--events` shows, if any.
    pub(super) async fn line(&mut self, line: &str) {
        if self.token.is_some()
            && let Some(notice) = self.progress.notice(line)
        {
            self.send(notice).await;
        }
    }

    async fn send(&self, notice: Notice) {
        let Some(token) = self.token.clone() else { return };
        let Notice { seconds, total, message } = notice;
        let param = ProgressNotificationParam::new(token, seconds).with_message(message);
        let param = match total {
            Some(total) => param.with_total(total),
            None => param,
        };
        // A connection that closes answers no longer.
        tokio::select! {
            _ = self.context.peer.notify_progress(param) => {}
            () = self.context.ct.cancelled() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_progress_that_only_increases() {
        let mut progress = Progress::default();
        let mut seen = Vec::new();
        for line in [
            r#"{"timestamp":100.0,"event":"started","version":1,"suites":1,"threads":2,"seed":"0x1","budget":5.0}"#,
            r#"{"timestamp":100.1,"event":"campaign_started","target":"test/A.t.sol:A","properties":2,"calls":null,"seconds":4.9}"#,
            r#"{"timestamp":101.5,"event":"pulse","target":"test/A.t.sol:A","metrics":{"calls":7,"calls_per_second":1.0,"paths":3,"branches":1,"failures":0,"phase":"search"}}"#,
            r#"{"timestamp":101.5,"event":"failure","target":"test/A.t.sol:A","id":"x","invariant":"invariant_x","reason":"too\nearly"}"#,
            r#"{"timestamp":102.5,"event":"failure","target":"test/A.t.sol:A","id":"x","invariant":"invariant_x","reason":"bad\u001b"}"#,
            r#"{"timestamp":109.0,"event":"suite_finished","target":"test/A.t.sol:A"}"#,
            "no JSON",
        ] {
            seen.extend(progress.notice(line).map(|notice| format!("{notice:?}")));
        }
        insta::assert_snapshot!(seen.join("\n"), @r#"
        Notice { seconds: 1.5, total: Some(5.0), message: "test/A.t.sol:A: search, 7 calls, 3 paths, failures: 0" }
        Notice { seconds: 2.5, total: Some(5.0), message: "test/A.t.sol:A: invariant_x fails: bad␛" }
        Notice { seconds: 5.0, total: Some(5.0), message: "test/A.t.sol:A: done" }
        "#);
    }

    #[test]
    fn nothing_is_shown_before_the_search_begins() {
        let line = r#"{"timestamp":1.0,"event":"suite_finished","target":"test/A.t.sol:A"}"#;
        assert_eq!(Progress::default().notice(line), None);
    }
}
