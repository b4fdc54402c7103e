//! Settings of one profile in a foundry.toml and in the file that it extends.

use super::{
    ConfigError, SettingPlace, SettingSource, Warning, find_repository,
    value::{self, ConfigNode, Lists, Table, Value},
    warning::{self, STANDALONE, snake_case},
};
use crate::files::{self, read_text};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Content of a foundry.toml, merged over the file that it extends.
#[derive(Default)]
pub(super) struct ConfigFile {
    document: Table,
    /// Path of the file that it extends.
    pub(super) base: Option<PathBuf>,
    /// Warnings about unknown and deprecated names in both files.
    pub(super) warnings: Vec<Warning>,
}

impl ConfigFile {
    /// Reads a file and the file that it extends. Messages name a file by its path relative to `root` if it
    /// is below `root`.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is not TOML, or if `extends` is invalid.
    pub(super) fn read(path: &Path, root: &Path, profile: &str) -> Result<Self, ConfigError> {
        let mut document = document(path, root)?;
        let mut warnings = warning::of_file(&document);
        let mut extended = None;
        if let Some(local) = profile_of(&document, profile)
            && let Some(extends) = local.get("extends")
        {
            let extends = Extends::from_node(extends)?;
            let from = extends.file(path, root)?;
            let mut base = extends.base(path, &from, root, profile)?;
            extended = Some(from);
            warnings.extend(warning::of_file(&base));
            extends.check_collisions(local, profile_of(&base, profile))?;
            value::merge(&mut base, document.clone(), extends.lists());
            document = base;
        }
        Ok(Self { document, base: extended, warnings })
    }

    /// Returns the names of the profiles in the file.
    pub(super) fn profiles(&self) -> impl Iterator<Item = &str> {
        let profiles = self.document.get("profile").and_then(ConfigNode::as_table);
        profiles.into_iter().flat_map(|profiles| profiles.keys().map(String::as_str))
    }

    /// Returns the settings of a profile.
    ///
    /// These layers are merged, weakest first: `[profile.default]`, the sections outside of profiles, and the
    /// selected profile. If the selected profile is `default`, only the sections and this profile are merged.
    /// In old files a profile may also be a table with its bare name, such as `[default]`; it is weaker than
    /// `[profile.default]`. Outside of profiles, `[fuzz]` also provides values that `[invariant]` lacks.
    ///
    /// # Errors
    /// Fails if a profile or section is not a table.
    pub(super) fn settings(&self, profile: &str) -> Result<Table, ConfigError> {
        self.check_tables()?;
        let mut layers = Vec::new();
        if !profile.eq_ignore_ascii_case("default") {
            layers.push(self.profile("default"));
        }
        layers.push(self.sections());
        layers.push(self.profile(profile));
        let mut settings = Table::new();
        for layer in layers {
            value::merge(&mut settings, layer, Lists::Replace);
        }
        Ok(settings)
    }

    fn check_tables(&self) -> Result<(), ConfigError> {
        let profiles = self.document.get("profile");
        let inner = profiles.and_then(ConfigNode::as_table).into_iter().flatten();
        let sections = self.document.iter().filter(|(name, _)| STANDALONE.contains(&name.as_str()));
        let stray = self.document.iter().filter(|(_, node)| node.as_table().is_none());
        for (name, node) in stray.chain(sections).chain(inner) {
            if node.as_table().is_none() {
                let problem =
                    format!("found {}, expected a table such as [profile.default]", node.describe());
                return Err(ConfigError::Invalid { key: name.clone(), problem, place: node.place.clone() });
            }
        }
        Ok(())
    }

    /// Returns the settings of one profile, with old names replaced by new ones.
    fn profile(&self, profile: &str) -> Table {
        let old_notation =
            self.document.get(profile).and_then(ConfigNode::as_table).filter(|_| profile != "profile");
        let mut merged = Table::new();
        for table in [old_notation, profile_of(&self.document, profile)].into_iter().flatten() {
            let table = table.iter().map(|(key, node)| (snake_case(key), node.clone())).collect();
            value::merge(&mut merged, table, Lists::Replace);
        }
        for (old, new) in [("solc_version", "solc"), ("deny_warnings", "deny"), ("chain", "chain_id")] {
            if let Some(node) = merged.remove(old) {
                merged.entry(new.to_owned()).or_insert(node);
            }
        }
        merged
    }

    fn sections(&self) -> Table {
        let standalone = self.document.iter().filter(|(name, _)| STANDALONE.contains(&name.as_str()));
        let mut sections: Table = standalone.map(|(name, node)| (name.clone(), node.clone())).collect();
        if let Some(fuzz) = sections.get("fuzz").cloned() {
            let mut invariant = Table::from([("invariant".to_owned(), fuzz)]);
            value::merge(&mut invariant, sections, Lists::Replace);
            sections = invariant;
        }
        sections
    }
}

