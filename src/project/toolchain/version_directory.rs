//! Directory in which svm keeps a version, and its lock.

use semver::Version;
use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Name of svm's own lock in the directory of a version.
const LOCK: &str = ".lock";

/// Returns the path of a compiler that svm has installed.
pub(super) fn compiler(svm: &Path, version: &Version) -> PathBuf {
    svm.join(version.to_string()).join(format!("solc-{version}"))
}

/// Directory of a version that this process has locked. svm and other processes of ours wait until it is dropped.
#[derive(Debug)]
pub(super) struct VersionDirectory {
    path: PathBuf,
    compiler: PathBuf,
    _lock: File,
}

impl VersionDirectory {
    /// Creates the directory if it is missing, and waits for its lock.
    ///
    /// # Errors
    /// Fails if the directory cannot be written, or if its file system has no locks.
    pub(super) fn lock(svm: &Path, version: &Version) -> io::Result<Self> {
        let compiler = compiler(svm, version);
        let path = svm.join(version.to_string());
        loop {
            match fs::create_dir_all(&path) {
                // It was there, and the process that had the lock removed it before it was looked at.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && may_be_directory(&path) => {
                    continue;
                }
                made => made?,
            }
            let at = path.join(LOCK);
            let file = match OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&at)
            {
                // Removed meanwhile by the process that had the lock.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file?,
            };
            file.lock()?;
            if is_at(&file, &at) {
                return Ok(Self { path, compiler, _lock: file });
            }
        }
    }

    /// Returns the path at which svm expects the compiler.
    pub(super) fn compiler(&self) -> &Path {
        &self.compiler
    }

    /// Returns the path of the download, which takes the compiler's place when it is complete. A process that was
    /// killed may have left a file there; the lock shows that nobody uses it.
    pub(super) fn download(&self) -> PathBuf {
        self.compiler.with_file_name("solc.part")
    }
}

impl Drop for VersionDirectory {
    /// Removes the directory if it has no compiler, since old versions of svm take each directory for a version. Those
    /// that wait for the lock see that it was removed, and create another one.
    fn drop(&mut self) {
        if !self.compiler.exists() {
            // If something else is in the directory, it stays.
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Tells whether nothing but a directory is at a path.
fn may_be_directory(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |found| found.is_dir())
}

/// Tells whether a path still leads to an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let found = fs::metadata(path).map(identity).ok();
    found.is_some() && found == file.metadata().map(identity).ok()
}

/// Windows does not remove a file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    const VERSION: Version = Version::new(0, 8, 30);

    #[test]
    fn a_directory_without_a_compiler_is_removed_and_one_with_it_stays() {
        let svm = tempfile::tempdir().unwrap();
        drop(VersionDirectory::lock(svm.path(), &VERSION).unwrap());
        assert_eq!(fs::read_dir(svm.path()).unwrap().count(), 0);
        let directory = VersionDirectory::lock(svm.path(), &VERSION).unwrap();
        fs::write(directory.compiler(), "solc").unwrap();
        drop(directory);
        assert!(svm.path().join("0.8.30/solc-0.8.30").is_file());
    }

    #[test]
    fn one_at_a_time_has_the_lock_even_if_directories_are_removed() {
        let svm = tempfile::tempdir().unwrap();
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let directory = VersionDirectory::lock(svm.path(), &VERSION).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        assert!(directory.path.is_dir());
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("svm"), "").unwrap();
        assert!(VersionDirectory::lock(&home.path().join("svm"), &VERSION).is_err());
        fs::write(home.path().join("0.8.30"), "").unwrap();
        assert!(VersionDirectory::lock(home.path(), &VERSION).is_err());
    }
}
