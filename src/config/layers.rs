//! Merging of the layers that settings come from.

use super::{
    ConfigError, ForgeChoice, InstalledForge, Overrides, SettingPlace, Warning, environment,
    file::ConfigFile,
    load::Environment,
    reference::reference,
    value::{self, ConfigNode, Lists, Table, Value},
};
use std::path::{Path, PathBuf};

/// Result of merging all layers.
pub(super) struct Layers {
    /// All settings; sections are nested tables.
    pub(super) settings: Table,
    /// Version of Forge whose defaults and behaviour apply.
    pub(super) forge: ForgeChoice,
    /// Name of the profile in force: the selected one, or `default` if that does not exist.
    pub(super) profile: String,
    /// Names of all profiles, as Forge lists them.
    pub(super) profiles: Vec<String>,
    /// Files that were read, including those that they extend.
    pub(super) files: Vec<PathBuf>,
    /// Warnings about unknown and deprecated names.
    pub(super) warnings: Vec<Warning>,
}

impl Layers {
    /// Reads and merges all layers for the project in `root`, which may have no foundry.toml. `installed` finds the
    /// user's `forge`.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is malformed, or if a dapptools variable has an invalid value.
    pub(super) fn read(
        root: &Path,
        overrides: &Overrides,
        env: &Environment,
        installed: &dyn Fn() -> Option<InstalledForge>,
    ) -> Result<Self, ConfigError> {
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
        layers.extend([variables, overrides.table()]);
        let forge = ForgeChoice::new(&layers, installed)?;

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
        value::merge(&mut settings, forge.version.defaults(), Lists::Replace);
        layers.into_iter().for_each(|layer| value::merge(&mut settings, layer, Lists::Replace));
        Ok(Self { settings, forge, profile, profiles, files, warnings })
    }
}

/// Returns the path of `~/.foundry/foundry.toml`, if it exists.
fn user_file(env: &Environment) -> Option<PathBuf> {
    let path = Path::new(env.get("HOME")?).join(".foundry/foundry.toml");
    path.is_file().then_some(path)
}

/// Returns the path of the project's foundry.toml, or of the file that a flag or variable names in its place.
///
/// # Errors
/// Fails if a flag or variable names a file that does not exist.
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

/// Returns `src`, `out` and `libs` as detected on disk. Projects of other tools have `contracts` instead of
/// `src`, `artifacts` instead of `out`, and `node_modules` instead of or besides `lib`.
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
