//! Permissions of cheatcodes to access files: the rules of `fs_permissions`, with Forge's semantics.

use super::dispatch::{CheatError, Cx, ensure};
use crate::files::{followed, normalized};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Kind of file access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileAccess {
    Read,
    Write,
}

impl FileAccess {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Tells whether a permission of the configuration allows this access.
    fn is_in(self, permission: &str) -> bool {
        permission == self.name() || permission == "read-write"
    }
}

impl Cx<'_> {
    /// Returns the absolute path of a file to access, with links followed. If nothing exists at the path, `.`
    /// and `..` are resolved without looking at the disk.
    ///
    /// # Errors
    /// Fails if none of the permissions with the longest path that contains the file allows the access.
    pub(super) fn path(&self, path: &str, access: FileAccess) -> Result<PathBuf, CheatError> {
        self.allowed(followed(&self.cheats.shared.root.join(path)), path, access)
    }

    /// Like [`Self::path`], but for a link that is itself read or removed.
    ///
    /// # Errors
    /// Same as [`Self::path`].
    pub(super) fn link(&self, path: &str, access: FileAccess) -> Result<PathBuf, CheatError> {
        let full = normalized(&self.cheats.shared.root.join(path));
        // As in Forge, a link whose target exists is followed nevertheless.
        let full = match (full.canonicalize(), full.parent(), full.file_name()) {
            (Err(_), Some(parent), Some(name)) => followed(parent).join(name),
            _ => followed(&full),
        };
        self.allowed(full, path, access)
    }

    fn allowed(&self, full: PathBuf, path: &str, access: FileAccess) -> Result<PathBuf, CheatError> {
        let shared = &self.cheats.shared;
        let permissions = shared.config.fs_permissions.iter().map(|(access, at)| (access, followed(at)));
        let around: Vec<_> = permissions.filter(|(_, at)| full.starts_with(at)).collect();
        let longest = around.iter().map(|(_, at)| at.components().count()).max();
        let mut decisive = around.iter().filter(|(_, at)| Some(at.components().count()) == longest);
        ensure!(
            decisive.any(|(permission, _)| access.is_in(permission)),
            "the path {} is not allowed to be accessed for {} operations",
            full.strip_prefix(&shared.root).unwrap_or(Path::new(path)).display(),
            access.name()
        );
        Ok(full)
    }

    /// Like [`Self::path`], but for a file that is changed.
    ///
    /// # Errors
    /// Fails also if the path lies in a `.git` directory, is not a regular file or directory, or is (or
    /// contains) a settings file. A changed settings file would decide about the next access.
    pub(super) fn writable(&self, path: &str) -> Result<PathBuf, CheatError> {
        self.no_settings(self.path(path, FileAccess::Write)?)
    }

    /// Like [`Self::writable`], but for a file, directory, or link that is removed.
    ///
    /// # Errors
    /// Same as [`Self::writable`].
    pub(super) fn removable(&self, path: &str) -> Result<PathBuf, CheatError> {
        self.no_settings(self.link(path, FileAccess::Write)?)
    }

    fn no_settings(&self, path: PathBuf) -> Result<PathBuf, CheatError> {
        // Some file systems are case-insensitive.
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let is_around = |file: &Path| Path::new(&lower(file)).starts_with(lower(&path));
        // git runs programs that its settings name.
        let is_gits = path.components().any(|component| lower(Path::new(component.as_os_str())) == ".git");
        ensure!(!is_gits, "access to `.git` is not allowed");
        let is_regular = |found: fs::Metadata| found.is_file() || found.is_dir();
        ensure!(fs::metadata(&path).map_or(true, is_regular), "{} is no regular file", path.display());
        for file in &self.cheats.shared.config.settings {
            let name = file.file_name().unwrap_or_default().display();
            ensure!(!is_around(file) && !is_around(&followed(file)), "access to `{name}` is not allowed");
        }
        Ok(path)
    }
}
