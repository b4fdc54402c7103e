//! Which files cheatcodes may touch: the rules of `fs_permissions`, as Forge reads them.

use super::dispatch::{CheatError, Cx, ensure};
use std::path::{Component, Path, PathBuf};

/// Links that are followed one behind the other.
const MOST_LINKS: u32 = 40;

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Access {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Whether a permission of the configuration allows it.
    fn is_in(self, permission: &str) -> bool {
        permission == self.name() || permission == "read-write"
    }
}

impl Cx<'_> {
    /// The absolute path of a file that is accessed, links followed; where there is none, `.` and `..` are taken out
    /// without looking at the disk.
    ///
    /// # Errors
    /// When none of the permissions with the longest path around it allows that.
    pub(super) fn path(&self, path: &str, access: Access) -> Result<PathBuf, CheatError> {
        self.allowed(found(&self.cheats.shared.root.join(path)), path, access)
    }

    /// As [`Self::path`], for a link that itself is read or removed.
    ///
    /// # Errors
    /// The same.
    pub(super) fn link(&self, path: &str, access: Access) -> Result<PathBuf, CheatError> {
        let full = normalized(&self.cheats.shared.root.join(path));
        // As in Forge, one that leads somewhere is followed all the same.
        let full = match (full.canonicalize(), full.parent(), full.file_name()) {
            (Err(_), Some(parent), Some(name)) => found(parent).join(name),
            _ => found(&full),
        };
        self.allowed(full, path, access)
    }

    fn allowed(&self, full: PathBuf, path: &str, access: Access) -> Result<PathBuf, CheatError> {
        let shared = &self.cheats.shared;
        let permissions = shared.config.fs_permissions.iter().map(|(access, at)| (access, found(at)));
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

    /// As [`Self::path`], for a file that is changed.
    ///
    /// # Errors
    /// Also when it is git's, or a file that settings come from, which would decide on the next access, or a directory around it.
    pub(super) fn writable(&self, path: &str) -> Result<PathBuf, CheatError> {
        self.no_settings(self.path(path, Access::Write)?)
    }

    /// As [`Self::writable`], for what is removed.
    ///
    /// # Errors
    /// The same.
    pub(super) fn removable(&self, path: &str) -> Result<PathBuf, CheatError> {
        self.no_settings(self.link(path, Access::Write)?)
    }

    fn no_settings(&self, path: PathBuf) -> Result<PathBuf, CheatError> {
        // Some file systems do not tell cases apart.
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let is_around = |file: &Path| Path::new(&lower(file)).starts_with(lower(&path));
        // git runs programs that its settings name.
        let is_gits = path.components().any(|component| lower(Path::new(component.as_os_str())) == ".git");
        ensure!(!is_gits, "access to `.git` is not allowed");
        for file in &self.cheats.shared.config.settings {
            let name = file.file_name().unwrap_or_default().display();
            ensure!(!is_around(file) && !is_around(&found(file)), "access to `{name}` is not allowed");
        }
        Ok(path)
    }
}

/// Where a path leads, links followed as far as there is anything: what a link that leads nowhere names would be made there.
fn found(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        let full = normalized(&path);
        let existing = full.ancestors().find_map(|at| Some((at, at.canonicalize().ok()?)));
        let Some((at, real)) = existing else { return full };
        let rest = full.strip_prefix(at).unwrap_or(Path::new(""));
        let mut parts = rest.components();
        let missing = parts.next().map(|first| real.join(first)).unwrap_or_default();
        match missing.read_link() {
            Ok(target) => path = real.join(target).join(parts),
            Err(_) => return real.join(rest),
        }
    }
    // The system follows no more either.
    normalized(&path)
}

/// The path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut full = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                full.pop();
            }
            other => full.push(other),
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_what_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("in")).unwrap();
        std::os::unix::fs::symlink("../out/file", root.join("in/dangling")).unwrap();
        std::os::unix::fs::symlink(&root, root.join("in/up")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("in/loop")).unwrap();
        assert_eq!(found(&root.join("in/dangling")), root.join("out/file"));
        assert_eq!(found(&root.join("in/up/new/file")), root.join("new/file"));
        assert_eq!(found(&root.join("in/new")), root.join("in/new"));
        found(&root.join("in/loop"));
    }

    #[test]
    fn paths_are_normalized_without_looking_at_the_disk() {
        assert_eq!(normalized(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(normalized(Path::new("/../a")), Path::new("/a"));
    }
}