fn document(path: &Path, root: &Path) -> Result<Table, ConfigError> {
    let text = read_text(path).map_err(|error| ConfigError::Read { path: path.to_path_buf(), error })?;
    let name = files::shown(path, root);
    value::parse(&Arc::new(SettingSource { name, text }))
}

/// Removes the quoted line from a syntax error in a file outside of the project's repository. The author of
/// foundry.toml may have no right to read that file.
fn hide_lines(error: ConfigError, path: &Path, root: &Path) -> ConfigError {
    let repository = find_repository(root).unwrap_or(root);
    match error {
        ConfigError::Syntax { .. } if !path.starts_with(repository) => {
            ConfigError::Read { path: path.to_path_buf(), error: io::Error::other("it is not TOML") }
        }
        error => error,
    }
}

/// Returns a profile by its name, ignoring case.
fn profile_of<'a>(document: &'a Table, profile: &str) -> Option<&'a Table> {
    let profiles = document.get("profile")?.as_table()?;
    profiles.iter().find(|(name, _)| name.eq_ignore_ascii_case(profile))?.1.as_table()
}

/// Parsed value of `extends`.
struct Extends<'a> {
    path: &'a str,
    strategy: &'a str,
    place: &'a SettingPlace,
}

impl<'a> Extends<'a> {
    fn from_node(node: &'a ConfigNode) -> Result<Self, ConfigError> {
        let (path, strategy) = match &node.value {
            Value::Table(table) => (table.get("path"), table.get("strategy")),
            _ => (Some(node), None),
        };
        let place = &node.place;
        let problem = || "expected a path, or { path, strategy }".to_owned();
        let path = path.and_then(ConfigNode::as_text).ok_or_else(|| ConfigError::Invalid {
            key: "extends".to_owned(),
            problem: problem(),
            place: place.clone(),
        })?;
        let strategy = strategy.map_or(Some("extend-arrays"), ConfigNode::as_text).unwrap_or_default();
        if !["extend-arrays", "replace-arrays", "no-collision"].contains(&strategy) {
            let problem = format!(
                "unknown variant: found `{strategy}`, expected one of `extend-arrays`, `replace-arrays`, \
                 `no-collision`"
            );
            let key = "extends.strategy".to_owned();
            return Err(ConfigError::Invalid { key, problem, place: place.clone() });
        }
        Ok(Self { path, strategy, place })
    }

    fn lists(&self) -> Lists {
        if self.strategy == "extend-arrays" { Lists::Append } else { Lists::Replace }
    }

    fn error(&self, problem: String) -> ConfigError {
        ConfigError::Extends { problem, place: self.place.clone() }
    }

    /// Resolves the path of the base file.
    fn file(&self, from: &Path, root: &Path) -> Result<PathBuf, ConfigError> {
        let path = from.parent().unwrap_or(root).join(self.path);
        let why = |why| format!("Failed to resolve inherited config path: {}: {why}", self.path);
        fs::canonicalize(&path).map_err(|error| self.error(why(error)))
    }

    /// Reads the base file, which may not extend another one.
    fn base(&self, from: &Path, path: &Path, root: &Path, profile: &str) -> Result<Table, ConfigError> {
        if fs::canonicalize(from).is_ok_and(|from| from == path) {
            return Err(self.error(format!("Config file {} cannot inherit from itself.", from.display())));
        }
        let base = document(path, root).map_err(|error| hide_lines(error, path, root))?;
        if profile_of(&base, profile).is_some_and(|table| table.contains_key("extends")) {
            return Err(self.error(format!(
                "Nested inheritance is not allowed. Base file '{}' cannot have an 'extends' field in profile \
                 '{profile}'.",
                path.display()
            )));
        }
        Ok(base)
    }

    fn check_collisions(&self, local: &Table, base: Option<&Table>) -> Result<(), ConfigError> {
        if self.strategy != "no-collision" {
            return Ok(());
        }
        let keys = local.keys().map(String::as_str).filter(|key| *key != "extends");
        let both: Vec<_> = keys.filter(|key| base.is_some_and(|base| base.contains_key(*key))).collect();
        if both.is_empty() {
            return Ok(());
        }
        Err(ConfigError::Extends {
            problem: format!(
                "'{}' sets {both:?} too, and the strategy is no-collision; remove them here or there, or \
                 choose extend-arrays or replace-arrays",
                self.path
            ),
            place: self.place.clone(),
        })
    }
}
