//! `forge-harvey test`: the whole run, from a directory to verdicts.

use super::{
    ExitStatus,
    args::{Format, GlobalArgs, ReplayArgs, ReportArg, TestArgs},
    baseline::{self, Baseline},
    console::{Console, colored},
    event_log::EventLog,
    fuzz_input, gas_snapshots, live_output,
    project::{self, LazyFork},
    reports::{self, ReportScene},
    repro, selection, smt_solver,
};
use crate::{
    campaign::{
        Plan, ReplayMode, RunOptions, SuitePlan,
        store::{NamedFile, rerun},
    },
    config::{Config, Loaded},
    evm::exec::test_env::ProjectContext,
    model::{CodeOrigin, Event, RunReport, Status, SuiteReport},
    oracle::Detectors,
    project::Project,
    report::{self, ReportOptions, SummaryForm},
};
use alloy_primitives::{B256, U256};
use anyhow::{Result, anyhow, bail};
use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// Runs the command.
///
/// # Errors
/// When the configuration is wrong, sources do not compile, or results cannot be written: exit code 1.
pub(super) fn run(args: &TestArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    round(args, global, None, &Round::default())
}

/// Settings of one run among several (`--watch`).
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Changed files, if only suites that depend on them are to run.
    pub(super) affected: Option<BTreeSet<PathBuf>>,
    /// Flag that ends the run when it becomes true.
    pub(super) stale: Arc<AtomicBool>,
}

/// Replays failures of earlier runs, without a search.
///
/// # Errors
/// As those of [`run`], and when the named file is no failure.
pub(super) fn replay(args: &ReplayArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let given = args.file.as_deref().map(NamedFile::read).transpose().map_err(|error| anyhow!(error))?;
    let replay = given.map_or(ReplayMode::Kept, |given| ReplayMode::NamedFile(Arc::new(given)));
    // The purpose of a replay is to show traces.
    let verbosity = if global.quiet || global.verbosity > 0 { global.verbosity } else { TRACES };
    let global = GlobalArgs { verbosity, ..global.clone() };
    round(&args.as_test(), &global, Some(replay), &Round::default())
}

/// Lowest verbosity that shows all traces.
const TRACES: u8 = 4;

/// Executes one run: all steps of `forge-harvey test` and `forge-harvey replay`.
pub(super) fn round(
    args: &TestArgs,
    global: &GlobalArgs,
    replay: Option<ReplayMode>,
    round: &Round,
) -> Result<ExitStatus> {
    let console = &mut console_of(args, global);
    let loaded = project::load(args, global, console)?;
    let run = TestRun { args, global, config: &loaded.config };
    let filter = selection::filter(args, run.config, console)?;
    let mut results = run.open_results(&loaded, replay.is_some())?;
    let changed = selection::changed_files(&args.campaign.limits)?.or_else(|| round.affected.clone());
    if args.list {
        let project = project::compile(run.config, console)?;
        let mut suites = selection::suites(&project, &filter, run.config, None);
        if suites.is_empty() {
            selection::explain_none(&project, &filter, run.config, console)?;
        }
        suites.retain(|suite| changed.as_ref().is_none_or(|changed| project.is_affected(suite, changed)));
        console.print(&selection::listing(&suites, global.json))?;
        return Ok(ExitStatus::Success);
    }

    let fork = LazyFork::new(&loaded, run.budget());
    let project = project::compile_to_run(&fork, console)?;
    let mut suites = selection::suites(&project, &filter, run.config, replay.as_ref());
    let replay = match &args.campaign.run.fuzz_input_file {
        Some(path) => Some(ReplayMode::NamedFile(Arc::new(fuzz_input::select(path, &mut suites)?))),
        None => replay,
    };
    if let Some(changed) = changed {
        suites.retain(|suite| project.is_affected(suite, &changed));
        if suites.is_empty() {
            console.say("No test suite depends on these files\n")?;
            return run.end_without_suites(ExitStatus::Success, &mut results.log, console);
        }
    }
    if suites.is_empty() && replay.is_none() {
        let status = selection::explain_none(&project, &filter, run.config, console)?;
        return run.end_without_suites(status, &mut results.log, console);
    }
    let (plan, context) = project::plan(project, &fork, suites, run.options(replay))?;
    run.run_plan(&plan, &context, round, results, console)
}

/// Returns the console of a run, which leaves stdout to the documents that are written there.
pub(super) fn console_of(args: &TestArgs, global: &GlobalArgs) -> Console {
    let has_events = args.documents.has_events_on_stdout();
    let documents = args.junit || has_events || args.documents.reports().iter().any(ReportArg::takes_stdout);
    Console::new(global, documents)
}

