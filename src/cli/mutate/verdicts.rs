//! Verdicts of earlier runs, which are not repeated while nothing has changed that decides them.

use crate::{
    files::{WriteError, nofollow},
    model::MutantVerdict,
};
use alloy_primitives::B256;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Verdict as it is stored, one on a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredVerdict {
    /// Id of the mutant.
    pub(super) id: String,
    /// Hash of the sources and suites that decided it.
    pub(super) key: B256,
    /// Hash of the compiled code of the mutant, if it was compiled.
    pub(super) code: Option<B256>,
    #[serde(flatten)]
    pub(super) searched: SearchSeconds,
    #[serde(flatten)]
    pub(super) verdict: MutantVerdict,
}

/// Seconds of the searches on which a verdict rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchSeconds {
    /// Seconds of the search without a change.
    pub(super) original: u64,
    /// Seconds of the search for the mutant.
    pub(super) mutant: u32,
}

/// File of the verdicts. A killed process leaves at most one incomplete line.
pub(super) struct VerdictStore {
    known: HashMap<(String, B256), StoredVerdict>,
    file: Mutex<File>,
    path: PathBuf,
}

impl VerdictStore {
    /// Reads the verdicts, or none if all mutants are to be tested anew.
    ///
    /// # Errors
    /// When the file cannot be read or written, or a link leads to it.
    pub(super) fn open(path: &Path, fresh: bool) -> Result<Self, WriteError> {
        let failed = |error| WriteError { path: path.to_owned(), error };
        let text = match nofollow::read_text(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                nofollow::write(path, &[])?;
                String::new()
            }
            Err(error) => return Err(failed(error)),
        };
        let known = text
            .lines()
            .filter(|_| !fresh)
            .filter_map(|line| serde_json::from_str::<StoredVerdict>(line).ok());
        let known = known.map(|stored| ((stored.id.clone(), stored.key), stored)).collect();
        let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self { known, file: Mutex::new(file), path: path.to_owned() })
    }

    /// Returns the verdict on a mutant, unless a search may take longer now than it did.
    pub(super) fn get(&self, id: &str, key: B256, now: SearchSeconds) -> Option<&StoredVerdict> {
        let stored = self.known.get(&(id.to_owned(), key))?;
        let SearchSeconds { original, mutant } = stored.searched;
        let is_final = !matches!(stored.verdict, MutantVerdict::Survived { .. })
            || original >= now.original && mutant >= now.mutant;
        is_final.then_some(stored)
    }

    /// Adds a verdict.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn add(&self, stored: &StoredVerdict) -> Result<(), WriteError> {
        let mut line = serde_json::to_string(stored).expect("strings, numbers and lists of them are JSON");
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|error| WriteError { path: self.path.clone(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const FIVE: SearchSeconds = SearchSeconds { original: 30, mutant: 5 };

    fn survivor(id: &str) -> StoredVerdict {
        let verdict = MutantVerdict::Survived { difference: None };
        StoredVerdict { id: id.to_owned(), key: B256::ZERO, code: None, searched: FIVE, verdict }
    }

    #[test]
    fn a_verdict_is_there_again_after_an_incomplete_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        VerdictStore::open(&path, false).unwrap().add(&survivor("a")).unwrap();
        fs::write(&path, format!("{}{{\"id\":", fs::read_to_string(&path).unwrap())).unwrap();
        VerdictStore::open(&path, false).unwrap().add(&survivor("b")).unwrap();
        let results = VerdictStore::open(&path, false).unwrap();
        assert_eq!(results.get("a", B256::ZERO, FIVE), Some(&survivor("a")));
        assert!(results.get("b", B256::ZERO, FIVE).is_some());
        assert_eq!(results.get("a", B256::repeat_byte(1), FIVE), None);
        assert_eq!(VerdictStore::open(&path, true).unwrap().get("a", B256::ZERO, FIVE), None);
    }

    #[test]
    fn a_survivor_is_tested_again_if_there_is_more_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        VerdictStore::open(&path, false).unwrap().add(&survivor("a")).unwrap();
        let results = VerdictStore::open(&path, false).unwrap();
        assert_eq!(results.get("a", B256::ZERO, SearchSeconds { mutant: 6, ..FIVE }), None);
        assert_eq!(results.get("a", B256::ZERO, SearchSeconds { original: 31, ..FIVE }), None);
        assert!(results.get("a", B256::ZERO, SearchSeconds { original: 30, mutant: 4 }).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn verdicts_are_not_written_through_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("results.jsonl"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(VerdictStore::open(&link, false).is_err());
    }
}
