//! Loading the configuration of a project.

use super::{
    CheatsConfig, Config, ConfigError, CorpusConfig, EnvConfig, InlineError, InlineItem, Overrides, Warning,
    inline, layers::Layers, remappings, resolve, value::Table, warning,
};
use crate::files::read;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Environment variables. They are always handed in, so that loading has no input but files.
pub type Environment = BTreeMap<String, String>;

/// A configuration and what belongs to it.
#[derive(Debug)]
pub struct Loaded {
    /// What holds for every test that says nothing else.
    pub config: Config,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// Variables of `.env` that the environment does not have itself; cheatcodes see them.
    pub dotenv: Vec<(String, String)>,
    /// All profiles of the project, as Forge lists them.
    pub profiles: Vec<String>,
    pub(super) settings: Table,
}

/// Loads the configuration of the project in `root`.
///
/// `auto` finds remappings in a directory of dependencies, absolute, as `prefix=path`
/// (`foundry_compilers::artifacts::remappings::Remapping::find_many`). `.env` in the root is read first and fills in
/// variables that `env` lacks; the environment of this process is not changed.
///
/// # Errors
/// When there is no foundry.toml, a file cannot be read or is malformed, or a value does not fit its setting.
pub fn load(
    root: &Path,
    overrides: &Overrides,
    env: &Environment,
    auto: &dyn Fn(&Path) -> Vec<String>,
) -> Result<Loaded, ConfigError> {
    let root =
        &fs::canonicalize(root).map_err(|error| ConfigError::Read { path: root.to_path_buf(), error })?;
    let (dotenv, mut warnings) = dotenv(root, env);
    let env: Environment = env.clone().into_iter().chain(dotenv.iter().cloned()).collect();
    let elsewhere = overrides.config_path.is_some() || env.contains_key("FOUNDRY_CONFIG");
    if !elsewhere && !root.join("foundry.toml").is_file() {
        return Err(ConfigError::NoProject { root: root.clone() });
    }
    let Layers { settings, profile, profiles, files, warnings: found } = Layers::read(root, overrides, &env)?;
    let remappings = remappings::resolve(root, &settings, overrides, &env, auto)?;
    let mut config = resolve::config(root, &profile, &settings, remappings)?;
    config.cheats.settings =
        ["foundry.toml", ".env"].map(|name| root.join(name)).into_iter().chain(files).collect();
    warnings.extend(found);
    warnings.extend(warning::not_honoured(&settings));
    Ok(Loaded { config, warnings, dotenv, profiles, settings })
}

impl Loaded {
    /// The configuration of a test with `forge-config:` comments: those of the contract first, then those of the
    /// function, which beat them. Comments for the selected profile beat those for `default`, and all comments beat
    /// flags. Unknown names are ignored, as Forge does.
    ///
    /// # Errors
    /// When a comment names no profile, or a value does not fit its setting.
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

    /// Most of the environment and a few rights of cheatcodes are the project's, whatever a comment says: Forge
    /// accepts such comments and does nothing. What is outside of the project is reached by no comment, other than in
    /// Forge: it is part of the code that is tested.
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
            env: EnvConfig {
                sender: commented.env.sender,
                evm_version: commented.env.evm_version.clone(),
                ..env
            },
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
        config.harvey.call_timeout = harvey.call_timeout;
        config.fuzz.failure_persist_dir = either(config.fuzz.failure_persist_dir, fuzz.failure_persist_dir);
        config.fuzz.corpus = corpus(config.fuzz.corpus, fuzz.corpus);
        let persisted = config.invariant.failure_persist_dir;
        config.invariant.failure_persist_dir = either(persisted, invariant.failure_persist_dir);
        config.invariant.corpus = corpus(config.invariant.corpus, invariant.corpus);
        Config { paths, rpc, ..config }
    }

    /// Whether a comment names profiles that exist. Forge asks this of every comment in the project before any test
    /// runs.
    ///
    /// # Errors
    /// When it names one that does not.
    pub fn check_inline(&self, item: &InlineItem) -> Result<(), InlineError> {
        item.check_profiles(&self.profiles)
    }
}

/// Bytes of a variable in `.env`, with what it takes from others.
const LONGEST_VALUE: usize = 1 << 20;

/// Variables in `.env`. After a line that makes no sense the rest is not read, as in Forge, but we say so.
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
            // Each may hold those before it twice.
            Ok((name, value)) if value.len() > LONGEST_VALUE => {
                let problem = format!("{name} has more than {} KiB", LONGEST_VALUE >> 10);
                warnings.push(Warning::Dotenv { problem });
                break;
            }
            Ok((name, _)) if env.contains_key(&name) || pairs.iter().any(|(known, _)| *known == name) => {}
            Ok(pair) => pairs.push(pair),
            Err(_) => {
                // The error quotes the line, which may hold a secret.
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
#[path = "load_tests.rs"]
pub(super) mod tests;
