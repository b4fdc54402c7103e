//! Failures that outlive a run, and are replayed first by the next one.
//!
//! Two stores side by side: [`forge`] writes and reads the files that a plain `forge test` replays, for
//! what these can express; [`own`] keeps everything. [`rerun`] is the list of failed tests behind `--rerun`.
//! Nothing here runs a sequence or knows an EVM, and no error here loses a finding: it is still in memory,
//! and the caller turns the error into a warning.

pub mod forge;
pub mod own;
pub mod rerun;

use crate::model::{Input, SequenceCall, TargetSet, Transaction};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, Selector};
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file of a store that could not be written or removed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file, or a directory above it, could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file could not be removed.
    #[error("cannot remove {}: {source}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Writes a whole file or nothing: a reader, or a run that is killed, never sees half of it.
fn write_atomically(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let write = || {
        let dir = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(dir)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".harvey-");
        // Temporary files are private by default, but this one is to become a file like any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(dir)?;
        file.write_all(content)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|source| StoreError::Write { path: path.to_owned(), source })
}

/// The files of `dir` whose names end in `.json`, by name; none when there is no such directory.
fn json_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// A transaction as it was saved: calldata, and what was known about it then.
struct SavedCall<'a> {
    tx: Transaction,
    contract: Option<&'a str>,
    signature: Option<&'a str>,
}

impl SavedCall<'_> {
    /// Decodes the calldata with the target's function as it is now, else with the signature that was saved
    /// (contracts that a run creates are not in the target set), else leaves it raw.
    fn decode(self, targets: &TargetSet) -> SequenceCall {
        let Self { mut tx, contract, signature } = self;
        let target = targets.targets.iter().find(|target| target.address == tx.target);
        let contract = target.map(|target| target.identifier.clone()).or_else(|| contract.map(str::to_owned));
        let calldata = tx.input.calldata();
        if let Some(function) = known_function(targets, tx.target, &calldata, signature) {
            tx.input = Input::decode(&function, &calldata);
        }
        SequenceCall::new(tx, contract)
    }
}

fn known_function(
    targets: &TargetSet,
    address: Address,
    calldata: &Bytes,
    signature: Option<&str>,
) -> Option<Arc<Function>> {
    let selector = Selector::from_slice(calldata.get(..4)?);
    let saved = || Function::parse(signature?).ok().filter(|function| function.selector() == selector);
    targets.function(address, selector).cloned().or_else(|| saved().map(Arc::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_file_and_leaves_nothing_else_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/file");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "a file where a directory is needed").unwrap();
        let path = dir.path().join("a/file");
        let error = write_atomically(&path, b"").unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_is_written() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(dir.path().join("plain"), "").unwrap();
        write_atomically(&path, b"").unwrap();
        let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("file"), mode("plain"));
    }
}