/// Fails if a replay was to use a file whose failure belongs to no test.
fn check_named_file(plan: &Plan, report: &RunReport) -> Result<()> {
    if let Some(given) = plan.options.named_file()
        && !given.was_taken()
        && !report.interrupted
    {
        let path = given.path.display();
        bail!(
            "{path} is a failure of no test that is here: it may have another name now, or be filtered out"
        );
    }
    Ok(())
}

/// Warns of suites that were planned and did not run. An interrupt is reported by the summary.
fn warn_of_left(plan: &Plan, report: &RunReport, console: &mut Console) {
    let left = report.planned - report.suites.len();
    if left > 0 && !report.interrupted {
        let was_run = |suite: &&SuitePlan| report.suites.iter().any(|done| done.id == *suite.suite.id());
        let not_run = plan.suites.iter().filter(|suite| !was_run(suite));
        let names: Vec<_> = not_run.map(|suite| suite.suite.id().to_string()).collect();
        console.warn(&format!("{left} of {} test suites were not run: {}", report.planned, names.join(", ")));
    }
}

/// Flags and configuration of a run.
#[derive(Clone, Copy)]
pub(super) struct TestRun<'a> {
    pub(super) args: &'a TestArgs,
    pub(super) global: &'a GlobalArgs,
    pub(super) config: &'a Config,
}

/// Destination of the results of a run, beside its documents.
pub(super) struct RunResults {
    baseline: Option<Baseline>,
    log: EventLog,
    /// True if the exit status is that of the command `replay`.
    is_replay_command: bool,
}

