//! Cached versions of compilers that are given by path.

use crate::{
    files::write_atomically,
    project::toolchain::{ToolchainError, child},
};
use semver::Version;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// Version of a program's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    file: FileIdentity,
    version: Version,
}

/// Data that shows whether a file is still the same. Package managers such as npm give files of all versions the same
/// modification time, and a script that starts a program may have the same size in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileIdentity {
    /// Path without symbolic links.
    path: PathBuf,
    /// Size in bytes.
    size: u64,
    /// Modification time, in milliseconds since the epoch.
    modified: u64,
    /// Number in the file system; zero if it has none.
    inode: u64,
    /// Time of the last change of the file or its metadata, in seconds and nanoseconds; zero if it is not known.
    changed: (i64, i64),
}

impl FileIdentity {
    fn of(file: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(file)?;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        #[cfg(unix)]
        let (inode, changed) = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.ino(), (metadata.ctime(), metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let (inode, changed) = (0, (0, 0));
        Ok(Self {
            path: file.canonicalize()?,
            size: metadata.len(),
            modified: modified.map_or(0, |time| time.as_millis() as u64),
            inode,
            changed,
        })
    }
}

/// Cache of the versions of compiler files, so that a process is started only once for each file.
pub(crate) struct KnownVersions {
    file: Option<PathBuf>,
}

impl KnownVersions {
    /// Creates a cache that is stored in the directory `cache`, or not stored at all if that is `None`.
    pub(crate) fn new(cache: Option<&Path>) -> Self {
        Self { file: cache.map(|cache| cache.join("known.json")) }
    }

    /// Returns the version of the compiler at `solc`, without build metadata.
    ///
    /// # Errors
    /// Fails if the file cannot be read or run, or if it does not print a version.
    pub(crate) fn of(&self, solc: &Path) -> Result<Version, ToolchainError> {
        let file = FileIdentity::of(solc).map_err(|error| ToolchainError::unusable(solc, error))?;
        let mut all = self.read();
        let key = solc.display().to_string();
        if let Some(known) = all.get(&key).filter(|known| known.file == file) {
            return Ok(known.version.clone());
        }
        let version = ask(solc)?;
        all.insert(key, Known { file, version: version.clone() });
        self.write(&all);
        Ok(version)
    }

    fn read(&self) -> BTreeMap<String, Known> {
        let text = self.file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    fn write(&self, all: &BTreeMap<String, Known>) {
        if let Some(file) = &self.file {
            let json = serde_json::to_vec(all).expect("paths, numbers and versions are JSON");
            // A failure to store the cache costs only time.
            let _ = write_atomically(file, &json);
        }
    }
}

/// Runs `solc --version`.
fn ask(solc: &Path) -> Result<Version, ToolchainError> {
    let output = child::told_version(solc).map_err(|error| ToolchainError::unusable(solc, error))?;
    parse(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| ToolchainError::unusable(solc, io::Error::other("it does not tell a version")))
}

/// Parses the output of `solc --version`: `Version: 0.8.30+commit.73712a01.Linux.g++`, or of `forge --version`:
/// `forge Version: 1.7.1`, in old versions `forge 0.2.0 (...)`.
pub(crate) fn parse(output: &str) -> Option<Version> {
    let version = |line: &'_ str| {
        let line = line.trim();
        let prefixes = ["Version: ", "forge Version: ", "forge "];
        prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)).map(str::to_owned)
    };
    let line = output.lines().rev().find_map(version)?;
    // Build metadata such as `g++` is not valid semver. Dates of nightlies are ignored, because pragmas do
    // not compare them.
    let numbers = line.split(['+', '-', ' ']).next()?;
    Version::parse(numbers).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_solc_prints() {
        let told =
            "solc, the solidity compiler commandline interface\nVersion: 0.8.30+commit.73712a01.Linux.g++\n";
        assert_eq!(parse(told), Some(Version::new(0, 8, 30)));
        assert_eq!(parse("Version: 0.4.26+commit.4563c3fc.Emscripten.clang"), Some(Version::new(0, 4, 26)));
        assert_eq!(
            parse("Version: 0.8.31-nightly.2025.1.1+commit.00000000.Linux.g++"),
            Some(Version::new(0, 8, 31))
        );
        assert_eq!(
            parse("forge Version: 1.7.2-nightly\nCommit SHA: 1e5a5f66\n"),
            Some(Version::new(1, 7, 2))
        );
        assert_eq!(parse("forge 0.2.0 (4a8c7d1 2024-01-01)"), Some(Version::new(0, 2, 0)));
        assert_eq!(parse("usage: solc"), None);
    }

    /// Writes a program that tells this version and notes that it was asked. As npm does, it gives all programs the
    /// same modification time.
    #[cfg(unix)]
    fn write_program(path: &Path, version: &str, log: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        let script =
            format!("#!/bin/sh\necho run >> {}\necho 'Version: {version}+commit.0'\n", log.display());
        let _ = fs::remove_file(path);
        fs::write(path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::File::open(path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_only_its_content_tells_from_the_last_one_is_asked_again() {
        let directory = tempfile::tempdir().unwrap();
        let [old, new, link, log] = ["old", "new", "link", "log"].map(|name| directory.path().join(name));
        let known = KnownVersions::new(Some(directory.path()));
        write_program(&old, "0.8.1", &log);
        assert_eq!(known.of(&old).unwrap(), Version::new(0, 8, 1));
        write_program(&old, "0.8.2", &log);
        assert_eq!(known.of(&old).unwrap(), Version::new(0, 8, 2));

        write_program(&new, "0.8.3", &log);
        for (program, version) in [(&old, 2), (&new, 3)] {
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(program, &link).unwrap();
            assert_eq!(known.of(&link).unwrap(), Version::new(0, 8, version));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_compiler_is_asked_for_its_version_once() {
        let directory = tempfile::tempdir().unwrap();
        let [solc, log] = ["solc", "log"].map(|name| directory.path().join(name));
        write_program(&solc, "0.8.1", &log);
        let known = KnownVersions::new(Some(directory.path()));
        assert_eq!(known.of(&solc).unwrap(), Version::new(0, 8, 1));
        assert_eq!(known.of(&solc).unwrap(), Version::new(0, 8, 1));
        assert_eq!(fs::read_to_string(log).unwrap(), "run\n");
    }

    #[test]
    fn a_missing_compiler_is_an_error_that_names_it() {
        let error = KnownVersions::new(None).of(Path::new("/nowhere/solc")).unwrap_err();
        assert!(error.to_string().starts_with("cannot use the compiler `/nowhere/solc`: "), "{error}");
    }
}
