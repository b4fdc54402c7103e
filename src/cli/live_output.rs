//! Output while campaigns run: progress, warnings, and each suite when it is done.

use super::{
    Interrupt,
    console::Console,
    test::{Round, TestRun},
};
use crate::{
    campaign::{self, CancellationToken, Plan},
    evm::exec::test_env::ProjectContext,
    model::{ContractId, Event, RunReport},
    report::{self, ReportOptions, progress::ProgressBars},
};
use anyhow::{Context as _, Result};
use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Runs the campaigns until they are done, the user interrupts them, or the round is stale.
///
/// # Errors
/// When Ctrl-C cannot be caught, or stdout cannot be written; the campaigns end then.
pub(super) fn run_campaigns(
    plan: &Arc<Plan>,
    context: &ProjectContext,
    run: &TestRun<'_>,
    round: &Round,
    console: &mut Console,
) -> Result<RunReport> {
    let interrupt = Interrupt::install().context("cannot listen for Ctrl-C")?;
    let stop = CancellationToken::new(interrupt.flag()).or_when(round.stale.clone());
    let shown = run.args.show_progress || run.config.show_progress || io::stderr().is_terminal();
    let mut progress =
        ProgressBars::new(shown && !console.quiet && !console.machine && io::stderr().is_terminal());
    let display = run.report_options();
    let mut pulse = (shown && !console.quiet && !io::stderr().is_terminal()).then(FigureTimes::default);
    let mut failure = None;
    let report = campaign::run_plan(plan, context, &stop, &mut |event| {
        progress.event(event);
        if let Some(line) = pulse.as_mut().and_then(|pulse| pulse.line(event)) {
            console.note(&line);
        }
        let result = progress.suspend(|| show(event, console, &display));
        if let Err(error) = result {
            failure.get_or_insert(error);
            interrupt.flag().store(true, Ordering::Relaxed);
        }
    });
    drop(progress);
    failure.map_or(Ok(report), Err)
}

/// Time between two prints of a suite's figures if there is no terminal for bars, as in Forge.
const PULSE: Duration = Duration::from_secs(5);

/// Time of the last print of each suite's figures.
#[derive(Default)]
struct FigureTimes(BTreeMap<ContractId, Instant>);

impl FigureTimes {
    /// Returns the line for an event, if enough time has passed.
    fn line(&mut self, event: &Event) -> Option<String> {
        let Event::Progress { suite, calls, paths, broken, .. } = event else { return None };
        let now = Instant::now();
        let last = self.0.entry(suite.clone()).or_insert(now);
        if now.duration_since(*last) < PULSE {
            return None;
        }
        *last = now;
        let timestamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Some(report::json::pulse_event(&suite.to_string(), *calls, *paths, *broken, timestamp))
    }
}

fn show(event: &Event, console: &mut Console, display: &ReportOptions) -> Result<()> {
    match event {
        Event::Broken { suite, property, reason, timestamp } if !console.quiet => {
            let line = report::json::failure_event(&suite.to_string(), property, reason, *timestamp);
            console.note(&line);
        }
        Event::Warned { warnings, .. } => warnings.iter().for_each(|warning| console.warn_early(warning)),
        Event::SuiteFinished(suite) => {
            for warning in &suite.warnings {
                console.warn_late(warning);
            }
            console.say(&report::terminal::suite(suite, display))?;
        }
        _ => {}
    }
    Ok(())
}
