//! Directories of a project.

use std::{collections::BTreeMap, path::PathBuf};

/// Directories of a project; paths are absolute unless noted.
#[derive(Clone, Debug)]
pub struct PathsConfig {
    /// Root of the project.
    pub root: PathBuf,
    /// `src`: contracts.
    pub src: PathBuf,
    /// `test`: tests.
    pub test: PathBuf,
    /// `script`: scripts.
    pub script: PathBuf,
    /// `out`: artifacts.
    pub out: PathBuf,
    /// `cache_path`: caches.
    pub cache: PathBuf,
    /// `harvey.corpus`: failures and inputs that are kept between runs.
    pub corpus: PathBuf,
    /// `libs`: dependencies.
    pub libs: Vec<PathBuf>,
    /// Resolved remappings `context:prefix=path` in order of precedence. Paths are relative to the root where
    /// possible.
    pub remappings: Vec<String>,
    /// `allow_paths`: further directories that the compiler may read.
    pub allow_paths: Vec<PathBuf>,
    /// `include_paths`: further directories in which the compiler searches for imports.
    pub include_paths: Vec<PathBuf>,
    /// `ignored_warnings_from`, as written, because paths in the compiler's messages are relative to the
    /// root.
    pub ignored_warnings_from: Vec<PathBuf>,
    /// Texts of sources that are compiled in place of those on disk, by absolute path: a mutant. If there are any, the
    /// build is read and not written, so that it stays that of the original.
    pub replaced: BTreeMap<PathBuf, String>,
    /// Directory to which what a run keeps was moved (`Config::move_outputs`).
    pub moved: Option<PathBuf>,
}
