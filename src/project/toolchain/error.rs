//! Errors of finding and installing compilers.

use semver::Version;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Error of finding or installing a compiler.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// The compiler given by path, or found on `PATH`, does not work.
    #[error("cannot use the compiler `{path}`: {error}")]
    Unusable {
        /// Path of the compiler.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A compiler would have to be fetched, but the user asked to work offline. The version is given if one
    /// was requested.
    #[error(
        "{} is not installed and nothing is fetched offline; run once without `--offline`, \
         or give the path of a compiler with `--use`",
        .0.as_ref().map_or_else(|| "a fitting compiler".to_owned(), |version| format!("solc {version}"))
    )]
    Offline(Option<Version>),
    /// No native compiler can be downloaded, for the given reason. The one of npm is then used.
    #[error("no native compiler was downloaded: {0}")]
    NoNative(String),
    /// A downloaded compiler is not the one that the list of releases describes.
    #[error(
        "the compiler at {url} has a wrong checksum and was not stored: its SHA-256 is {found}, and the list of releases \
         says {expected}; try again, and if it happens again, find out who changes the file, or give the path of a \
         compiler with `--use`"
    )]
    Checksum {
        /// URL of the compiler.
        url: String,
        /// SHA-256 in the list of releases, in hexadecimal.
        expected: String,
        /// SHA-256 of the file, in hexadecimal.
        found: String,
    },
    /// The address of the mirror of native compilers cannot be used.
    #[error(
        "invalid value of {}: {reason}; leave it empty to download no native compilers",
        super::native::MIRROR
    )]
    Mirror {
        /// Description of the mistake.
        reason: &'static str,
    },
    /// npm failed, after no native compiler could be downloaded.
    #[error("{npm}\nno native compiler was downloaded: {native}")]
    NothingFetched {
        /// Reason why there is no native compiler.
        native: String,
        /// Error of npm.
        npm: Box<Self>,
    },
    /// npm cannot be started.
    #[error(
        "fetching a compiler from npm needs Node.js with `npm` and `node` on PATH; install it, \
         install the compiler with svm, or give its path with `--use`"
    )]
    NoNode,
    /// npm failed; the message is npm's.
    #[error("npm could not fetch the compiler: {0}")]
    Npm(String),
    /// The environment sets neither a home nor a cache directory.
    #[error("there is no directory to keep a compiler in; set HOME or XDG_CACHE_HOME")]
    NoCache,
    /// Our cache directory cannot be written.
    #[error(
        "cannot keep a compiler in `{path}`: {error}; set XDG_CACHE_HOME to a directory that can be written"
    )]
    Unwritable {
        /// Path of the directory.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
}

impl ToolchainError {
    /// Adds to an error of npm the reason why there is no native compiler either.
    pub(super) fn after(self, native: Option<String>) -> Self {
        match native {
            Some(native) => Self::NothingFetched { native, npm: Box::new(self) },
            None => self,
        }
    }

    pub(super) fn unusable(path: &Path, error: io::Error) -> Self {
        Self::Unusable { path: path.to_owned(), error }
    }
}
