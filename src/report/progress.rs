//! Progress bars on a terminal, updated by [`Event`]s.

use crate::{
    model::{ContractId, Event},
    report::{count, visible},
};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{collections::BTreeMap, time::Duration};

/// Time between two updates of a bar while no event arrives.
const TICK: Duration = Duration::from_millis(100);

/// Progress bars on stderr: one over all suites, and one for each suite that runs.
pub struct ProgressBars {
    bars: MultiProgress,
    total: ProgressBar,
    suites: BTreeMap<ContractId, ProgressBar>,
}

impl ProgressBars {
    /// Creates bars that draw on stderr if that is a `terminal`, and nowhere otherwise.
    #[must_use]
    pub fn new(terminal: bool) -> Self {
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let total = bars.add(ProgressBar::no_length());
        Self { bars, total, suites: BTreeMap::new() }
    }

    /// Updates the bars after an event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Started { suites, threads } => {
                self.total.set_style(style("{bar:40} {pos}/{len} completed {msg}"));
                self.total.set_length(*suites as u64);
                self.total.set_message(format!("(with {})", count(*threads, "thread")));
                self.total.tick();
            }
            Event::SuiteStarted { suite, properties, budget } => {
                self.start(suite, *properties, *budget);
            }
            Event::Progress { suite, calls, paths, broken, phase } => {
                if let Some(bar) = self.suites.get(suite) {
                    bar.set_position(*calls);
                    bar.set_message(figures(*calls, *paths, *broken, *phase, bar.elapsed()));
                }
            }
            Event::SuiteFinished(report) => {
                if let Some(bar) = self.suites.remove(&report.id) {
                    bar.finish_and_clear();
                }
                self.total.inc(1);
            }
            Event::Broken { .. } | Event::Warned { .. } => {}
        }
    }

    /// Calls `print` while the bars are hidden, so that the bars do not disturb its output.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bars.suspend(print)
    }

    fn start(&mut self, suite: &ContractId, properties: usize, budget: Option<u64>) {
        let bar = self.bars.add(budget.map_or_else(ProgressBar::no_length, ProgressBar::new));
        let amount = if budget.is_some() { " [{bar:24}] {percent}%" } else { "" };
        bar.set_style(style(&format!("{{spinner}} {{prefix}} {{elapsed}}{amount} {{msg}}")));
        bar.set_prefix(visible(&suite.to_string()));
        let noun = if properties == 1 { "property" } else { "properties" };
        bar.set_message(format!("{properties} {noun}"));
        bar.enable_steady_tick(TICK);
        self.suites.insert(suite.clone(), bar);
    }
}

impl Drop for ProgressBars {
    fn drop(&mut self) {
        self.suites.values().chain([&self.total]).for_each(ProgressBar::finish_and_clear);
    }
}

/// Creates a style from a template of this program.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed").progress_chars("##-")
}

/// Formats the figures of a bar: `128000 calls, 37000/s, 12 paths, 1 broken, Shrink`.
fn figures(calls: u64, paths: u64, broken: usize, phase: Option<&str>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { calls as f64 / seconds } else { 0.0 };
    let phase = phase.map(|phase| format!(", {phase}")).unwrap_or_default();
    format!("{calls} calls, {rate:.0}/s, {paths} paths, {broken} broken{phase}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn figures_name_calls_rate_paths_and_what_broke() {
        let text = figures(1000, 12, 1, Some("Shrink"), Duration::from_secs(2));
        assert_eq!(text, "1000 calls, 500/s, 12 paths, 1 broken, Shrink");
        assert_eq!(figures(0, 0, 0, None, Duration::ZERO), "0 calls, 0/s, 0 paths, 0 broken");
    }

    #[test]
    fn a_suite_has_a_bar_from_its_start_to_its_end() {
        let mut progress = ProgressBars::new(false);
        let report = samples::suite("FailInv", vec![], vec![]);
        let suite = report.id.clone();
        progress.event(&Event::Started { suites: 2, threads: 1 });
        progress.event(&Event::SuiteStarted { suite: suite.clone(), properties: 1, budget: Some(500) });
        progress.event(&Event::Progress {
            suite: suite.clone(),
            calls: 250,
            paths: 3,
            broken: 0,
            phase: None,
        });
        assert_eq!(progress.suites[&suite].position(), 250);
        assert_eq!(progress.suites[&suite].length(), Some(500));
        progress.event(&Event::SuiteFinished(Box::new(report)));
        assert!(progress.suites.is_empty());
        assert_eq!((progress.total.position(), progress.total.length()), (1, Some(2)));
    }

    #[test]
    fn events_of_a_suite_that_never_started_are_harmless() {
        let mut progress = ProgressBars::new(false);
        let suite = samples::suite("FailInv", vec![], vec![]);
        let id = suite.id.clone();
        progress.event(&Event::Progress { suite: id, calls: 1, paths: 1, broken: 0, phase: None });
        progress.event(&Event::SuiteFinished(Box::new(suite)));
        assert_eq!(progress.suspend(|| 7), 7);
    }
}
