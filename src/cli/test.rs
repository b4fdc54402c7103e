//! `forge-harvey test`: the whole run, from a directory to verdicts.

use super::{
    ExitStatus, Interrupt,
    args::{Format, GlobalArgs, ReplayArgs, ReportArg, TestArgs},
    baseline::{self, Baseline},
    console::{Console, colored},
    gas_snapshots, reports, repro, settings,
};
use crate::{
    campaign::{
        self, Plan, ReplayMode, RunOptions, Stop, SuitePlan,
        store::{NamedFile, has_kept, rerun},
    },
    config::{self, Config, Filter, FilterConfig, HarveyConfig, Loaded, Scan},
    evm::exec::test_env::ProjectContext,
    model::{ContractId, Event, RunReport},
    oracle::Detectors,
    project::{self, Project, Suite},
    report::{self, progress::ProgressBars},
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result, anyhow, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
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

/// Executes one run.
pub(super) fn round(
    args: &TestArgs,
    global: &GlobalArgs,
    replay: Option<ReplayMode>,
    round: &Round,
) -> Result<ExitStatus> {
    let documents = args.junit || args.report.iter().any(ReportArg::takes_stdout);
    let mut console = Console::new(global, documents);
    let loaded = load(args, global, &mut console)?;
    let filter = filter(args, &loaded.config, &mut console)?;
    reports::check(&args.report, global.json || args.junit)?;
    Detectors::new(&loaded.config.harvey.oracles, None)
        .map_err(|error| loaded.invalid("harvey.oracles", error))?;
    let baseline = args.campaign.baseline.as_deref();
    let baseline = baseline.map(|path| Baseline::read(path, args.campaign.update_baseline)).transpose()?;
    if let Some(dir) = &args.campaign.emit_repro {
        repro::check(dir, &loaded.config.paths.root)?;
    }
    let project = Arc::new(compile(&loaded.config, args, &mut console)?);
    if args.list {
        list(&project, &filter, &loaded.config, global, &mut console)?;
        return Ok(ExitStatus::Success);
    }
    let HarveyConfig { unit, scan, .. } = &loaded.config.harvey;
    let mut suites = campaign::suites(&project, &filter, *unit, *scan);
    match &replay {
        Some(ReplayMode::NamedFile(given)) => retain_given(&mut suites, given),
        // A scan of which nothing is kept need not be deployed.
        Some(ReplayMode::Kept) => {
            suites.retain(|suite| !suite.is_scan() || has_kept(&loaded.config.paths.corpus, suite.id()))
        }
        None => {}
    }
    let named = args.campaign.affected_by.as_ref().map(|files| existing(files, &mut console));
    if let Some(changed) = named.or_else(|| round.affected.clone()) {
        suites.retain(|suite| project.is_affected(suite, &changed));
        if suites.is_empty() {
            console.say("No test suite depends on these files\n")?;
            return nothing(args, global, &loaded.config, &mut console);
        }
    }
    if suites.is_empty() && replay.is_none() {
        let status = nothing_to_test(&project, &filter, &loaded.config, &mut console)?;
        nothing(args, global, &loaded.config, &mut console)?;
        return Ok(status);
    }
    let is_replay = replay.is_some();
    let plan = Arc::new(campaign::plan(&project, &loaded, suites, options(args, &loaded.config, replay))?);
    let mut context = ProjectContext::new(project, environment(&loaded), plan.options.seed);
    context.fork(&loaded.config, plan.options.budget).map_err(|error| anyhow!(error))?;
    if plan.suites.is_empty() && !is_replay {
        console.say("This part of the campaigns is empty\n")?;
        return nothing(args, global, &loaded.config, &mut console);
    }
    let mut report = hunt(&plan, &context, args, &loaded.config, &mut console, global, round)?;
    report.known = baseline.as_ref().map(Baseline::ids).unwrap_or_default();
    let left = report.planned - report.suites.len();
    if let Some(given) = plan.options.named_file()
        && !given.was_taken()
        && !report.interrupted
    {
        let path = given.path.display();
        bail!(
            "{path} is a failure of no test that is here: it may have another name now, or be filtered out"
        );
    }
    if is_replay && report.suites.is_empty() {
        console.say("Nothing fails: there is no failure to replay, or none that still fails\n")?;
        nothing(args, global, &loaded.config, &mut console)?;
        return Ok(ExitStatus::of(&report, false));
    }
    // The summary reports an interrupt.
    if left > 0 && !report.interrupted && !is_replay {
        let was_run = |suite: &&SuitePlan| report.suites.iter().any(|done| done.id == *suite.suite.id());
        let names: Vec<_> = plan
            .suites
            .iter()
            .filter(|suite| !was_run(suite))
            .map(|suite| suite.suite.id().to_string())
            .collect();
        console.warn(&format!("{left} of {} test suites were not run: {}", report.planned, names.join(", ")));
    }
    let status = finish(&report, &loaded.config, args, global, &mut console, baseline)?;
    // A run without any finished suite must not count as a success.
    let is_empty = report.suites.is_empty() && left > 0 && !report.interrupted && !is_replay;
    let status = if is_empty { ExitStatus::Failure } else { status };
    let (cheats, measured) = (&loaded.config.cheats, context.gas_snapshots());
    if cheats.snapshot_check {
        gas_snapshots::check(cheats, &measured)?;
    }
    if cheats.snapshot_emit && !console.machine {
        gas_snapshots::write(cheats, &measured)?;
    }
    Ok(status)
}

/// Reads the configuration, and prints its warnings.
pub(super) fn load(args: &TestArgs, global: &GlobalArgs, console: &mut Console) -> Result<Loaded> {
    let root = match &args.build.root {
        Some(root) => root.clone(),
        None => config::find_root(&std::env::current_dir().context("cannot tell the current directory")?)?,
    };
    let overrides = args.overrides(global);
    let loaded = config::load(&root, &overrides, &settings::environment(), &project::find_remappings)?;
    for warning in &loaded.warnings {
        console.warn(&warning.to_string());
    }
    Ok(loaded)
}

/// Compiles the project, and prints the progress.
pub(super) fn compile(config: &Config, args: &TestArgs, console: &mut Console) -> Result<Project> {
    let mut failed = None;
    let silent = args.list && console.machine;
    let project = {
        let console = &mut *console;
        let failed = &mut failed;
        let mut sink = |event: project::CompileEvent| {
            if !silent && let Err(error) = console.say(&format!("{event}\n")) {
                failed.get_or_insert(error);
            }
        };
        Project::load(config, &mut sink)?
    };
    failed.map_or(Ok(project), Err)
}

fn filter(args: &TestArgs, config: &Config, console: &mut Console) -> Result<Filter> {
    let mut patterns = config.filter.clone();
    if args.campaign.rerun {
        let path = config.paths.root.join(&config.test_failures_file);
        patterns.test = rerun::read(&path);
        if let Some(pattern) = &patterns.test
            && let Err(error) = Filter::new(&patterns, &config.paths.root)
        {
            console.warn(&rerun::unparsable_warning(&path, &format!("{error} in {pattern}")));
            patterns.test = None;
        }
    }
    Ok(Filter::new(&patterns, &config.paths.root)?)
}

fn list(
    project: &Project,
    filter: &Filter,
    config: &Config,
    global: &GlobalArgs,
    console: &mut Console,
) -> Result<()> {
    let mut listing = report::list::Listing::new();
    for suite in campaign::suites(project, filter, config.harvey.unit, config.harvey.scan) {
        let properties = suite.properties.iter().map(|property| &property.function.name);
        let tests = suite.tests.iter().map(|test| &test.function.name);
        let mut names: Vec<_> = properties.chain(tests).cloned().collect();
        names.sort_unstable();
        listing.entry(suite.id().path.clone()).or_default().insert(suite.id().name.clone(), names);
    }
    let text = if global.json { report::list::json(&listing) } else { report::list::text(&listing) };
    console.print(&text)
}

/// Prints why nothing runs, as Forge does, and returns the exit code.
fn nothing_to_test(
    project: &Project,
    filter: &Filter,
    config: &Config,
    console: &mut Console,
) -> Result<ExitStatus> {
    let HarveyConfig { unit, scan, .. } = config.harvey;
    let all = Filter::new(&FilterConfig::default(), &config.paths.root)?;
    if filter.is_empty() || campaign::suites(project, &all, unit, scan).is_empty() {
        console.say(
            "No tests found in project! forge-harvey looks for functions that start with `invariant`, and for \
             functions with parameters that start with `test` or `table`; `--scan` calls contracts without tests\n",
        )?;
    } else {
        let matching = campaign::suites(project, filter, true, Scan::None);
        let hint = match matching.iter().map(|suite| suite.tests.len()).sum::<usize>() {
            0 => String::new(),
            1 => "\nIt matches 1 unit test; `--unit` runs it".to_owned(),
            units => format!("\nIt matches {units} unit tests; `--unit` runs them"),
        };
        console
            .warn(&format!("no tests match the provided pattern:\n{}{hint}", filter.to_string().trim_end()));
    }
    let failure = config.harvey.no_tests == "fail";
    Ok(if failure { ExitStatus::Failure } else { ExitStatus::Success })
}

/// Returns the files that exist, as absolute paths, and warns of the others.
fn existing(files: &[PathBuf], console: &mut Console) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for file in files {
        match file.canonicalize() {
            Ok(path) => drop(found.insert(path)),
            Err(error) => console.warn(&format!("--affected-by {}: {error}", file.display())),
        }
    }
    found
}