impl TestRun<'_> {
    /// Runs the campaigns of a plan, and writes their results.
    pub(super) fn run_plan(
        &self,
        plan: &Arc<Plan>,
        context: &ProjectContext,
        round: &Round,
        results: RunResults,
        console: &mut Console,
    ) -> Result<ExitStatus> {
        let RunResults { baseline, mut log, is_replay_command } = results;
        let is_replay = plan.options.replay.is_some();
        if plan.suites.is_empty() && !is_replay {
            console.say("This part of the campaigns is empty\n")?;
            return self.end_without_suites(ExitStatus::Success, &mut log, console);
        }
        let known = baseline.as_ref().map(Baseline::ids).unwrap_or_default();
        let mut report = live_output::run_campaigns(plan, context, self, round, &known, &mut log, console)?;
        report.known = known;
        if is_replay {
            check_named_file(plan, &report)?;
        } else {
            warn_of_left(plan, &report, console);
        }
        if is_replay && report.suites.is_empty() {
            console.say("Nothing fails: there is no failure to replay, or none that still fails\n")?;
            return self.end_without_suites(ExitStatus::of_replay(&report), &mut log, console);
        }
        let are_known = self.write_results(&report, baseline, context.project(), console)?;
        gas_snapshots::check_and_write(&self.config.cheats, &context.gas_snapshots(), !console.machine)?;
        Ok(match is_replay_command {
            true => ExitStatus::of_replay(&report),
            false if is_nothing_called(plan, &report) => ExitStatus::Failure,
            false => ExitStatus::of(&report, self.args.campaign.run.allow_failure || are_known),
        })
    }

    /// Checks what can be checked before the sources are compiled, and opens what the results go to.
    pub(super) fn open_results(&self, loaded: &Loaded, is_replay_command: bool) -> Result<RunResults> {
        let baseline = self.check_flags(loaded)?;
        Ok(RunResults { baseline, log: EventLog::open(&self.args.documents)?, is_replay_command })
    }

    /// Checks what can be checked before the sources are compiled, and reads the baseline.
    fn check_flags(&self, loaded: &Loaded) -> Result<Option<Baseline>> {
        let Self { args, global, config } = self;
        let has_events = args.documents.has_events_on_stdout();
        reports::check(&args.documents.reports(), global.json || args.junit || has_events)?;
        Detectors::new(&config.harvey.oracles, None)
            .map_err(|error| loaded.invalid("harvey.oracles", error))?;
        smt_solver::configured(&config.harvey).map_err(|error| loaded.invalid("harvey.solver", error))?;
        let baseline = args.campaign.run.baseline.as_deref();
        let baseline =
            baseline.map(|path| Baseline::read(path, args.campaign.run.update_baseline)).transpose()?;
        if let Some(dir) = &args.campaign.run.emit_repro {
            repro::check(dir, &config.paths.root)?;
        }
        Ok(baseline)
    }

    pub(super) fn options(&self, replay: Option<ReplayMode>) -> RunOptions {
        let Self { args, config, .. } = self;
        let seed = config.fuzz.seed.unwrap_or_else(|| U256::from_be_bytes(B256::random().0));
        RunOptions {
            threads: project::threads(config),
            fail_fast: args.campaign.run.fail_fast,
            verbosity: config.verbosity,
            budget: self.budget(),
            replay,
            sources: args.display.summary || args.documents.reports().iter().any(ReportArg::shows_sources),
            partition: args.campaign.run.partition,
            // A program that does not exist was refused before.
            solver: smt_solver::configured(&config.harvey).unwrap_or_default(),
            ..RunOptions::new(seed)
        }
    }

    pub(super) fn budget(&self) -> Option<Duration> {
        self.args.campaign.limits.budget.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// Returns the options for the display of results.
    pub(super) fn report_options(&self) -> ReportOptions {
        ReportOptions {
            verbosity: self.config.verbosity,
            color: colored(self.global, io::stdout().is_terminal()),
            failures_only: self.args.suppress_successful_traces,
            summary: self.args.display.summary_form(),
            markdown: self.global.md,
            trace_depth: self.config.tracing.depth,
            hide_labels: self.config.tracing.disable_labels,
            campaigns: self.config.harvey.forge.behaviour().reports_campaigns,
        }
    }

    /// Writes the documents of a run without suites.
    fn end_without_suites(
        &self,
        status: ExitStatus,
        log: &mut EventLog,
        console: &mut Console,
    ) -> Result<ExitStatus> {
        let report = RunReport { seed: self.config.fuzz.seed.unwrap_or_default(), ..RunReport::default() };
        log.begin(report.seed);
        log.event(&Event::Started { suites: 0, threads: 0, time: None }, console);
        log.finish(&report, console);
        self.write_documents(&report, None, console)?;
        Ok(status)
    }

    /// Prints and writes all results, and returns true if the baseline has all failures.
    fn write_results(
        &self,
        report: &RunReport,
        baseline: Option<Baseline>,
        project: &Project,
        console: &mut Console,
    ) -> Result<bool> {
        let Self { args, global, config } = self;
        if !global.json && !args.junit {
            console.say(&report::terminal::summary(report, &self.report_options()))?;
            let path = config.paths.root.join(&config.test_failures_file);
            if let Err(error) = rerun::write(&path, report, config.harvey.forge) {
                console.warn(&error.to_string());
            }
        }
        self.write_documents(report, Some(project), console)?;
        if let Some(dir) = &args.campaign.run.emit_repro {
            for line in repro::emit(report, dir, config, project)? {
                console.say(&line)?;
            }
        }
        match baseline {
            None => Ok(false),
            Some(baseline) if args.campaign.run.update_baseline => {
                console.say(&baseline.update(report)?)?;
                Ok(true)
            }
            Some(_) => {
                console.say(&baseline::compare(report))?;
                Ok(report::failures(report).iter().all(|(id, _)| report.known.contains(id)))
            }
        }
    }

    /// Prints and writes the documents for machines.
    fn write_documents(
        &self,
        report: &RunReport,
        project: Option<&Project>,
        console: &mut Console,
    ) -> Result<()> {
        let Self { args, global, config } = self;
        let options = self.report_options();
        let reproducers = args.campaign.run.emit_repro.as_deref();
        let scene = ReportScene { config, project, reproducers, options };
        let asked = global.json.then_some(Format::Json).or(args.junit.then_some(Format::Junit));
        match (asked, options.summary) {
            (Some(Format::Json), SummaryForm::Table | SummaryForm::DetailedTable) => {
                console.print(&report::terminal::summary_json(report, options.summary))?;
            }
            (Some(format), _) => console.print(&reports::text(format, report, &scene))?,
            (None, _) => {}
        }
        let (stdout, written) = reports::write(&args.documents.reports(), report, &scene);
        console.print(&stdout)?;
        written
    }
}

/// Tells whether contracts were named by their code or their address, and none could be called.
fn is_nothing_called(plan: &Plan, report: &RunReport) -> bool {
    let is_named = |suite: &SuitePlan| suite.suite.origin != CodeOrigin::Artifact;
    let is_skipped = |suite: &SuiteReport| suite.tests.iter().all(|test| test.status == Status::Skipped);
    !report.interrupted
        && !plan.suites.is_empty()
        && plan.suites.iter().all(is_named)
        && report.suites.iter().all(is_skipped)
}
