//! Output while campaigns run: progress, warnings, and each suite when it is done.

use super::{
    Interrupt,
    console::Console,
    event_log::EventLog,
    test::{Round, TestRun},
};
use crate::{
    campaign::{self, CancellationToken, Plan},
    evm::exec::test_env::ProjectContext,
    model::{ContractId, Event, ProgressFigures, RunReport},
    report::{
        self, ReportOptions,
        progress::{ProgressBars, failure_line},
    },
};
use anyhow::{Context as _, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
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
    known: &BTreeSet<String>,
    log: &mut EventLog,
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
    log.begin(plan.options.seed);
    let report = campaign::run_plan(plan, context, &stop, &mut |event| {
        progress.event(event);
        log.event(event, console);
        if let Some(line) = pulse.as_mut().and_then(|pulse| pulse.line(event)) {
            console.note(&line);
        }
        let result = progress.suspend(|| show(event, known, &display, console));
        if let Err(error) = result {
            failure.get_or_insert(error);
            interrupt.flag().store(true, Ordering::Relaxed);
        }
    });
    drop(progress);
    log.finish(&report, console);
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
        let Event::Progress { suite, figures } = event else { return None };
        let ProgressFigures { calls, paths, broken, .. } = figures;
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

fn show(
    event: &Event,
    known: &BTreeSet<String>,
    display: &ReportOptions,
    console: &mut Console,
) -> Result<()> {
    match event {
        Event::Broken(failure) if !console.quiet => {
            // Programs that read stderr get Forge's events, which exist for invariants and assertions only.
            match io::stderr().is_terminal() {
                true => {
                    let line = failure_line(failure, known.contains(&failure.id), console.colored_errors);
                    console.note(&line);
                }
                false if failure.is_test => {}
                false => console.note(&report::json::failure_event(failure)),
            }
        }
        Event::Warned { warnings, .. } => warnings.iter().for_each(|warning| console.warn_early(warning)),
        Event::SuiteFinished(suite) => {
            for warning in &suite.warnings {
                console.warn_late(warning);
            }
            console.say(&report::terminal::suite(suite, known, display))?;
        }
        _ => {}
    }
    Ok(())
}
