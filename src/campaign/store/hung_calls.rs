//! Calls that hung until the run was terminated. Later runs skip them as long as the suite's code is the
//! same.
//!
//! Each call has a file `<corpus>/unanswered/<source>/<Contract>/<call>.json`.

use super::{json_files, mangle};
use crate::{
    files::{WriteError, nofollow},
    model::ContractId,
};
use alloy_primitives::{B256, hex, keccak256};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Call that did not end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HungCall {
    /// `path:Name` of the called contract, or its address.
    pub contract: String,
    /// Signature of the function, or its selector.
    pub function: String,
    /// Description of the event.
    pub reason: String,
}

impl HungCall {
    /// Returns its name in a report of `suite`.
    #[must_use]
    pub fn name(&self, suite: &ContractId) -> String {
        let contract = self.contract.rsplit(':').next().unwrap_or_default();
        if self.is_of(suite) { self.function.clone() } else { format!("{contract}.{}", self.function) }
    }

    /// Returns true if the test contract itself was called.
    #[must_use]
    pub fn is_of(&self, suite: &ContractId) -> bool {
        self.contract == suite.to_string()
    }
}

/// Saved form of a call.
#[derive(Serialize, Deserialize)]
struct StoredCall {
    #[serde(flatten)]
    call: HungCall,
    /// Hash of the suite's creation code.
    code: B256,
}

/// Calls of one suite that did not end.
pub struct HungCallStore {
    dir: PathBuf,
    code: B256,
}

impl HungCallStore {
    /// Creates the store of `suite` with this creation code below the persistence directory.
    #[must_use]
    pub fn new(corpus: &Path, suite: &ContractId, code: &[u8]) -> Self {
        let dir = corpus.join("unanswered").join(mangle(&suite.path)).join(mangle(&suite.name));
        Self { dir, code: keccak256(code) }
    }

    /// Saves a call.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn keep(&self, call: &HungCall) -> Result<PathBuf, WriteError> {
        let hash = hex::encode(&keccak256(format!("{}.{}", call.contract, call.function))[..8]);
        let name = call.function.split('(').next().unwrap_or_default();
        let path = self.dir.join(format!("{}-{hash}.json", mangle(name)));
        let kept = StoredCall { call: call.clone(), code: self.code };
        let text = serde_json::to_string_pretty(&kept).expect("it has nothing but text");
        nofollow::write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Returns the calls that did not end with the current code, each with its file. Files of other code, and
    /// unreadable ones, are removed.
    #[must_use]
    pub fn read(&self) -> Vec<(PathBuf, HungCall)> {
        let mut calls = Vec::new();
        for path in json_files(&self.dir) {
            let kept = nofollow::read(&path)
                .ok()
                .and_then(|bytes| serde_json::from_slice::<StoredCall>(&bytes).ok());
            match kept {
                Some(kept) if kept.code == self.code => calls.push((path, kept.call)),
                // Removal is refused if the path leads through a link; the file then stays.
                _ => drop(nofollow::remove(&path)),
            }
        }
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_left_out_until_the_code_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let suite = ContractId { path: "test/A.t.sol".into(), name: "A".into() };
        let call = HungCall {
            contract: "src/V.sol:V".into(),
            function: "loop(uint256)".into(),
            reason: "does not answer".into(),
        };
        assert_eq!((call.name(&suite), call.is_of(&suite)), ("V.loop(uint256)".to_owned(), false));
        let store = HungCallStore::new(&dir, &suite, &[1]);
        let path = store.keep(&call).unwrap();
        assert_eq!(store.read(), [(path.clone(), call)]);
        assert_eq!(HungCallStore::new(&dir, &suite, &[2]).read(), []);
        assert!(!path.exists());
    }
}
