//! Loading the configuration of a project.

use super::{
    CheatsConfig, Config, ConfigError, CorpusConfig, EnvConfig, ForgeChoice, HarveyConfig, InlineError,
    InlineItem, InstalledForge, Overrides, Warning, inline, layers::Layers, reference::reference, remappings,
    resolve, value::Table, warning,
};
use crate::files::read;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Environment variables by name. They are always passed as an argument, so that loading depends on these and
/// on files only.
pub type Environment = BTreeMap<String, String>;

/// Configuration of a project, with warnings and the data that inline comments need.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Configuration of every test without inline comments.
    pub config: Config,
    /// Version of Forge that is followed.
    pub forge: ForgeChoice,
    /// Warnings for the user.
    pub warnings: Vec<Warning>,
    /// Variables in `.env` that are not set in the environment; cheatcodes can read them.
    pub dotenv: Vec<(String, String)>,
    /// Names of all profiles of the project, as Forge lists them.
    pub profiles: Vec<String>,
    pub(super) settings: Table,
}

/// Functions that find what the configuration depends on.
pub struct Finders<'a> {
    /// Finds remappings in a directory of dependencies and returns them as `prefix=path` with absolute paths
    /// (`foundry_compilers::artifacts::remappings::Remapping::find_many`).
    pub remappings: &'a dyn Fn(&Path) -> Vec<String>,
    /// Finds the user's `forge`. It is called only if no setting says which version to follow.
    pub forge: &'a dyn Fn() -> Option<InstalledForge>,
}

/// Loads the configuration of the project in `root`.
///
/// The file `.env` in the root is read first, and provides variables that `env` lacks. The environment of this
/// process is not changed.
///
/// # Errors
/// Fails if there is no foundry.toml, if a file cannot be read or is malformed, or if a value does not fit
/// its setting.
pub fn load(
    root: &Path,
    overrides: &Overrides,
    env: &Environment,
    finders: &Finders<'_>,
) -> Result<Loaded, ConfigError> {
    let root =
        &fs::canonicalize(root).map_err(|error| ConfigError::Read { path: root.to_path_buf(), error })?;
    let (dotenv, mut warnings) = dotenv(root, env);
    let mut env: Environment = env.clone().into_iter().chain(dotenv.iter().cloned()).collect();
    if let Some(profile) = &overrides.profile {
        env.insert("FOUNDRY_PROFILE".to_owned(), profile.clone());
    }
    let elsewhere = overrides.config_path.is_some() || env.contains_key("FOUNDRY_CONFIG");
    if !elsewhere && !overrides.needs_no_project && !root.join("foundry.toml").is_file() {
        return Err(ConfigError::NoProject { root: root.clone() });
    }
    let layers = Layers::read(root, overrides, &env, finders.forge)?;
    let Layers { settings, forge, profile, profiles, files, warnings: of_layers } = layers;
    let remappings = remappings::resolve(root, &settings, overrides, &env, finders.remappings)?;
    let mut config = resolve::config(root, &profile, &settings, remappings)?;
    config.cheats.settings =
        ["foundry.toml", ".env"].map(|name| root.join(name)).into_iter().chain(files).collect();
    warnings.extend(of_layers);
    warnings.extend(warning::not_honoured(&settings));
    Ok(Loaded { config, forge, warnings, dotenv, profiles, settings })
}

impl Config {
    /// Returns the configuration of a project in `root` that sets nothing. It depends on `defaults.toml` only,
    /// not on files of the project or the user, nor on the environment.
    #[must_use]
    pub fn defaults(root: &Path) -> Self {
        resolve::config(root, "default", &reference().defaults, Vec::new())
            .expect("the embedded defaults fit their settings")
    }

    /// Lets what a run keeps go to a directory: corpora and failures. Comments in the sources cannot change that.
    pub fn move_outputs(&mut self, directory: &Path) {
        let paths = &mut self.paths;
        let cache = directory.join("cache");
        paths.corpus = cache.join("harvey");
        paths.moved = Some(directory.to_owned());
        self.test_failures_file = cache.join("test-failures");
        let failures = cache.join("forge");
        (self.invariant.failure_persist_dir, self.invariant.corpus) = (failures.clone(), None);
        (self.fuzz.failure_persist_dir, self.fuzz.corpus) = (failures, None);
    }
}

impl Loaded {
    /// Returns the configuration of a test with `forge-config:` comments. `items` holds those of the contract
    /// first, then those of the function, which have precedence. Comments for the selected profile have
    /// precedence over those for `default`, and all comments have precedence over flags. Unknown names are
    /// ignored, as in Forge.
    ///
    /// # Errors
    /// Fails if a comment names no known profile, or if a value does not fit its setting.
    pub fn with_inline(&self, items: &[&InlineItem]) -> Result<Config, InlineError> {
        items.iter().try_for_each(|item| self.check_inline(item))?;
        if items.is_empty() {
            return Ok(self.config.clone());
        }
        let Config { profile, paths, .. } = &self.config;
        let settings = inline::overlay(&self.settings, items, profile);
        resolve::config(&paths.root, profile, &settings, paths.remappings.clone())
            .map(|config| self.as_forge_applies(config))
            .map_err(|error| inline::explain(error, items, profile))
    }

