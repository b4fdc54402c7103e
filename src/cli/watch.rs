//! `--watch`: repeated runs of the suites that a change affects.

use super::{
    ExitStatus, Interrupt,
    args::{GlobalArgs, TestArgs},
    complain,
    console::Console,
    project,
    test::{self, Round},
};
use crate::config::PathsConfig;
use anyhow::{Context as _, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Time without changes before a run begins, since editors write a file several times.
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
    let _watcher = watch(&loaded.config.paths, reproducers, &changes).context("cannot watch the sources")?;
    let mut affected = None;
    loop {
        let round = Round { affected: affected.clone(), stale: changes.flag.clone() };
        let ran = test::round(args, global, None, &round);
        let did_run = ran.is_ok();
        let status = ran.unwrap_or_else(|error| {
            complain(&format!("{error:#}"));
            ExitStatus::Failure
        });
        if interrupt.requested() {
            return Ok(status);
        }
        let was_cut = !did_run || changes.flag.load(Ordering::Relaxed);
        console.say("\nWatching for changes; Ctrl-C ends\n")?;
        let Some(changed) = changes.next(&interrupt) else { return Ok(status) };
        let settings = changed.iter().any(|path| path.parent() == Some(&loaded.config.paths.root));
        affected = match affected {
            _ if settings => None,
            // The run of all suites was cut short, so that all must run again.
            None if was_cut => None,
            Some(before) if was_cut || status == ExitStatus::Failure => Some(&before | &changed),
            _ => Some(changed),
        };
    }
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

    /// Waits for changes, and then until no more occur. Returns `None` if interrupted.
    fn next(&self, interrupt: &Interrupt) -> Option<BTreeSet<PathBuf>> {
        loop {
            std::thread::sleep(TICK);
            if interrupt.requested() {
                return None;
            }
            if self.flag.load(Ordering::Relaxed) {
                break;
            }
        }
        while self.flag.swap(false, Ordering::Relaxed) {
            std::thread::sleep(QUIET);
        }
        Some(std::mem::take(&mut *self.paths.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn watch(
    paths: &PathsConfig,
    reproducers: Option<PathBuf>,
    changes: &Changes,
) -> notify::Result<RecommendedWatcher> {
    let (root, changes) = (paths.root.clone(), changes.clone());
    let mut written = vec![paths.out.clone(), paths.cache.clone(), paths.corpus.clone()];
    written.extend(reproducers);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for path in event.paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let is_setting = path.parent() == Some(&root) && SETTINGS.contains(&&*name);
            let is_source = path.extension().is_some_and(|extension| extension == "sol" || extension == "vy");
            let is_ours = written.iter().any(|dir| path.starts_with(dir));
            if is_setting || is_source && !is_ours {
                changes.add(path.canonicalize().unwrap_or(path));
            }
        }
    })?;
    watcher.watch(&paths.root, RecursiveMode::NonRecursive)?;
    let mut dirs = vec![&paths.src, &paths.test, &paths.script];
    dirs.extend(&paths.libs);
    for dir in dirs.into_iter().filter(|dir| dir.is_dir() && **dir != paths.root) {
        watcher.watch(dir, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}
