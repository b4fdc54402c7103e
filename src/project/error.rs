//! Why a project cannot be loaded.

use crate::project::toolchain::ToolchainError;
use std::{io, path::PathBuf};

/// Why a project cannot be loaded. Messages name the place in the sources or in foundry.toml.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A value in foundry.toml that the compiler settings do not know.
    #[error("invalid value for `{key}`: {message}")]
    Setting {
        /// The key, as in foundry.toml.
        key: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The compiler that was asked for is not to be had.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// No compiler version suits the sources; the message is foundry-compilers', as Forge shows it.
    #[error("{message}{}", help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default())]
    NoVersion {
        /// Which file needs what.
        message: String,
        /// Why no further version could be fetched.
        help: Option<ToolchainError>,
    },
    /// What is compiled has no place.
    #[error("cannot write to {}: {error}; make it writable, or choose another directory with `{key}`", path.display())]
    Unwritable {
        /// The directory.
        path: PathBuf,
        /// The key that names it.
        key: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// The compiler could not be run, or files not read or written.
    #[error("{0}")]
    Build(String),
    /// The compiler found errors; the text is Forge's, `Compiler run failed:` and the diagnostics.
    #[error("{0}")]
    Diagnostics(String),
    /// A name of a file that would control whatever shows it.
    #[error("the name {path:?} has characters that control terminals and logs; rename it")]
    FileName {
        /// The file or directory.
        path: PathBuf,
    },
    /// Something that can be read without an end, or never, where compiled code is kept.
    #[error("{} is no regular file; remove it", path.display())]
    Irregular {
        /// What is no file.
        path: PathBuf,
    },
    /// A link where compiled code is written.
    #[error("{} is a link, and what the compiler writes would go elsewhere; remove it", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// An artifact is not what a compiler writes.
    #[error("the artifact {} is damaged: {problem}; compile anew with `--force`", path.display())]
    Damaged {
        /// The artifact.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// An artifact refers to a library that no artifact defines.
    #[error("cannot link `{contract}`: library `{library}` is not among the compiled contracts")]
    MissingLibrary {
        /// `path:Name` of the contract.
        contract: String,
        /// `path:Name` of the library.
        library: String,
    },
}
