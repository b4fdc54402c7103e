//! Files that runs keep in a project. Anyone may have put links there, and none is followed: otherwise files
//! elsewhere could be read, renamed, written or removed.

use super::{WriteError, followed, normalized, write_atomically};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Reads a file.
///
/// # Errors
/// As [`super::read`], and when a link leads to it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    check(path)?;
    super::read(path)
}

/// Reads text.
///
/// # Errors
/// As [`super::read_text`], and when a link leads to it.
pub fn read_text(path: &Path) -> io::Result<String> {
    check(path)?;
    super::read_text(path)
}

/// Writes a file as [`write_atomically`] does.
///
/// # Errors
/// As there, and when a link leads to it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    check(path).map_err(|error| WriteError { path: path.to_owned(), error })?;
    write_atomically(path, bytes)
}

/// Removes a file; a missing file is no error.
///
/// # Errors
/// When it cannot be removed, or a link leads to it.
pub fn remove(path: &Path) -> io::Result<()> {
    let removed = check(path).and_then(|()| fs::remove_file(path));
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Renames a file in its directory.
///
/// # Errors
/// When it cannot be renamed, or a link leads to it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    check(from)?;
    fs::rename(from, to)
}

/// Refuses a path that contains a link. Paths within a project begin with the real path of its root.
fn check(path: &Path) -> io::Result<()> {
    let path = &std::path::absolute(path)?;
    let existing = path.ancestors().find(|at| at.symlink_metadata().is_ok()).unwrap_or(path);
    match existing.canonicalize() {
        Ok(real) if real == existing => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => {
            let link = existing.ancestors().find(|at| at.is_symlink()).unwrap_or(existing);
            let text = format!("{} is a link; remove it, or configure where it leads to", link.display());
            Err(io::Error::other(text))
        }
    }
}

/// Returns the place of a path from the configuration. A path within `root`, which is a real path, stays as
/// it is written. Links are resolved in a path that leads out of it.
#[must_use]
pub fn configured_path(root: &Path, path: &Path) -> PathBuf {
    let path = root.join(path);
    let direct = normalized(&path);
    if direct.starts_with(root) { direct } else { followed(&path) }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_lead_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let [outside, project] = ["outside", "project"].map(|name| root.join(name));
        fs::create_dir(&outside).unwrap();
        fs::create_dir(&project).unwrap();
        fs::write(outside.join("file"), "theirs").unwrap();
        symlink(&outside, project.join("dir")).unwrap();
        symlink(outside.join("file"), project.join("file")).unwrap();
        symlink(outside.join("new"), project.join("dangling")).unwrap();
        for name in ["dir/file", "dir/a/b", "file", "dangling"] {
            let path = project.join(name);
            let errors = [
                read(&path).map(drop).unwrap_err().to_string(),
                remove(&path).unwrap_err().to_string(),
                rename(&path, &project.join("other")).unwrap_err().to_string(),
                write(&path, b"ours").unwrap_err().error.to_string(),
            ];
            let link = project.join(name.split('/').next().unwrap());
            let expected = format!("{} is a link; remove it, or configure where it leads to", link.display());
            assert!(errors.iter().all(|error| *error == expected), "{name}: {errors:?}");
        }
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "theirs");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        write(&project.join("a/b"), b"ours").unwrap();
        assert_eq!(read(&project.join("a/b")).unwrap(), b"ours");
        remove(&project.join("a/b")).unwrap();
        remove(&project.join("a/b")).unwrap();
    }

    #[test]
    fn what_the_configuration_puts_elsewhere_may_be_behind_links() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real")).unwrap();
        symlink(root.join("real"), root.join("link")).unwrap();
        let project = root.join("project");
        fs::create_dir(&project).unwrap();
        let resolved = |path: &str| configured_path(&project, Path::new(path));
        assert_eq!(resolved("../link/corpus"), root.join("real/corpus"));
        assert_eq!(resolved("a/../corpus"), project.join("corpus"));
    }
}
