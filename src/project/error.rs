//! Errors of loading a project.

use crate::project::toolchain::ToolchainError;
use std::{io, path::PathBuf};

/// Error of loading a project. The message names the place in the sources or in foundry.toml.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A value in foundry.toml is invalid for the compiler settings.
    #[error("invalid value for `{key}`: {message}")]
    Setting {
        /// Key in foundry.toml.
        key: &'static str,
        /// Description of the mistake.
        message: String,
    },
    /// The requested compiler is not available.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// No compiler version fits the sources. The message is that of foundry-compilers, as in Forge.
    #[error("{message}{}", help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default())]
    NoVersion {
        /// Message with the source and the version that it needs.
        message: String,
        /// Reason why no further version could be fetched.
        help: Option<ToolchainError>,
    },
    /// The compiler's output directory cannot be written.
    #[error(
        "cannot write to {}: {error}; make it writable, or choose another directory with `{key}`",
        path.display()
    )]
    Unwritable {
        /// Path of the directory.
        path: PathBuf,
        /// Key in foundry.toml that sets the directory.
        key: &'static str,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The compiler could not be run, or files could not be read or written.
    #[error("{0}")]
    Build(String),
    /// The compiler found errors.
    #[error("{text}{}", advice.as_ref().map(|advice| format!("\n{advice}")).unwrap_or_default())]
    Diagnostics {
        /// Text of Forge: `Compiler run failed:` and the diagnostics.
        text: String,
        /// Advice to fetch empty submodules, if imports cannot be resolved.
        advice: Option<String>,
    },
    /// The name of a file contains control characters, which could change the output of terminals and logs.
    #[error("the name {path:?} has characters that control terminals and logs; rename it")]
    FileName {
        /// Path of the file or directory.
        path: PathBuf,
    },
    /// An artifact is a pipe or a device: reading it may block or never end.
    #[error("{} is no regular file; remove it", path.display())]
    Irregular {
        /// Path of the artifact.
        path: PathBuf,
    },
    /// An artifact, or the compiler's cache, is a symbolic link.
    #[error("{} is a link, and what the compiler writes would go elsewhere; remove it", path.display())]
    Link {
        /// Path of the link.
        path: PathBuf,
    },
    /// An artifact is not one that a compiler writes.
    #[error("the artifact {} is damaged: {problem}; compile anew with `--force`", path.display())]
    Damaged {
        /// Path of the artifact.
        path: PathBuf,
        /// Description of the damage.
        problem: &'static str,
    },
    /// A contract refers to a library that is not among the compiled contracts.
    #[error("cannot link `{contract}`: library `{library}` is not among the compiled contracts")]
    MissingLibrary {
        /// `path:Name` of the contract.
        contract: String,
        /// `path:Name` of the library.
        library: String,
    },
}
