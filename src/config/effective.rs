//! Settings in force, each with the place where it was written.

use super::{
    ConfigError, Loaded, SettingPlace,
    reference::reference,
    value::{self, Lists, Table, Value},
};
use std::fmt;

/// One setting in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Names of the sections around it, outermost first.
    pub section: Vec<String>,
    /// Name in its section.
    pub name: String,
    /// Value in force.
    pub value: serde_json::Value,
    /// Place where the value was written: `foundry.toml:3:8`, `FOUNDRY_SRC`, `--runs`, `default`.
    pub origin: String,
    /// True if the value is another one than the default.
    pub is_changed: bool,
}

impl Loaded {
    /// Returns all settings that have a value: first those of the profile itself, then those of each section.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let mut all = reference().defaults.clone();
        value::merge(&mut all, self.settings.clone(), Lists::Replace);
        let defaults = settings_in(&reference().defaults);
        let mut settings = settings_in(&all);
        for setting in &mut settings {
            let is_it =
                |default: &&Setting| (&default.section, &default.name) == (&setting.section, &setting.name);
            setting.is_changed &=
                defaults.iter().find(is_it).is_none_or(|default| default.value != setting.value);
        }
        settings
    }

    /// Returns the error for a setting whose value is invalid by rules that the configuration does not know.
    /// `key` is its dotted path.
    #[must_use]
    pub fn invalid(&self, key: &str, problem: impl fmt::Display) -> ConfigError {
        let place = value::find(&self.settings, key).map_or(SettingPlace::Default, |node| node.place.clone());
        ConfigError::Invalid { key: key.to_owned(), problem: problem.to_string(), place }
    }
}

/// Returns the settings in a table: first those of the table itself, then those of each section.
pub(super) fn settings_in(table: &Table) -> Vec<Setting> {
    let mut settings = Vec::new();
    collect(table, &mut Vec::new(), &mut settings);
    settings
}

fn collect(table: &Table, section: &mut Vec<String>, settings: &mut Vec<Setting>) {
    let is_section = |value: &Value| matches!(value, Value::Table(_));
    for (name, node) in table.iter().filter(|(_, node)| !is_section(&node.value)) {
        let is_default = node.place == SettingPlace::Default
            || matches!(&node.place, SettingPlace::File { source, .. } if source.name == "defaults.toml");
        settings.push(Setting {
            section: section.clone(),
            name: name.clone(),
            value: node.to_json(),
            origin: if is_default { "default".to_owned() } else { node.place.short() },
            is_changed: !is_default,
        });
    }
    for (name, node) in table {
        if let Value::Table(inner) = &node.value {
            section.push(name.clone());
            collect(inner, section, settings);
            section.pop();
        }
    }
}
