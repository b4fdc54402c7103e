//! Errors of loading a configuration.

use super::SettingPlace;
use std::{io, path::PathBuf};

/// Error of loading a configuration. The message has no newline at its end, and shows the place of the
/// mistake.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No foundry.toml was found.
    #[error(
        "no foundry.toml in {} or above it; run in a Foundry project, name one with --root, or start one \
         with `forge init`",
        root.display()
    )]
    NoProject {
        /// Directory in which the search began.
        root: PathBuf,
    },
    /// `FOUNDRY_CONFIG` or `--config-path` names a file that does not exist.
    #[error("config file `{}` set by {by} does not exist", path.display())]
    MissingFile {
        /// Path of the missing file.
        path: PathBuf,
        /// Name of the flag or variable that names the file.
        by: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        error: io::Error,
    },
    /// A file is not TOML.
    #[error("malformed TOML: {message}\n{place}")]
    Syntax {
        /// Message of the parser.
        message: String,
        /// Place of the syntax error.
        place: SettingPlace,
    },
    /// A value does not fit its setting.
    #[error("{problem} for setting `{key}`\n{place}")]
    Invalid {
        /// Dotted path of the setting, for example `invariant.runs`.
        key: String,
        /// Found and expected value, in Forge's words.
        problem: String,
        /// Place of the value.
        place: SettingPlace,
    },
    /// The file named by `extends` cannot be used.
    #[error("{problem}\n{place}")]
    Extends {
        /// Reason.
        problem: String,
        /// Place of the value of `extends`.
        place: SettingPlace,
    },
    /// A remapping is not of the form `context:prefix=path`.
    #[error("{problem}\n{place}")]
    Remapping {
        /// Description of the mistake.
        problem: String,
        /// Place of the remapping.
        place: SettingPlace,
    },
}
