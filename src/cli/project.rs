//! Steps that commands share, in this order: load the configuration, compile, plan campaigns.

use super::{
    args::{GlobalArgs, TestArgs},
    compile_watch::CompileWatch,
    console::Console,
    mutant,
};
use crate::{
    campaign::{self, Plan, RunOptions},
    config::{self, Config, Environment, Finders, Loaded, Overrides},
    evm::{
        base::constants::CREATE2_DEPLOYER,
        exec::test_env::{ConfiguredFork, ProjectContext},
    },
    project::{CompileEvent, Project, ProjectError, Sink, Suite, find_forge, find_remappings},
};
use alloy_primitives::Address;
use anyhow::{Context as _, Result, anyhow};
use std::{
    cell::OnceCell,
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Reads the configuration of the project that the flags name, or of the one around the current directory, and
/// prints its warnings.
///
/// # Errors
/// When there is no project, or its configuration is wrong.
pub(super) fn load(args: &TestArgs, global: &GlobalArgs, console: &mut Console) -> Result<Loaded> {
    let root = match &args.build.project.root {
        Some(root) => root.clone(),
        None => config::find_root(&current_directory()?)?,
    };
    load_at(&root, args, &args.overrides(global), console)
}

/// Reads the configuration that the flags name, of the project around the current directory, or of this directory
/// itself. Returns true beside it if there is a project.
///
/// # Errors
/// As those of [`load`].
pub(super) fn load_anywhere(
    args: &TestArgs,
    global: &GlobalArgs,
    console: &mut Console,
) -> Result<(Loaded, bool)> {
    let current = current_directory()?;
    let found = match &args.build.project.root {
        Some(root) => root.join("foundry.toml").is_file().then(|| root.clone()),
        None => config::find_root(&current).ok(),
    };
    let mut overrides = args.overrides(global);
    overrides.needs_no_project = true;
    let is_elsewhere = overrides.config_path.is_some() || env::var_os("FOUNDRY_CONFIG").is_some();
    let is_project = found.is_some() || is_elsewhere;
    let root = found.or_else(|| args.build.project.root.clone()).unwrap_or(current);
    Ok((load_at(&root, args, &overrides, console)?, is_project))
}

fn current_directory() -> Result<PathBuf> {
    env::current_dir().context("cannot tell the current directory")
}

fn load_at(root: &Path, args: &TestArgs, overrides: &Overrides, console: &mut Console) -> Result<Loaded> {
    let finders = Finders { remappings: &find_remappings, forge: &find_forge };
    let mut loaded = config::load(root, overrides, &process_environment(), &finders)?;
    if let Some(directory) = &args.build.compilation.mutant {
        mutant::put_in_place(directory, &mut loaded.config)?;
    }
    loaded.config.rpc.cache = env::home_dir().map(|home| home.join(".foundry/cache/rpc"));
    for warning in &loaded.warnings {
        console.warn(&warning.to_string());
    }
    Ok(loaded)
}

/// Compiles the project, and prints the progress.
///
/// # Errors
/// When sources do not compile, or the progress cannot be printed.
pub(super) fn compile(config: &Config, console: &mut Console) -> Result<Arc<Project>> {
    compile_with(config, console, |print| Project::load(config, print))
}

/// The fork of the configured node, which is made when it is needed first.
pub(super) struct LazyFork<'a> {
    pub(super) loaded: &'a Loaded,
    /// Limit of the time for the answers of the node.
    budget: Option<Duration>,
    made: OnceCell<Result<Option<ConfiguredFork>, String>>,
}

impl<'a> LazyFork<'a> {
    pub(super) const fn new(loaded: &'a Loaded, budget: Option<Duration>) -> Self {
        Self { loaded, budget, made: OnceCell::new() }
    }

    fn get(&self) -> &Result<Option<ConfiguredFork>, String> {
        let Self { loaded, budget, made } = self;
        made.get_or_init(|| ConfiguredFork::new(&loaded.config, &variables(loaded), *budget))
    }

    /// Returns the fork; `None` if no node is configured.
    ///
    /// # Errors
    /// When the node does not answer.
    pub(super) fn configured(&self) -> Result<Option<&ConfiguredFork>> {
        self.get().as_ref().map(Option::as_ref).map_err(|error| anyhow!(error.clone()))
    }

    /// Tells whether libraries can be deployed through the factory at an address: the usual one, which is installed, or
    /// any account with code on the fork. A node that does not answer is an error later, when tests need it.
    fn has_factory(&self, factory: Address) -> bool {
        match self.get() {
            Ok(None) => factory == CREATE2_DEPLOYER,
            Ok(Some(fork)) => fork.has_code(factory).unwrap_or(true),
            Err(_) => true,
        }
    }
}

/// Compiles the project as [`compile`] does, for tests that run on a fork if one is configured.
///
/// # Errors
/// As those of [`compile`].
pub(super) fn compile_to_run(fork: &LazyFork<'_>, console: &mut Console) -> Result<Arc<Project>> {
    let has_code = |factory| fork.has_factory(factory);
    let config = &fork.loaded.config;
    compile_with(config, console, |print| Project::load_on(config, &has_code, print))
}

fn compile_with(
    config: &Config,
    console: &mut Console,
    load: impl FnOnce(Sink<'_>) -> Result<Project, ProjectError>,
) -> Result<Arc<Project>> {
    let mut printed = Ok(());
    let mut watch = CompileWatch::new(console.quiet || console.machine, config.compiler.via_ir);
    let mut print = |event: CompileEvent| {
        let said = watch.suspend(|| console.say(&format!("{event}\n")));
        watch.event(&event);
        if let Err(error) = said
            && printed.is_ok()
        {
            printed = Err(error);
        }
    };
    let project = load(&mut print)?;
    printed.map(|()| Arc::new(project))
}

/// Plans the campaigns of suites, and prepares their environment: variables, and the fork.
///
/// # Errors
/// When a comment with settings is wrong, or the node of the fork does not answer.
pub(super) fn plan(
    project: Arc<Project>,
    fork: &LazyFork<'_>,
    suites: Vec<Suite>,
    options: RunOptions,
) -> Result<(Arc<Plan>, ProjectContext)> {
    let loaded = fork.loaded;
    let plan = Arc::new(campaign::plan(&project, loaded, suites, options)?);
    let fork = fork.get().clone().map_err(|error| anyhow!(error))?;
    let context = ProjectContext::new(project, variables(loaded), plan.options.seed).on(fork);
    Ok((plan, context))
}

/// Returns the number of threads that is configured, or one for each core.
pub(super) fn threads(config: &Config) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    config.threads.filter(|threads| *threads > 0).map_or_else(cores, |threads| threads.min(MOST_THREADS))
}

/// Most threads that search.
const MOST_THREADS: usize = 1024;

/// Returns the variables that cheatcodes read: those of the process, and those of `.env` that it does not set.
fn variables(loaded: &Loaded) -> Environment {
    let mut variables: Environment = loaded.dotenv.iter().cloned().collect();
    variables.extend(process_environment());
    variables
}

/// Returns the environment of this process, without variables that are not Unicode.
fn process_environment() -> Environment {
    let variables = env::vars_os();
    variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
