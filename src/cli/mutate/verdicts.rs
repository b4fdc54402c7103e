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
    io::Write as _,
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
    /// Seconds of the search.
    pub(super) budget: u32,
    #[serde(flatten)]
    pub(super) verdict: MutantVerdict,
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
    /// When the file cannot be written.
    pub(super) fn open(path: &Path, fresh: bool) -> Result<Self, WriteError> {
        let text = nofollow::read_text(path).unwrap_or_default();
        let known = text
            .lines()
            .filter(|_| !fresh)
            .filter_map(|line| serde_json::from_str::<StoredVerdict>(line).ok());
        let known = known.map(|stored| ((stored.id.clone(), stored.key), stored)).collect();
        let failed = |error| WriteError { path: path.to_owned(), error };
        if !path.exists() {
            nofollow::write(path, &[])?;
        }
        let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self { known, file: Mutex::new(file), path: path.to_owned() })
    }

    /// Returns the verdict on a mutant, unless the search may take longer now than it did.
    pub(super) fn get(&self, id: &str, key: B256, budget: u32) -> Option<&StoredVerdict> {
        let stored = self.known.get(&(id.to_owned(), key))?;
        let is_final = !matches!(stored.verdict, MutantVerdict::Survived { .. }) || stored.budget >= budget;
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

    fn survivor(budget: u32) -> StoredVerdict {
        let verdict = MutantVerdict::Survived { difference: None };
        StoredVerdict { id: "a".to_owned(), key: B256::ZERO, code: None, budget, verdict }
    }

    #[test]
    fn a_verdict_is_there_again_after_an_incomplete_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        VerdictStore::open(&path, false).unwrap().add(&survivor(5)).unwrap();
        fs::write(&path, format!("{}{{\"id\":", fs::read_to_string(&path).unwrap())).unwrap();
        VerdictStore::open(&path, false)
            .unwrap()
            .add(&StoredVerdict { id: "b".to_owned(), ..survivor(5) })
            .unwrap();
        let results = VerdictStore::open(&path, false).unwrap();
        assert_eq!(results.get("a", B256::ZERO, 5), Some(&survivor(5)));
        assert!(results.get("b", B256::ZERO, 5).is_some());
        assert_eq!(results.get("a", B256::repeat_byte(1), 5), None);
        assert_eq!(VerdictStore::open(&path, true).unwrap().get("a", B256::ZERO, 5), None);
    }

    #[test]
    fn a_survivor_is_tested_again_if_there_is_more_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        VerdictStore::open(&path, false).unwrap().add(&survivor(5)).unwrap();
        let results = VerdictStore::open(&path, false).unwrap();
        assert_eq!(results.get("a", B256::ZERO, 6), None);
        assert!(results.get("a", B256::ZERO, 4).is_some());
    }
}
