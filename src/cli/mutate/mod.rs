//! `forge-harvey mutate`: changes of the contracts that the tests do not notice.
//!
//! | file | content |
//! |---|---|
//! | `choice` | choice of the mutants |
//! | `original` | the project without a change: what its tests reach, and the effects of its inputs |
//! | `parts` | choice of the tests that run |
//! | `scheduler` | distribution of the mutants among workers |
//! | `tester` | tests of one mutant after the other |
//! | `workspace` | directory in which a worker compiles mutants |
//! | `verdicts` | verdicts that later runs use |

mod choice;
mod original;
mod parts;
mod scheduler;
mod tester;
mod verdicts;
mod workspace;

use super::{
    ExitStatus, Interrupt,
    args::{GlobalArgs, MutateArgs},
    console::{Console, colored},
    mutant,
    project::{self, LazyFork},
    reports,
};
use crate::{
    campaign::CancellationToken,
    config::{Config, Loaded},
    files::nofollow,
    model::MutationReport,
    mutation::OPERATORS,
    report::{
        count,
        mutation::{self, MutationFormat, MutationScene},
        progress::{MutantBar, ProgressBars},
    },
};
use anyhow::{Context as _, Result};
use choice::{ChosenMutant, choose};
use original::Original;
use scheduler::MutantScheduler;
use std::{
    env,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

/// Runs the command.
///
/// # Errors
/// When the configuration is wrong, sources do not compile without a change, or something cannot be written.
pub(super) fn run(args: &MutateArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let documents = args.report.iter().filter(|report| report.file.is_none()).count();
    let files = args.report.iter().filter_map(|report| report.file.as_deref());
    reports::check_outputs(documents + usize::from(global.json), files)?;
    let console = &mut Console::new(global, documents > 0);
    let mut loaded = project::load(&args.as_test(), global, console)?;
    // A mutant may write something else than the original, and several run at the same time.
    loaded.config.cheats.forbid_writing();
    // A list needs no build of its own.
    let build = if args.list { loaded.clone() } else { linked_dynamically(&loaded) };
    let fork = LazyFork::new(&loaded, None);
    let project = project::compile_to_run(&LazyFork::new(&build, None), console)?;
    let candidates = choose(args, &project, &loaded.config)?;
    if args.list {
        let lines = candidates.iter().map(|candidate| (&*candidate.id, described(candidate)));
        console.print(&mutation::list(lines))?;
        return Ok(ExitStatus::Success);
    }
    let interrupt = Interrupt::install().context("cannot listen for Ctrl-C")?;
    let stop = CancellationToken::new(interrupt.flag());
    let is_drawn = io::stderr().is_terminal() && !console.quiet && !console.machine;
    let report = match candidates.is_empty() {
        true => MutationReport::default(),
        false => {
            console.say("Running the tests without a change\n")?;
            let mut bars = ProgressBars::new(is_drawn);
            let original =
                Original::measure(project, &fork, &args.tests, &stop, &mut |event| bars.event(event))?;
            drop(bars);
            console.say(&format!("Testing {}\n", count(candidates.len(), "mutant")))?;
            let bar = MutantBar::new(candidates.len(), is_drawn);
            let scheduler =
                MutantScheduler { args, build: &build, original: &original, stop: &stop, bar: &bar };
            let report = scheduler.test_all(&candidates, &directory(&loaded));
            bar.end();
            report?
        }
    };
    write_survivors(&report, &loaded)?;
    print(&report, args, global, &loaded, console)?;
    let score = report.counts().score().unwrap_or(1.0);
    let is_low = args.fail_under.is_some_and(|least| 100.0 * score < least);
    Ok(match (interrupt.requested(), is_low) {
        (true, _) => ExitStatus::Interrupted,
        (false, true) => ExitStatus::Failure,
        (false, false) => ExitStatus::Success,
    })
}

/// Returns a configuration in which tests contain no code of the contracts that they create. Then a change compiles one
/// contract, and not its tests. The artifacts do not mix with those of the project.
fn linked_dynamically(loaded: &Loaded) -> Loaded {
    let mut build = loaded.clone();
    let Config { compiler, paths, .. } = &mut build.config;
    if !compiler.dynamic_test_linking {
        compiler.dynamic_test_linking = true;
        let directory = directory(loaded).join("build");
        (paths.out, paths.cache) = (directory.join("out"), directory.join("cache"));
        compiler.build_info_path = None;
    }
    build
}

/// Describes a mutant in a line.
fn described(candidate: &ChosenMutant) -> String {
    let ChosenMutant { mutant, place, before, after, .. } = candidate;
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{place} {}: {} -> {}", mutant.operator, line(before), line(after))
}

/// Returns the directory of mutants and verdicts.
fn directory(loaded: &Loaded) -> PathBuf {
    loaded.config.paths.cache.join("harvey").join("mutants")
}

/// Writes the descriptions of the survivors, with which `test --mutant` runs them.
fn write_survivors(report: &MutationReport, loaded: &Loaded) -> Result<()> {
    for survivor in report.survivors() {
        let text = serde_json::to_string_pretty(&survivor.mutant).context("a mutant is JSON")?;
        let path = directory(loaded).join(&survivor.id).join(mutant::DESCRIPTION);
        nofollow::write(&path, text.as_bytes())?;
    }
    Ok(())
}

fn print(
    report: &MutationReport,
    args: &MutateArgs,
    global: &GlobalArgs,
    loaded: &Loaded,
    console: &mut Console,
) -> Result<()> {
    let root: &Path = &loaded.config.paths.root;
    let mutants = directory(loaded);
    let here = env::current_dir().unwrap_or_default();
    let scene = MutationScene {
        reasons: OPERATORS.iter().map(|operator| (operator.id, operator.reason)).collect(),
        directory: mutants.strip_prefix(here).unwrap_or(&mutants).display().to_string(),
        base: reports::base(root),
        title: reports::title(root),
    };
    console.say(&mutation::summary(
        report,
        &scene,
        colored(global, io::stdout().is_terminal()),
        global.md,
    ))?;
    if global.json {
        console.print(&mutation::text(MutationFormat::Json, report, &scene))?;
    }
    for wanted in &args.report {
        let text = mutation::text(wanted.format, report, &scene);
        match &wanted.file {
            Some(file) => reports::write_to(file, &text)?,
            None => console.print(&text)?,
        }
    }
    Ok(())
}