/// Writes the documents of a run without suites.
fn nothing(
    args: &TestArgs,
    global: &GlobalArgs,
    config: &Config,
    console: &mut Console,
) -> Result<ExitStatus> {
    let report = RunReport { seed: config.fuzz.seed.unwrap_or_default(), ..RunReport::default() };
    documents(&report, config, args, global, console)?;
    Ok(ExitStatus::Success)
}

/// Keeps the suites to which a failure may belong: those that its directory names, or all if it names none.
fn retain_given(suites: &mut Vec<Suite>, given: &NamedFile) {
    let named = suites.iter().any(|suite| given.is_of(suite.id(), true));
    suites.retain(|suite| given.is_of(suite.id(), named));
}

/// Most threads that search.
const MOST_THREADS: usize = 1024;

fn options(args: &TestArgs, config: &Config, replay: Option<ReplayMode>) -> RunOptions {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let seed = config.fuzz.seed.unwrap_or_else(|| U256::from_be_bytes(alloy_primitives::B256::random().0));
    RunOptions {
        threads: config
            .threads
            .filter(|threads| *threads > 0)
            .map_or_else(cores, |threads| threads.min(MOST_THREADS)),
        fail_fast: args.campaign.fail_fast,
        verbosity: config.verbosity,
        budget: args.campaign.budget.map(|seconds| Duration::from_secs(seconds.into())),
        replay,
        sources: args.report.iter().any(ReportArg::shows_sources),
        partition: args.campaign.partition,
        ..RunOptions::new(seed)
    }
}

