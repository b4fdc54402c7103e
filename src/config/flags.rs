//! Settings from command line flags.

use super::{
    SettingPlace,
    value::{self, ConfigNode, Table, Value},
};
use std::path::PathBuf;

/// What the user set on the command line, and nothing else: a flag that was not given leaves the layers below alone.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config-path`: another foundry.toml.
    pub config_path: Option<PathBuf>,
    /// `--remappings`, each `context:prefix=path`.
    pub remappings: Vec<String>,
    settings: Table,
}

impl Overrides {
    /// Sets `key` (`invariant.runs`) if the flag was given; `flag` is how messages call it (`--runs`).
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
