//! `--watch`: repeated runs of the suites that a change affects.

use super::{
    ExitStatus, Interrupt,
    args::{GlobalArgs, TestArgs, WatchArgs},
    complain,
    console::Console,
    project,
    test::{self, Round},
};
use crate::{campaign::store::rerun, config::PathsConfig};
use anyhow::{Context as _, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Default of the time without changes before a run begins, since editors write a file several times.
const QUIET: Duration = Duration::from_millis(200);
/// Time between two checks for changes.
const TICK: Duration = Duration::from_millis(50);
/// Files of the root that affect all suites.
const SETTINGS: [&str; 3] = ["foundry.toml", "remappings.txt", ".env"];

/// Runs all suites, and then after each change the suites that depend on it, until Ctrl-C. A change ends the
/// current run; the coverage of that run is in the corpus.
///
/// # Errors
/// When the configuration is wrong at the start, or files cannot be watched.
pub(super) fn run(args: &TestArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let loaded = project::load(args, global, &mut console)?;
    let interrupt = Interrupt::install().context("cannot listen for Ctrl-C")?;
    let changes = Changes::default();
    let reproducers = args.campaign.run.emit_repro.as_ref().map(|dir| loaded.config.paths.root.join(dir));
    let flags = &args.watch;
    let named = named(flags)?;
    let _watcher =
        watch(&loaded.config.paths, reproducers, &named, &changes).context("cannot watch the sources")?;
    let mut affected = None;
    let mut failed = false;
    loop {
        let stale = if flags.no_restart { Arc::default() } else { changes.flag.clone() };
        let round = Round { affected: affected.clone(), stale };
        let is_listed =
            || rerun::read(&loaded.config.paths.root.join(&loaded.config.test_failures_file)).is_some();
        let ran = match flags.rerun_failed && failed && is_listed() {
            true => failed_first(args, global, &round),
            false => test::round(args, global, None, &round),
        };
        let did_run = ran.is_ok();
        let status = ran.unwrap_or_else(|error| {
            complain(&format!("{error:#}"));
            ExitStatus::Failure
        });
        if interrupt.requested() {
            return Ok(status);
        }
        failed = status == ExitStatus::Failure;
        let was_cut = !did_run || !flags.no_restart && changes.flag.load(Ordering::Relaxed);
        console.say("\nWatching for changes; Ctrl-C ends\n")?;
        let Some(changed) = changes.next(flags.watch_delay.unwrap_or(QUIET), &interrupt) else {
            return Ok(status);
        };
        let root = &loaded.config.paths.root;
        let all = changed.iter().any(|path| is_setting(path, root) || !is_source(path));
        affected = match affected {
            _ if all || flags.run_all => None,
            // The run of all suites was cut short, so that all must run again.
            None if was_cut => None,
            Some(before) if was_cut || status == ExitStatus::Failure => Some(&before | &changed),
            _ => Some(changed),
        };
    }
}

/// Runs the tests that failed last, and then the others if these pass.
fn failed_first(args: &TestArgs, global: &GlobalArgs, round: &Round) -> Result<ExitStatus> {
    let mut rerun = args.clone();
    rerun.campaign.run.rerun = true;
    let again = Round { affected: None, stale: round.stale.clone() };
    match test::round(&rerun, global, None, &again)? {
        ExitStatus::Success => test::round(args, global, None, round),
        status => Ok(status),
    }
}

/// Returns the files and directories that the user named, as absolute paths.
fn named(flags: &WatchArgs) -> Result<Vec<PathBuf>> {
    let paths = flags.watch.iter().flatten();
    let absolute = |path: &PathBuf| {
        path.canonicalize().with_context(|| format!("--watch: cannot find {}", path.display()))
    };
    paths.map(absolute).collect()
}

fn is_setting(path: &Path, root: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    path.parent() == Some(root) && SETTINGS.contains(&&*name)
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "sol" || extension == "vy")
}

/// Changes since the last query.
#[derive(Clone, Default)]
struct Changes {
    paths: Arc<Mutex<BTreeSet<PathBuf>>>,
    /// True if anything changed.
    flag: Arc<AtomicBool>,
}

impl Changes {
    fn add(&self, path: PathBuf) {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Waits for changes, and then until no more occur for a time. Returns `None` if interrupted.
    fn next(&self, quiet: Duration, interrupt: &Interrupt) -> Option<BTreeSet<PathBuf>> {
        let mut last = None;
        // Ends when the last change is so long ago.
        while last.is_none_or(|last: Instant| last.elapsed() < quiet) {
            std::thread::sleep(TICK);
            if interrupt.requested() {
                return None;
            }
            if self.flag.swap(false, Ordering::Relaxed) {
                last = Some(Instant::now());
            }
        }
        Some(std::mem::take(&mut *self.paths.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn watch(
    paths: &PathsConfig,
    reproducers: Option<PathBuf>,
    named: &[PathBuf],
    changes: &Changes,
) -> notify::Result<RecommendedWatcher> {
    let (root, changes) = (paths.root.clone(), changes.clone());
    let wanted = named.to_vec();
    let mut written = vec![paths.out.clone(), paths.cache.clone(), paths.corpus.clone()];
    written.extend(reproducers);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for path in event.paths {
            let is_wanted = match wanted.is_empty() {
                true => is_source(&path),
                false => wanted.iter().any(|wanted| path.starts_with(wanted)),
            };
            let is_ours = written.iter().any(|dir| path.starts_with(dir));
            if is_setting(&path, &root) || is_wanted && !is_ours {
                changes.add(path.canonicalize().unwrap_or(path));
            }
        }
    })?;
    watcher.watch(&paths.root, RecursiveMode::NonRecursive)?;
    if !named.is_empty() {
        // An editor may replace a file, so that its directory is watched.
        let dir = |path: &PathBuf| match path.is_dir() {
            true => (path.clone(), RecursiveMode::Recursive),
            false => (path.parent().unwrap_or(path).to_owned(), RecursiveMode::NonRecursive),
        };
        named.iter().map(dir).try_for_each(|(dir, mode)| watcher.watch(&dir, mode))?;
        return Ok(watcher);
    }
    let mut dirs = vec![&paths.src, &paths.test, &paths.script];
    dirs.extend(&paths.libs);
    for dir in dirs.into_iter().filter(|dir| dir.is_dir() && **dir != paths.root) {
        watcher.watch(dir, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}