/// Returns the environment that cheatcodes read: that of the process, and variables of `.env` that it does
/// not set.
pub(super) fn environment(loaded: &Loaded) -> BTreeMap<String, String> {
    let mut environment: BTreeMap<_, _> = loaded.dotenv.iter().cloned().collect();
    environment.extend(settings::environment());
    environment
}

fn display(config: &Config, args: &TestArgs, global: &GlobalArgs) -> report::ReportOptions {
    report::ReportOptions {
        verbosity: config.verbosity,
        color: colored(global, io::stdout().is_terminal()),
        failures_only: args.suppress_successful_traces,
    }
}

/// Runs the campaigns, and prints each suite when it is done.
fn hunt(
    plan: &Arc<Plan>,
    context: &ProjectContext,
    args: &TestArgs,
    config: &Config,
    console: &mut Console,
    global: &GlobalArgs,
    round: &Round,
) -> Result<RunReport> {
    let interrupt = Interrupt::install().context("cannot listen for Ctrl-C")?;
    let stop = Stop::new(interrupt.flag()).or_when(round.stale.clone());
    let shown = args.show_progress || config.show_progress || io::stderr().is_terminal();
    let mut progress =
        ProgressBars::new(shown && !console.quiet && !console.machine && io::stderr().is_terminal());
    let display = display(config, args, global);
    let mut pulse = (shown && !console.quiet && !io::stderr().is_terminal()).then(FigureTimes::default);
    let mut failure = None;
    let report = campaign::run(plan, context, &stop, &mut |event| {
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

fn show(event: &Event, console: &mut Console, display: &report::ReportOptions) -> Result<()> {
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

fn finish(
    report: &RunReport,
    config: &Config,
    args: &TestArgs,
    global: &GlobalArgs,
    console: &mut Console,
    baseline: Option<Baseline>,
) -> Result<ExitStatus> {
    if !global.json && !args.junit {
        console.say(&report::terminal::summary(report, &display(config, args, global)))?;
        let path = config.paths.root.join(&config.test_failures_file);
        if let Err(error) = rerun::write(&path, report) {
            console.warn(&error.to_string());
        }
    }
    documents(report, config, args, global, console)?;
    if let Some(dir) = &args.campaign.emit_repro {
        for line in repro::emit(report, dir, &config.paths.root)? {
            console.say(&line)?;
        }
    }
    let is_known = match baseline {
        None => false,
        Some(baseline) if args.campaign.update_baseline => {
            console.say(&baseline.update(report)?)?;
            true
        }
        Some(_) => {
            console.say(&baseline::compare(report))?;
            report::failures(report).iter().all(|(id, _)| report.known.contains(id))
        }
    };
    Ok(ExitStatus::of(report, args.campaign.allow_failure || is_known))
}

/// Prints and writes the documents for machines.
fn documents(
    report: &RunReport,
    config: &Config,
    args: &TestArgs,
    global: &GlobalArgs,
    console: &mut Console,
) -> Result<()> {
    let display = display(config, args, global);
    let root = &config.paths.root;
    let asked = global.json.then_some(Format::Json).or(args.junit.then_some(Format::Junit));
    if let Some(format) = asked {
        console.print(&reports::text(format, report, root, &display))?;
    }
    let (stdout, written) = reports::write(&args.report, report, root, &display);
    console.print(&stdout)?;
    written
}
