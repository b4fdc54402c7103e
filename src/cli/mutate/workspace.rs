//! Directory of a worker, in which the runs of its mutants write.

use crate::{
    campaign::{
        Plan, RunOptions, StoredInputs,
        store::corpus::{CorpusEntry, CorpusStore, Covered},
    },
    cli::{
        mutant,
        project::{self, LazyFork},
    },
    config::Loaded,
    evm::exec::test_env::ProjectContext,
    model::Mutant,
    project::{Contract, Project, ProjectError, SourceVariants, Suite},
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result};
use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Directory of a worker. It is removed in the end.
pub(super) struct Workspace {
    /// Configuration whose outputs go to this directory.
    loaded: Loaded,
    directory: PathBuf,
}

impl Workspace {
    /// Makes the directory.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub(super) fn new(directory: PathBuf, build: &Loaded) -> Result<Self> {
        let mut own = build.clone();
        fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
        own.config.move_outputs(&directory);
        Ok(Self { loaded: own, directory })
    }

    /// Returns the texts of mutants of one source, which are compiled together, without code that is not needed.
    pub(super) fn variants<'a>(
        &self,
        mutants: impl Iterator<Item = &'a Mutant>,
        unneeded: BTreeSet<PathBuf>,
    ) -> SourceVariants {
        // What cannot be read or has changed is reported when it is compiled.
        let sources = mutants.filter_map(|mutant| mutant::source(mutant, &self.loaded.config).ok());
        let (mut paths, texts): (Vec<PathBuf>, Vec<String>) = sources.unzip();
        SourceVariants::new(paths.pop().unwrap_or_default(), texts).without(unneeded)
    }

    /// Compiles a mutant, one of `variants`. Contracts that were not compiled are those of the original. The inner
    /// error is that of the compiler. What runs of other mutants have written is removed.
    ///
    /// # Errors
    /// When the mutant cannot be compiled for another reason than its text.
    pub(super) fn compile(
        &mut self,
        mutant: &Mutant,
        variants: &SourceVariants,
        original: &Project,
    ) -> Result<Result<Project, String>> {
        let config = &mut self.loaded.config;
        remove(&config.paths.corpus)?;
        remove(&config.invariant.failure_persist_dir)?;
        mutant::replace_source(mutant, config)?;
        match Project::load_variant(config, variants) {
            Ok(mut project) => {
                if !variants.is_whole() {
                    project.add(missing(&project, original));
                }
                Ok(Ok(project))
            }
            Err(ProjectError::Diagnostics { text, .. }) => Ok(Err(first_error(&text))),
            Err(error) => Err(error.into()),
        }
    }

    /// Plans campaigns that end after a time.
    pub(super) fn plan(
        &self,
        project: &Arc<Project>,
        suites: Vec<Suite>,
        budget: Option<Duration>,
        fail_fast: bool,
    ) -> Result<(Arc<Plan>, ProjectContext)> {
        let fork = LazyFork::new(&self.loaded, budget);
        let seed = self.loaded.config.fuzz.seed.unwrap_or(U256::ZERO);
        // The first failure decides, in any form.
        let options = RunOptions { fail_fast, shrinks: false, budget, ..RunOptions::new(seed) };
        project::plan(project.clone(), &fork, suites, options)
    }

    /// Stores the seeds of a search.
    pub(super) fn store_seeds(&self, seeds: &StoredInputs) -> Result<()> {
        let corpus = &self.loaded.config.paths.corpus;
        for (suite, entries) in seeds {
            CorpusStore::new(corpus, suite).write(entries, Covered::default())?;
        }
        Ok(())
    }

    /// Returns the inputs that a search has stored, without those that are known.
    pub(super) fn found_inputs(&self, plan: &Plan, known: &StoredInputs) -> StoredInputs {
        let found = plan.suites.iter().map(|suite| {
            let id = suite.suite.id();
            let known: HashSet<&CorpusEntry> = known.get(id).into_iter().flatten().collect();
            let stored = CorpusStore::new(&self.loaded.config.paths.corpus, id).read().entries;
            (id.clone(), stored.into_iter().filter(|entry| !known.contains(entry)).collect())
        });
        found.collect()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // What stays behind is removed by the next run.
        _ = fs::remove_dir_all(&self.directory);
    }
}

/// Removes a directory, if it exists.
pub(super) fn remove(directory: &Path) -> Result<()> {
    match directory.exists() {
        true => {
            fs::remove_dir_all(directory).with_context(|| format!("cannot remove {}", directory.display()))
        }
        false => Ok(()),
    }
}

/// Returns the contracts of the original that a project has not.
fn missing(project: &Project, original: &Project) -> Vec<Arc<Contract>> {
    let known: HashSet<_> = project.contracts().iter().map(|contract| &contract.id).collect();
    original.contracts().iter().filter(|contract| !known.contains(&contract.id)).cloned().collect()
}

/// Returns the first line of a compiler's errors.
fn first_error(text: &str) -> String {
    let is_error = |line: &&str| line.starts_with("Error") || line.contains("Error (");
    text.lines().find(is_error).or_else(|| text.lines().next()).unwrap_or_default().to_owned()
}
