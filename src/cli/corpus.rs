//! `forge-harvey corpus`: shows, merges and converts the inputs that earlier runs kept.

use super::{
    ExitStatus, Interrupt,
    args::{CorpusAction, CorpusArgs, GlobalArgs},
    console::Console,
    project::{self, LazyFork},
};
use crate::{
    campaign::{
        self, CancellationToken, Converted, Plan, RunOptions,
        store::{
            self,
            corpus::{self, CorpusEntry, import},
        },
    },
    config::{Config, Filter, Loaded},
    evm::exec::test_env::ProjectContext,
    files::{self, followed},
    model::ContractId,
    report::{
        corpus::{SuiteCorpus, json, text},
        count,
    },
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result, bail};
use rustc_hash::FxHashSet;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Runs the command.
///
/// # Errors
/// When the configuration is wrong, sources do not compile where that is needed, or something cannot be written.
pub(super) fn run(args: &CorpusArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let loaded = project::load(&args.as_test(), global, &mut console)?;
    match &args.action {
        CorpusAction::Show => show(&loaded.config, global, &mut console)?,
        CorpusAction::Merge { from } => merge(&loaded.config, from, &mut console)?,
        CorpusAction::Minimise => {
            let stop =
                CancellationToken::new(Interrupt::install().context("cannot listen for Ctrl-C")?.flag());
            let (plan, context) = plan(&loaded, &mut console)?;
            let done = campaign::minimise(&plan, &context, &stop)?;
            tell(&done, "kept", &mut console)?;
        }
        CorpusAction::Import { from } => {
            let entries = read_foreign(from, &mut console)?;
            let (plan, context) = plan(&loaded, &mut console)?;
            let done = campaign::import(&plan, &context, &entries)?;
            if done.iter().all(|converted| converted.after == 0) {
                bail!("no test contract here has a function that these sequences call");
            }
            tell(&done, "imported", &mut console)?;
        }
        CorpusAction::Export { dir } => {
            let (plan, context) = plan(&loaded, &mut console)?;
            // The user may have named a directory behind links.
            let dir = followed(&std::path::absolute(dir)?);
            tell(&campaign::export(&plan, &context, &dir)?, "written", &mut console)?;
        }
    }
    Ok(ExitStatus::Success)
}

fn show(config: &Config, global: &GlobalArgs, console: &mut Console) -> Result<()> {
    let filter = Filter::new(&config.filter, &config.paths.root)?;
    let mut suites: BTreeMap<ContractId, SuiteCorpus> = BTreeMap::new();
    let mut seen: BTreeMap<ContractId, BTreeSet<String>> = BTreeMap::new();
    let root = corpus::root(&config.paths.corpus);
    for path in corpus::segments(&root) {
        let segment = match corpus::read(&path) {
            Ok(segment) => segment,
            Err(why) => {
                console.warn(&format!("{}: {why}", path.display()));
                continue;
            }
        };
        let holding = suites.entry(segment.suite.clone()).or_default();
        holding.files += 1;
        holding.branches = holding.branches.max(segment.covered.branches);
        holding.paths = holding.paths.max(segment.covered.paths);
        let known = seen.entry(segment.suite).or_default();
        for entry in segment.entries.iter().filter(|entry| known.insert(entry.line())) {
            holding.inputs += 1;
            for (contract, function) in entry.functions() {
                let contract = contract.and_then(|id| id.rsplit(':').next()).unwrap_or("?");
                *holding.calls.entry(format!("{contract}.{function}")).or_default() += 1;
            }
        }
    }
    for (path, suite) in store::failures(&config.paths.corpus) {
        match suite {
            Ok(suite) => suites.entry(suite).or_default().failures += 1,
            Err(why) => console.warn(&format!("{}: {why}", path.display())),
        }
    }
    suites.retain(|suite, _| filter.matches_contract(&suite.name));
    console.print(&if global.json { json(&suites) } else { text(&suites) })
}

fn merge(config: &Config, from: &[PathBuf], console: &mut Console) -> Result<()> {
    if let Some(missing) = from.iter().find(|dir| !dir.is_dir()) {
        bail!("{} is no directory", missing.display());
    }
    let from = from.iter().map(|dir| dir.canonicalize()).collect::<Result<Vec<_>, _>>()?;
    let merged = store::merge(&from, &config.paths.corpus)?;
    merged.warnings.iter().for_each(|warning| console.warn(warning));
    let (inputs, failures) = (merged.inputs, merged.failures);
    console.say(&format!(
        "Added {} of {} of {}, and {} of {}\n",
        inputs.0,
        count(inputs.1, "input"),
        count(merged.suites, "suite"),
        failures.0,
        count(failures.1, "failure")
    ))
}

/// Plans the suites. Inputs can be decoded only with the functions that the suites call.
fn plan(loaded: &Loaded, console: &mut Console) -> Result<(Arc<Plan>, ProjectContext)> {
    let config = &loaded.config;
    let fork = LazyFork::new(loaded, None);
    let project = project::compile_to_run(&fork, console)?;
    // Inputs belong to whole suites, not to tests.
    let mut patterns = config.filter.clone();
    (patterns.test, patterns.no_test) = (None, None);
    let filter = Filter::new(&patterns, &config.paths.root)?;
    let suites = campaign::suites(&project, &filter, false, config.harvey.scan);
    let options = RunOptions { threads: 1, ..RunOptions::new(config.fuzz.seed.unwrap_or(U256::ZERO)) };
    project::plan(project, &fork, suites, options)
}

fn read_foreign(from: &[PathBuf], console: &mut Console) -> Result<Vec<CorpusEntry>> {
    let (mut entries, mut known) = (Vec::new(), FxHashSet::default());
    let mut files = 0;
    for path in from.iter().flat_map(|path| files_of(path)) {
        let bytes = files::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        match import::read(&bytes) {
            Ok(read) => {
                files += 1;
                entries.extend(read.into_iter().filter(|entry| known.insert(entry.clone())));
            }
            Err(why) => console.warn(&format!("ignored {}: {why}", path.display())),
        }
    }
    if entries.is_empty() {
        bail!("no sequence of Echidna, Medusa or Forge is there");
    }
    console.say(&format!("Read {} from {}\n", count(entries.len(), "sequence"), count(files, "file")))?;
    Ok(entries)
}

/// Returns the file, or all files below the directory.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(path).sort_by_file_name().into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

fn tell(done: &[Converted], verb: &str, console: &mut Console) -> Result<()> {
    for Converted { suite, before, after, stale, warnings } in done {
        warnings.iter().for_each(|warning| console.warn(warning));
        let stale = match stale {
            0 => String::new(),
            stale => format!("; {stale} call nothing that is there"),
        };
        console.say(&format!("{suite}: {after} of {} {verb}{stale}\n", count(*before, "input")))?;
    }
    if done.is_empty() {
        console.say("There are no inputs\n")?;
    }
    Ok(())
}
