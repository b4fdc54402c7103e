//! Settings given by command line flags.

use super::{
    Setting, SettingPlace, effective,
    value::{self, ConfigNode, Table, Value},
};
use std::path::PathBuf;

/// Settings given on the command line. A flag that was not given does not override the layers below.
///
/// Every value is set with the name of its flag as the user types it (`--use`), which is the place that messages
/// about the value name.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Value of `--config-path`: another foundry.toml.
    pub config_path: Option<PathBuf>,
    /// Values of `--remappings`, each `context:prefix=path`.
    pub remappings: Vec<String>,
    /// Value of `--remappings-env`: an environment variable with further remappings.
    pub remappings_variable: Option<String>,
    /// Value of `--profile`: the profile, in place of `FOUNDRY_PROFILE`.
    pub profile: Option<String>,
    table: Table,
    /// True if the root need not have a foundry.toml.
    pub needs_no_project: bool,
}

impl Overrides {
    /// Sets `key` (for example `invariant.runs`) if the flag (`--runs`) was given.
    pub fn set<T: Into<Value>>(&mut self, key: &str, flag: &str, value: Option<T>) -> &mut Self {
        if let Some(value) = value {
            let place = SettingPlace::Flag(flag.to_owned());
            value::insert(&mut self.table, key, ConfigNode::new(value, place));
        }
        self
    }

    /// Sets `key` to true if the flag was given.
    pub fn switch(&mut self, key: &str, flag: &str, given: bool) -> &mut Self {
        self.set(key, flag, given.then_some(true))
    }

    /// Sets `key` to a list if the flag was given at least once.
    pub fn list<T: Into<Value>>(
        &mut self,
        key: &str,
        flag: &str,
        values: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let node = |value| ConfigNode::new(value, SettingPlace::Flag(flag.to_owned()));
        let nodes: Vec<_> = values.into_iter().map(node).collect();
        self.set(key, flag, (!nodes.is_empty()).then_some(Value::List(nodes)))
    }

    /// Returns the settings that flags set, with the flags as their origins.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        effective::settings_in(&self.table)
    }

    pub(super) fn table(&self) -> Table {
        self.table.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::config::scratch::Scratch;

    #[test]
    fn an_error_about_an_item_of_a_list_names_the_flag() {
        let mut scratch = Scratch::new(&[("foundry.toml", "")]);
        scratch.overrides.list("harvey.without", "--without", ["nothing"]);
        let error = scratch.load().unwrap_err().to_string();
        assert!(error.ends_with(" for setting `harvey.without.0`\n  --> flag --without"), "{error}");
    }
}
