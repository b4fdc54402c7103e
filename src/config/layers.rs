//! The layers that settings come from, in order.

use super::{
    ConfigError, Overrides, SettingPlace, Warning, environment,
    file::ConfigFile,
    load::Environment,
    reference::reference,
    value::{self, ConfigNode, Lists, Table, Value},
};
use std::path::{Path, PathBuf};

/// All layers merged.
pub(super) struct Layers {
    /// Every setting, sections as tables.
    pub(super) settings: Table,
    /// The profile that holds: the selected one, or `default` where it does not exist.
    pub(super) profile: String,
    /// All profiles, as Forge lists them.
    pub(super) profiles: Vec<String>,
    /// Files that were read, and those that they extend.
    pub(super) files: Vec<PathBuf>,
    /// What was unknown or deprecated.
    pub(super) warnings: Vec<Warning>,
}

impl Layers {
    /// Reads and merges everything that holds for the project in `root`, whether it has a foundry.toml or not.
    ///
    /// # Errors
    /// When a file cannot be read or is malformed, or an old variable has a bad value.
    pub(super) fn read(root: &Path, overrides: &Overrides, env: &Environment) -> Result<Self, ConfigError> {
        let selected = env.get("FOUNDRY_PROFILE").map_or("default", String::as_str);
        let mut warnings = Vec::new();
        let mut layers = vec![found_on_disk(root)];
        let (mut profiles, mut files) = (Vec::new(), Vec::new());
        for path in [user_file(env), project_file(root, overrides, env)?].into_iter().flatten() {
            let file = ConfigFile::read(&path, root, selected)?;
            layers.push(file.settings(selected)?);
            profiles.extend(file.profiles().map(str::to_owned));
            warnings.extend(file.warnings);
            files.extend(file.base);
            files.push(path);
        }
        let (variables, misspelled) = environment::settings(env)?;
        warnings.extend(misspelled);
        layers.extend([variables, overrides.settings()]);

        profiles.sort();
        profiles.dedup();
        if !profiles.iter().any(|profile| profile == "default") {
            profiles.push("default".to_owned());
        }
        let existing = profiles.iter().find(|profile| profile.eq_ignore_ascii_case(selected));
        let profile = existing.cloned().unwrap_or_else(|| {
            warnings.push(Warning::MissingProfile { name: selected.to_owned() });
            "default".to_owned()
        });
        let mut settings = reference().defaults.clone();
        layers.into_iter().for_each(|layer| value::merge(&mut settings, layer, Lists::Replace));
        Ok(Self { settings, profile, profiles, files, warnings })
    }
}

/// `~/.foundry/foundry.toml`, if it exists.
fn user_file(env: &Environment) -> Option<PathBuf> {
    let path = Path::new(env.get("HOME")?).join(".foundry/foundry.toml");
    path.is_file().then_some(path)
}

/// The project's foundry.toml, if it exists, or the file that stands in for it.
fn project_file(
    root: &Path,
    overrides: &Overrides,
    env: &Environment,
) -> Result<Option<PathBuf>, ConfigError> {
    let flag = overrides.config_path.clone().map(|path| (path, "--config-path"));
    let variable = env.get("FOUNDRY_CONFIG").map(|path| (PathBuf::from(path), "FOUNDRY_CONFIG"));
    match flag.or(variable) {
        Some((path, _)) if path.is_file() => Ok(Some(path)),
        Some((path, by)) => Err(ConfigError::MissingFile { path, by: by.to_owned() }),
        None => Ok(Some(root.join("foundry.toml")).filter(|path| path.is_file())),
    }
}

/// Directories that projects of other tools have: `contracts` for `src`, `artifacts` for `out`, `node_modules`.
fn found_on_disk(root: &Path) -> Table {
    let has = |name: &str| root.join(name).exists();
    let either = |usual, other| if !has(usual) && has(other) { other } else { usual };
    let libs: &[&str] = match (has("lib"), has("node_modules")) {
        (true, true) => &["lib", "node_modules"],
        (false, true) => &["node_modules"],
        _ => &["lib"],
    };
    let libs = libs.iter().map(|lib| ConfigNode::new(*lib, SettingPlace::Default)).collect();
    let node = |value: Value| ConfigNode::new(value, SettingPlace::Default);
    Table::from([
        ("src".to_owned(), node(either("src", "contracts").into())),
        ("out".to_owned(), node(either("out", "artifacts").into())),
        ("libs".to_owned(), node(Value::List(libs))),
    ])
}
