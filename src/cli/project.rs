//! Steps that commands share, in this order: load the configuration, compile, plan campaigns.

use super::{
    args::{GlobalArgs, TestArgs},
    console::Console,
};
use crate::{
    campaign::{self, Plan, RunOptions},
    config::{self, Config, Environment, Finders, Loaded},
    evm::exec::test_env::{ProjectContext, has_factory},
    project::{CompileEvent, Project, ProjectError, Sink, Suite, find_forge, find_remappings},
};
use anyhow::{Context as _, Result, anyhow};
use std::{env, sync::Arc, time::Duration};

/// Reads the configuration of the project that the flags name, or of the one around the current directory, and
/// prints its warnings.
///
/// # Errors
/// When there is no project, or its configuration is wrong.
pub(super) fn load(args: &TestArgs, global: &GlobalArgs, console: &mut Console) -> Result<Loaded> {
    let root = match &args.build.project.root {
        Some(root) => root.clone(),
        None => config::find_root(&env::current_dir().context("cannot tell the current directory")?)?,
    };
    let finders = Finders { remappings: &find_remappings, forge: &find_forge };
    let mut loaded = config::load(&root, &args.overrides(global), &process_environment(), &finders)?;
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
    compile_with(console, |print| Project::load(config, print))
}

/// Compiles the project as [`compile`] does, for tests that run on the configured chain. `budget` limits the time for
/// the answers of the chain's node.
///
/// # Errors
/// As those of [`compile`].
pub(super) fn compile_to_run(
    loaded: &Loaded,
    budget: Option<Duration>,
    console: &mut Console,
) -> Result<Arc<Project>> {
    let config = &loaded.config;
    // A node that does not answer is an error when the chain is forked.
    let has_code = |factory| has_factory(config, &variables(loaded), budget, factory).unwrap_or(true);
    compile_with(console, |print| Project::load_on(config, &has_code, print))
}

fn compile_with(
    console: &mut Console,
    load: impl FnOnce(Sink<'_>) -> Result<Project, ProjectError>,
) -> Result<Arc<Project>> {
    let mut printed = Ok(());
    let mut print = |event: CompileEvent| {
        if let Err(error) = console.say(&format!("{event}\n"))
            && printed.is_ok()
        {
            printed = Err(error);
        }
    };
    let project = load(&mut print)?;
    printed.map(|()| Arc::new(project))
}

/// Plans the campaigns of suites, and prepares their environment: variables, and the fork if one is configured.
///
/// # Errors
/// When a comment with settings is wrong, or the node of the fork does not answer.
pub(super) fn plan(
    project: Arc<Project>,
    loaded: &Loaded,
    suites: Vec<Suite>,
    options: RunOptions,
) -> Result<(Arc<Plan>, ProjectContext)> {
    let plan = Arc::new(campaign::plan(&project, loaded, suites, options)?);
    let mut context = ProjectContext::new(project, variables(loaded), plan.options.seed);
    context.fork(&loaded.config, plan.options.budget).map_err(|error| anyhow!(error))?;
    Ok((plan, context))
}

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
