//! The realistic suites, ready to be measured.

#![allow(dead_code, clippy::print_stderr, reason = "each benchmark uses its part, and tells of compiling")]

use alloy_primitives::U256;
use forge_harvey::{
    campaign::{self, Plan, RunOptions, SequenceObserver},
    config::{self, Filter, Loaded, Scan},
    evm::exec::test_env::{ProjectContext, TestEnv},
    project::{self, Project},
};
use std::{error::Error, path::Path, sync::Arc};
use tempfile::TempDir;

/// Where they are.
pub(crate) const SUITES: &str = "testdata/suites/";
/// Seed of all campaigns.
pub(crate) const SEED: U256 = U256::from_limbs([7, 0, 0, 0]);

/// The repository's project.
pub(crate) struct Suites {
    pub(crate) loaded: Loaded,
    pub(crate) project: Arc<Project>,
    /// Where campaigns leave their failures; gone at the end.
    _scratch: TempDir,
}

impl Suites {
    /// Compiles the project for campaigns of so many calls, in runs of `depth`.
    pub(crate) fn load(calls: u32, depth: u32) -> Result<Self, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let finders = config::Finders { remappings: &project::find_remappings, forge: &|| None };
        let mut loaded = config::load(root, &Default::default(), &Default::default(), &finders)?;
        loaded.config.cheats.isolate = false;
        loaded.config.invariant.runs = calls / depth;
        loaded.config.invariant.depth = depth;
        loaded.config.invariant.shrink_run_limit = 0;
        let scratch = tempfile::tempdir()?;
        loaded.config.invariant.failure_persist_dir = scratch.path().to_owned();
        let project = Arc::new(Project::load(&loaded.config, &mut |event| eprintln!("{event}"))?);
        loaded.config.paths.cache = scratch.path().to_owned();
        Ok(Self { loaded, project, _scratch: scratch })
    }

    /// The plan of one suite, on one thread.
    pub(crate) fn plan(
        &self,
        contract: &str,
        observer: Option<SequenceObserver>,
    ) -> Result<Plan, Box<dyn Error>> {
        let mut patterns = self.loaded.config.filter.clone();
        patterns.contract = Some(format!("^{contract}$"));
        patterns.path = Some(format!("{SUITES}**"));
        let filter = Filter::new(&patterns, &self.loaded.config.paths.root)?;
        let options = RunOptions { observer, ..RunOptions::new(SEED) };
        let suites = campaign::suites(&self.project, &filter, false, Scan::None);
        Ok(campaign::plan(&self.project, &self.loaded, suites, options)?)
    }

    pub(crate) fn context(&self) -> ProjectContext {
        ProjectContext::new(self.project.clone(), Default::default(), SEED)
    }

    /// A suite after `setUp`.
    pub(crate) fn test_env(&self, contract: &str) -> Result<Arc<TestEnv>, Box<dyn Error>> {
        let plan = self.plan(contract, None)?;
        let suite = plan.suites.first().ok_or("no such suite")?;
        let test_env = TestEnv::build(&self.context(), &suite.config, &suite.suite);
        Ok(Arc::new(test_env.map_err(|failure| failure.reason)?))
    }
}
