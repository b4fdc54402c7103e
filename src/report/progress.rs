//! Progress bars on a terminal, updated by [`Event`]s.

use crate::{
    model::{ContractId, Event, FailureEvent, ProgressFigures},
    report::{count, headline, style::Palette, visible},
};
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{collections::BTreeMap, time::Duration};
use yansi::Color;

/// Time between two updates of a bar while no event arrives.
const TICK: Duration = Duration::from_millis(100);

/// Length of a full bar, whatever limits the campaign.
const FULL: u64 = 1000;

/// Progress bars on stderr: one over all suites, and one for each campaign that runs.
pub struct ProgressBars {
    bars: MultiProgress,
    total: ProgressBar,
    campaigns: BTreeMap<ContractId, CampaignBar>,
}

/// Bar of a campaign, with the limits that give its length.
struct CampaignBar {
    bar: ProgressBar,
    calls: Option<u64>,
    time: Option<Duration>,
}

impl CampaignBar {
    /// Returns the part of the budget that is spent, from 0 to 1; `None` if it is not known.
    fn part(&self, calls: u64, elapsed: Duration) -> Option<f64> {
        let of_calls = self.calls.map(|most| calls as f64 / most.max(1) as f64);
        let of_time = self.time.map(|most| elapsed.as_secs_f64() / most.as_secs_f64().max(0.001));
        of_calls.into_iter().chain(of_time).reduce(f64::max).map(|part| part.min(1.0))
    }

    fn update(&self, figures: &ProgressFigures) {
        let elapsed = self.bar.elapsed();
        let part = self.part(figures.calls, elapsed);
        if let Some(part) = part {
            self.bar.set_position((part * FULL as f64) as u64);
        }
        self.bar.set_message(message(figures, elapsed, part));
    }
}

impl ProgressBars {
    /// Creates bars that draw on stderr if that is a `terminal`, and nowhere otherwise.
    #[must_use]
    pub fn new(terminal: bool) -> Self {
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let total = bars.add(ProgressBar::no_length());
        Self { bars, total, campaigns: BTreeMap::new() }
    }

    /// Updates the bars after an event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Started { suites, threads, .. } => {
                self.total.set_style(style("{bar:40} {pos}/{len} suites {msg}"));
                self.total.set_length(*suites as u64);
                self.total.set_message(format!("(with {})", count(*threads, "thread")));
                self.total.tick();
            }
            Event::SuiteStarted { suite, calls, time, .. } => self.start(suite, *calls, *time),
            Event::Progress { suite, figures } => {
                if let Some(campaign) = self.campaigns.get(suite) {
                    campaign.update(figures);
                }
            }
            Event::SuiteFinished(report) => {
                if let Some(campaign) = self.campaigns.remove(&report.id) {
                    campaign.bar.finish_and_clear();
                }
                self.total.inc(1);
            }
            Event::Broken(_) | Event::Warned { .. } => {}
        }
    }

    /// Calls `print` while the bars are hidden, so that the bars do not disturb its output.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bars.suspend(print)
    }

    /// Begins a campaign. The one before it in the same suite is over.
    fn start(&mut self, suite: &ContractId, calls: Option<u64>, time: Option<Duration>) {
        if let Some(before) = self.campaigns.remove(suite) {
            before.bar.finish_and_clear();
        }
        let bar = self.bars.add(ProgressBar::new(FULL));
        let amount = if calls.is_some() || time.is_some() { " [{bar:12}] {percent}%" } else { "" };
        // What does not fit the terminal is cut off: a bar of two lines cannot be drawn over.
        bar.set_style(style(&format!("{{spinner}} {{prefix}}{amount} {{wide_msg}}")));
        bar.set_prefix(visible(&suite.name));
        bar.enable_steady_tick(TICK);
        let campaign = CampaignBar { bar, calls, time };
        campaign.update(&ProgressFigures::default());
        self.campaigns.insert(suite.clone(), campaign);
    }
}

impl Drop for ProgressBars {
    fn drop(&mut self) {
        let campaigns = self.campaigns.values().map(|campaign| &campaign.bar);
        campaigns.chain([&self.total]).for_each(ProgressBar::finish_and_clear);
    }
}

/// Spinner with a message and the elapsed time.
#[derive(Clone)]
pub struct Spinner(ProgressBar);

