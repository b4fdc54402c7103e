//! What can be wrong with a configuration.

use super::SettingPlace;
use std::{io, path::PathBuf};

/// Why there is no configuration. Messages end without a newline and show the place.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// There is no foundry.toml here.
    #[error(
        "no foundry.toml in {} or above it; run in a Foundry project, name one with --root, or start one with `forge init`",
        root.display()
    )]
    NoProject {
        /// Where we looked.
        root: PathBuf,
    },
    /// `FOUNDRY_CONFIG` or `--config-path` names a file that does not exist.
    #[error("config file `{}` set by {by} does not exist", path.display())]
    MissingFile {
        /// The file.
        path: PathBuf,
        /// Who named it.
        by: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not TOML.
    #[error("malformed TOML: {message}\n{place}")]
    Syntax {
        /// What the parser says.
        message: String,
        /// Where.
        place: SettingPlace,
    },
    /// A value does not fit its setting.
    #[error("{problem} for setting `{key}`\n{place}")]
    Invalid {
        /// The setting, `invariant.runs`.
        key: String,
        /// What was found and what is expected, in Forge's words.
        problem: String,
        /// Where.
        place: SettingPlace,
    },
    /// `extends` cannot be followed.
    #[error("{problem}\n{place}")]
    Extends {
        /// Why.
        problem: String,
        /// The value of `extends`.
        place: SettingPlace,
    },
    /// A remapping is not of the form `context:prefix=path`.
    #[error("{problem}\n{place}")]
    Remapping {
        /// What is wrong with it.
        problem: String,
        /// Where.
        place: SettingPlace,
    },
}
