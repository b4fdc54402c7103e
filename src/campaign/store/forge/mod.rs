//! Forge's persisted failures: files that allow a plain `forge test` to confirm our findings.
//!
//! Forge 1.1 to 1.7 read `<failure_persist_dir>/failures/<Contract>/<invariant>`. Forge 1.8 first reads
//! `<Contract>/invariants/<invariant>`, and reads failed assertions of handlers from `<Contract>/handlers/`.
//! The failing input of a fuzz test has the same path as an invariant in 1.7, but below another directory.
//! Contracts with the same name in different files share a directory. Forge rewrites a file when it replays
//! it, and keeps only one failure in each. These files are therefore only for Forge; our own store is
//! [`own`](super::own).

mod corpus;
mod expressible;
mod file;
mod settings;
mod symbolic;

pub use corpus::{ForgeCorpus, kept_by_forge};
pub use expressible::{ReplayRules, Shows, expressible, value_obstacle};
pub(super) use file::{parse_input, selector_of_input};

pub use file::ForgeFile;
pub use symbolic::{ArtifactPlace, SymbolicArtifact, symbolic_artifacts, unusable_artifact};

use super::json_files;
use crate::{
    config::ForgeVersion,
    files::{WriteError, nofollow},
    model::{Counterexample, SequenceCall, TargetFunction, Transaction},
};
use alloy_primitives::{Address, Selector, hex, keccak256};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Location from which Forge reads a failure of a test contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailurePath<'a> {
    /// Invariant in Forge 1.7 and earlier.
    Invariant(&'a str),
    /// Invariant in Forge 1.8.
    Invariant18(&'a str),
    /// Failed assertion in a call of this function at this address, in Forge 1.8.
    Handler(Address, Selector),
}

impl<'a> FailurePath<'a> {
    /// Returns all places in which a version of Forge looks for a failure of an invariant; the last one is that of
    /// the given version.
    #[must_use]
    pub fn of_invariant(name: &'a str, forge: ForgeVersion) -> Vec<Self> {
        let mut places = vec![Self::Invariant18(name), Self::Invariant(name)];
        if forge.behaviour().keeps_handler_failures {
            places.reverse();
        }
        places
    }

    /// Returns the place of the failed assertion in the last call.
    #[must_use]
    pub fn of_handler(counterexample: &Counterexample) -> Option<Self> {
        let last = counterexample.calls.last()?;
        let selector = last.calldata.get(..4)?.try_into().ok()?;
        Some(Self::Handler(last.tx.target, selector))
    }
}

/// Forge's failures of one test contract.
#[derive(Clone, Debug)]
pub struct ForgeStore {
    dir: PathBuf,
}

impl ForgeStore {
    /// Creates the store of the test contract with the bare name `contract`.
    #[must_use]
    pub fn new(failure_persist_dir: &Path, contract: &str) -> Self {
        Self { dir: failure_persist_dir.join("failures").join(contract) }
    }

    /// Returns the path of a failure.
    #[must_use]
    pub fn path(&self, slot: FailurePath<'_>) -> PathBuf {
        match slot {
            FailurePath::Invariant(name) => self.dir.join(name),
            FailurePath::Invariant18(name) => self.dir.join("invariants").join(name),
            FailurePath::Handler(address, selector) => {
                let site = keccak256([address.as_slice(), selector.as_slice()].concat());
                self.handlers().join(format!("{}.json", hex::encode(site)))
            }
        }
    }

    fn handlers(&self) -> PathBuf {
        self.dir.join("handlers")
    }

    /// Writes a failure, overwrites any earlier one, and returns the path.
    pub fn write(&self, slot: FailurePath<'_>, file: &ForgeFile) -> Result<PathBuf, WriteError> {
        let path = self.path(slot);
        nofollow::write(&path, &file.to_json())?;
        Ok(path)
    }

    /// Returns the failures of an invariant, with their files: first that of 1.8, then that of 1.7 unless it
    /// holds the same calls. Unreadable files count as absent, as in Forge.
    #[must_use]
    pub fn read(&self, invariant: &str) -> Vec<(PathBuf, ForgeFile)> {
        let slots = [FailurePath::Invariant18(invariant), FailurePath::Invariant(invariant)];
        let mut found: Vec<_> = slots.into_iter().filter_map(|slot| read(self.path(slot))).collect();
        found.dedup_by(|second, first| second.1.same_calls(&first.1));
        found
    }

    /// Writes a failing input of a fuzz test for this version, overwrites any earlier one, and returns the path.
    pub fn write_test(
        &self,
        name: &str,
        call: &SequenceCall,
        forge: ForgeVersion,
    ) -> Result<PathBuf, WriteError> {
        let path = self.path(FailurePath::Invariant(name));
        nofollow::write(&path, &file::input_to_json(call, forge.behaviour().replays_value))?;
        Ok(path)
    }

    /// Returns the failing input of a fuzz test of the contract at `address`, with its file; `None` if the
    /// input belongs to another overload.
    #[must_use]
    pub fn read_test(&self, test: &Arc<TargetFunction>, address: Address) -> Option<(PathBuf, Transaction)> {
        let path = self.path(FailurePath::Invariant(&test.name));
        let call = file::parse_input(&nofollow::read(&path).ok()?, test, address)?;
        Some((path, call))
    }

    /// Returns the failed assertions of handlers saved by Forge 1.8, by file name.
    #[must_use]
    pub fn read_handlers(&self) -> Vec<(PathBuf, ForgeFile)> {
        json_files(&self.handlers()).into_iter().filter_map(read).collect()
    }
}

fn read(path: PathBuf) -> Option<(PathBuf, ForgeFile)> {
    let file = ForgeFile::parse(&nofollow::read(&path).ok()?)?;
    Some((path, file))
}

/// Returns Forge's warning, without `Warning: `, for a file whose settings differ, as
/// [`ForgeFile::check_settings`] found.
#[must_use]
pub fn ignored_warning(path: &Path, changes: &[String]) -> String {
    format!(
        "Failure from {path:?} file was ignored because invariant test settings have changed: {}",
        changes.join(", ")
    )
}

/// Returns Forge's warning, without `Warning: `, for a failure that was replayed and still fails.
#[must_use]
pub fn replayed_warning(path: &Path) -> String {
    format!(
        "Replayed invariant failure from {path:?} file. \n\
         Run `forge clean` or remove file to ignore failure and to continue invariant test campaign."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const FAILURE: &str = r#"{"call_sequence":[{"calldata":"0x"}],"settings":{"target_contracts":{},
        "target_selectors":{},"target_senders":[],"excluded_senders":[],"fail_on_revert":false}}"#;

    #[test]
    fn files_stand_where_each_forge_looks() {
        let store = ForgeStore::new(Path::new("cache/invariant"), "BankTest");
        let handler = FailurePath::Handler(Address::with_last_byte(7), [1, 2, 3, 4].into());
        let paths = [FailurePath::Invariant("invariant_x"), FailurePath::Invariant18("invariant_x"), handler]
            .map(|slot| store.path(slot).display().to_string().replace('\\', "/"));
        insta::assert_snapshot!(paths.join("\n"), @"
        cache/invariant/failures/BankTest/invariant_x
        cache/invariant/failures/BankTest/invariants/invariant_x
        cache/invariant/failures/BankTest/handlers/88733c2fef9b31b113cfa5a245dc60f8699a6bb56592904f260daf60564ccf14.json
        ");
    }

    #[test]
    fn the_same_failure_at_both_paths_is_read_once() {
        let dir = tempfile::tempdir().unwrap();
        let store = ForgeStore::new(dir.path(), "T");
        let file = ForgeFile::parse(FAILURE.as_bytes()).unwrap();
        let old = store.write(FailurePath::Invariant("invariant_x"), &file).unwrap();
        assert_eq!(store.read("invariant_x").len(), 1);
        let new = store.write(FailurePath::Invariant18("invariant_x"), &file).unwrap();
        let found = store.read("invariant_x");
        assert_eq!(found.into_iter().map(|(path, _)| path).collect::<Vec<_>>(), [new]);
        fs::write(&old, FAILURE.replace("0x\"", "0x12345678\"")).unwrap();
        assert_eq!(store.read("invariant_x").len(), 2);
        assert_eq!(store.read("invariant_y").len(), 0);
    }

    #[test]
    fn every_json_file_of_a_handler_is_read_whatever_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let store = ForgeStore::new(dir.path(), "T");
        assert_eq!(store.read_handlers().len(), 0);
        let handlers = dir.path().join("failures/T/handlers");
        fs::create_dir_all(&handlers).unwrap();
        for name in ["b.json", "a.json", "c.txt"] {
            fs::write(handlers.join(name), FAILURE).unwrap();
        }
        let names: Vec<_> = store.read_handlers().into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, [handlers.join("a.json"), handlers.join("b.json")]);
    }

    #[test]
    fn warnings_read_as_forge_prints_them() {
        let path = Path::new("/p/cache/invariant/failures/T/invariant_x");
        insta::assert_snapshot!(ignored_warning(path, &["a".into(), "b".into()]), @r#"Failure from "/p/cache/invariant/failures/T/invariant_x" file was ignored because invariant test settings have changed: a, b"#);
        assert_eq!(
            replayed_warning(path),
            "Replayed invariant failure from \"/p/cache/invariant/failures/T/invariant_x\" file. \n\
             Run `forge clean` or remove file to ignore failure and to continue invariant test campaign."
        );
    }
}