impl Spinner {
    /// Starts a spinner, which draws on stderr if that is a `terminal`, and nowhere otherwise.
    #[must_use]
    pub fn start(message: &str, terminal: bool) -> Self {
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {msg} ({elapsed})"));
        bar.set_message(visible(message));
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Calls `print` while the spinner is hidden.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Removes the spinner.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

/// Bar of the mutants that are tested. Clones are the same bar.
#[derive(Clone)]
pub struct MutantBar(ProgressBar);

impl MutantBar {
    /// Creates a bar for `length` mutants, which draws on stderr if that is a `terminal`, and nowhere otherwise.
    #[must_use]
    pub fn new(length: usize, terminal: bool) -> Self {
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(length as u64), target);
        bar.set_style(style("{bar:30} {pos}/{len} mutants ({elapsed}) {wide_msg}"));
        bar.tick();
        Self(bar)
    }

    /// Counts a mutant, and shows the numbers so far.
    pub fn advance(&self, killed: usize, survived: usize) {
        self.0.set_message(format!("{killed} killed, {survived} survived"));
        self.0.inc(1);
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

/// Creates a style from a template of this program.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed").progress_chars("##-")
}

/// Formats the figures of a bar: `12s left, 128,000 calls, 37,000/s, 310 branches, 1 broken, Shrink`.
fn message(figures: &ProgressFigures, elapsed: Duration, part: Option<f64>) -> String {
    let ProgressFigures { calls, branches, broken, phase, .. } = figures;
    let seconds = elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { *calls as f64 / seconds } else { 0.0 };
    let time = match part.filter(|part| *part > 0.0) {
        Some(part) => format!("{} left", clock(seconds * (1.0 - part) / part)),
        None => clock(seconds),
    };
    let (calls, rate) = (HumanCount(*calls), HumanCount(rate as u64));
    let phase = phase.map(|phase| format!(", {phase}")).unwrap_or_default();
    format!("{time}, {calls} calls, {rate}/s, {branches} branches, {broken} broken{phase}")
}

/// Formats a number of seconds: `42s`, `3m05s`, `2h10m`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// Formats the line that a person sees when something breaks, with a newline: `[FAIL: rich] invariant_x of
/// BankTest, after 128 calls and 0.5 s`. A failure that is in the baseline `is_known`.
#[must_use]
pub fn failure_line(failure: &FailureEvent, is_known: bool, color: bool) -> String {
    let FailureEvent { suite, property, oracle, reason, found, .. } = failure;
    let reason = if reason.is_empty() { String::new() } else { format!(": {}", visible(reason)) };
    let oracle = oracle.map(|oracle| format!(" ({oracle})")).unwrap_or_default();
    let paint = if is_known { Color::Yellow } else { Color::Red };
    let known = headline::baseline_mark(is_known);
    let found = match found.calls {
        0 => "before the search".to_owned(),
        calls => format!("after {} and {:.1} s", count_calls(calls), found.seconds),
    };
    format!(
        "{} {}{oracle} of {}, {found}{known}\n",
        Palette::new(color).paint(paint, &format!("[FAIL{reason}]")),
        visible(property),
        visible(&suite.name),
    )
}

fn count_calls(calls: u64) -> String {
    let noun = if calls == 1 { "call" } else { "calls" };
    format!("{} {noun}", HumanCount(calls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    fn figures(calls: u64) -> ProgressFigures {
        ProgressFigures { calls, branches: 12, broken: 1, ..ProgressFigures::default() }
    }

    #[test]
    fn a_message_has_the_time_left_or_the_time_so_far() {
        let two = Duration::from_secs(2);
        let shrinking = ProgressFigures { phase: Some("Shrink"), ..figures(1000) };
        assert_eq!(
            message(&shrinking, two, Some(0.25)),
            "6s left, 1,000 calls, 500/s, 12 branches, 1 broken, Shrink"
        );
        assert_eq!(message(&figures(0), Duration::ZERO, None), "0s, 0 calls, 0/s, 12 branches, 1 broken");
        assert_eq!([59.2, 61.0, 7800.0].map(clock), ["1m00s", "1m01s", "2h10m"]);
    }

    #[test]
    fn a_campaign_has_a_bar_from_its_start_to_its_end() {
        let mut progress = ProgressBars::new(false);
        let report = samples::suite("FailInv", vec![], vec![]);
        let suite = report.id.clone();
        progress.event(&Event::Started { suites: 2, threads: 1, time: None });
        let start =
            || Event::SuiteStarted { suite: suite.clone(), properties: 1, calls: Some(500), time: None };
        progress.event(&start());
        progress.event(&start());
        progress.event(&Event::Progress { suite: suite.clone(), figures: figures(250) });
        assert_eq!(progress.campaigns[&suite].bar.position(), FULL / 2);
        progress.event(&Event::SuiteFinished(Box::new(report)));
        assert!(progress.campaigns.is_empty());
        assert_eq!((progress.total.position(), progress.total.length()), (1, Some(2)));
    }

    #[test]
    fn the_first_limit_that_is_reached_counts() {
        let bar = |calls, time| {
            let time = Some(Duration::from_secs(time));
            CampaignBar { bar: ProgressBar::hidden(), calls, time }
        };
        let second = Duration::from_secs(1);
        assert_eq!(bar(None, 4).part(100, second), Some(0.25));
        assert_eq!(bar(Some(200), 4).part(100, second), Some(0.5));
        assert_eq!(bar(Some(100), 1).part(500, 2 * second), Some(1.0));
    }

    #[test]
    fn a_person_reads_a_line_for_each_failure() {
        let line = failure_line(&samples::failure_event(), false, false);
        assert_eq!(
            line,
            "[FAIL: last must be zero] invariant_lastIsZero of FailInv, after 1,234 calls and 0.5 s\n"
        );
        let finding = FailureEvent { oracle: Some("assertion"), ..samples::failure_event() };
        assert!(failure_line(&finding, false, true).contains("\u{1b}[31m[FAIL: last must be zero]\u{1b}[0m"));
        assert!(failure_line(&finding, true, false).contains(
            "invariant_lastIsZero (assertion) of FailInv, after 1,234 calls and 0.5 s (in the baseline)"
        ));
    }

    #[test]
    fn events_of_a_suite_that_never_started_are_harmless() {
        let mut progress = ProgressBars::new(false);
        let suite = samples::suite("FailInv", vec![], vec![]);
        progress.event(&Event::Progress { suite: suite.id.clone(), figures: figures(1) });
        progress.event(&Event::SuiteFinished(Box::new(suite)));
        assert_eq!(progress.suspend(|| 7), 7);
    }
}
