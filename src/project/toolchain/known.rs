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

/// Version of a compiler's file, with the data that shows whether the file has changed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// Size in bytes.
    size: u64,
    /// Modification time, in milliseconds since the epoch.
    modified: u64,
    version: Version,
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
        let metadata = fs::metadata(solc).map_err(|error| ToolchainError::unusable(solc, error))?;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |time| time.as_millis() as u64);
        let mut all = self.read();
        let key = solc.display().to_string();
        if let Some(known) = all.get(&key)
            && (known.size, known.modified) == (metadata.len(), modified)
        {
            return Ok(known.version.clone());
        }
        let version = ask(solc)?;
        all.insert(key, Known { size: metadata.len(), modified, version: version.clone() });
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

    #[cfg(unix)]
    #[test]
    fn a_compiler_is_asked_for_its_version_once() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let solc = directory.path().join("solc");
        let log = directory.path().join("log");
        let script = format!("#!/bin/sh\necho run >> {}\necho 'Version: 0.8.1+commit.0'\n", log.display());
        fs::write(&solc, script).unwrap();
        fs::set_permissions(&solc, fs::Permissions::from_mode(0o755)).unwrap();
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