    /// Restores the settings that comments cannot change. As in Forge, these are most of the environment and
    /// some permissions of cheatcodes. Unlike in Forge, comments cannot name paths outside of the project
    /// either, because comments are part of the code under test and are not trusted.
    fn as_forge_applies(&self, commented: Config) -> Config {
        let Config { env, cheats: own, paths, rpc, harvey, fuzz, invariant, .. } = self.config.clone();
        let inside = |path: &Path| {
            path.starts_with(&paths.root) && !path.components().any(|part| part == Component::ParentDir)
        };
        let either = |commented: PathBuf, own| if inside(&commented) { commented } else { own };
        let corpus = |commented: Option<CorpusConfig>, own| match commented {
            Some(commented) if inside(&commented.dir) => Some(commented),
            Some(_) => own,
            None => None,
        };
        let mut config = Config {
            env: EnvConfig { sender: commented.env.sender, evm_version: commented.env.evm_version, ..env },
            ..commented
        };
        config.cheats.fs_permissions.retain(|rule| own.fs_permissions.contains(rule) || inside(&rule.1));
        config.cheats = CheatsConfig {
            ffi: own.ffi,
            labels: own.labels,
            always_use_create_2_factory: own.always_use_create_2_factory,
            unchecked_artifacts: own.unchecked_artifacts,
            artifacts: own.artifacts,
            bindings: own.bindings,
            broadcast: own.broadcast,
            settings: own.settings,
            snapshots: own.snapshots,
            ..config.cheats
        };
        if own.read_only {
            config.cheats.forbid_writing();
        }
        config.harvey = HarveyConfig {
            call_timeout: harvey.call_timeout,
            forge: harvey.forge,
            solver: harvey.solver,
            solver_timeout: harvey.solver_timeout,
            solver_share: harvey.solver_share,
            ..config.harvey
        };
        config.fuzz.failure_persist_dir = either(config.fuzz.failure_persist_dir, fuzz.failure_persist_dir);
        config.fuzz.corpus = corpus(config.fuzz.corpus, fuzz.corpus);
        let persisted = config.invariant.failure_persist_dir;
        config.invariant.failure_persist_dir = either(persisted, invariant.failure_persist_dir);
        config.invariant.corpus = corpus(config.invariant.corpus, invariant.corpus);
        let moved = paths.moved.clone();
        let mut config = Config { paths, rpc, ..config };
        if let Some(directory) = moved {
            config.move_outputs(&directory);
        }
        config
    }

    /// Checks that a comment names existing profiles only. Forge checks every comment in the project before
    /// any test runs.
    ///
    /// # Errors
    /// Fails if the comment names a profile that does not exist.
    pub fn check_inline(&self, item: &InlineItem) -> Result<(), InlineError> {
        item.check_profiles(&self.profiles)
    }
}

/// Largest size in bytes of a variable in `.env`, after references to other variables are expanded.
const LONGEST_VALUE: usize = 1 << 20;

/// Reads the variables in `.env`. As in Forge, reading stops at a malformed line; a warning reports it here.
fn dotenv(root: &Path, env: &Environment) -> (Vec<(String, String)>, Vec<Warning>) {
    let (mut pairs, mut warnings) = (Vec::<(String, String)>::new(), Vec::new());
    let path = root.join(".env");
    let text = match read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (pairs, warnings),
        Err(error) => {
            warnings.push(Warning::Dotenv { problem: format!("it cannot be read: {error}") });
            return (pairs, warnings);
        }
    };
    for line in dotenvy::from_read_iter(&*text) {
        match line {
            // A value may contain the previous one twice, so that sizes can double with each line.
            Ok((name, value)) if value.len() > LONGEST_VALUE => {
                let problem = format!("{name} has more than {} KiB", LONGEST_VALUE >> 10);
                warnings.push(Warning::Dotenv { problem });
                break;
            }
            Ok((name, _)) if env.contains_key(&name) || pairs.iter().any(|(known, _)| *known == name) => {}
            Ok(pair) => pairs.push(pair),
            Err(_) => {
                // The error is not shown, because it quotes the line, which may contain a secret.
                let last =
                    pairs.last().map_or("at its first line".to_owned(), |(name, _)| format!("after {name}"));
                warnings.push(Warning::Dotenv {
                    problem: format!("a line {last} is not of the form NAME=value"),
                });
                break;
            }
        }
    }
    (pairs, warnings)
}

#[cfg(test)]
mod tests;
