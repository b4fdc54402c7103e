//! Settings given by command line flags.

use super::{
    SettingPlace,
    value::{self, ConfigNode, Table, Value},
};
use std::path::PathBuf;

/// Settings given on the command line. A flag that was not given does not override the layers below.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Value of `--config-path`: another foundry.toml.
    pub config_path: Option<PathBuf>,
    /// Values of `--remappings`, each `context:prefix=path`.
    pub remappings: Vec<String>,
    settings: Table,
}

impl Overrides {
    /// Sets `key` (for example `invariant.runs`) if the flag was given. `flag` is its name in messages
    /// (`--runs`).
    pub fn set<T: Into<Value>>(&mut self, key: &str, flag: &str, value: Option<T>) -> &mut Self {
        if let Some(value) = value {
            value::insert(
                &mut self.settings,
                key,
                ConfigNode::new(value, SettingPlace::Flag(flag.to_owned())),
            );
        }
        self
    }

    pub(super) fn settings(&self) -> Table {
        self.settings.clone()
    }
}
