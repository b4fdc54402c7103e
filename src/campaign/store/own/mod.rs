//! Our own store of failures, with all details, one text file each.
//!
//! The path is `<corpus>/failures/<source>/<Contract>/<failure>.json`, where `<corpus>` is `cache/harvey`
//! unless configured. The files hold details that Forge's cannot: call values, failed assertions next to
//! broken invariants, and the seed. An unreadable file is set aside and reported, never deleted.

mod v1;

use super::{Unreadable, json_files, mangle};
use crate::{
    files::{WriteError, nofollow},
    model::{
        AssertionKind, ContractId, Counterexample, Finding, Property, PropertyKind, TargetSet, Transaction,
        test_id,
    },
};
use alloy_primitives::{U256, hex, keccak256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Property or assertion that failed; it determines the file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Invariant of the suite, by the name of its function.
    Invariant(String),
    /// Fuzz test of the suite, by its signature.
    Test(String),
    /// Assertion inside a called function, or the finding of another oracle.
    Assertion {
        /// [`Finding::id`].
        id: String,
        /// Name of the oracle.
        oracle: String,
        /// Kind of assertion.
        kind: AssertionKind,
        /// `path:Name` of the contract called last.
        contract: String,
        /// Signature of the function called last.
        function: String,
        /// Source location of the assertion, if known.
        location: Option<String>,
    },
}

impl Failed {
    /// Returns the failure of a property.
    #[must_use]
    pub fn of_property(property: &Property) -> Self {
        match property.kind {
            PropertyKind::Test => Self::Test(property.function.signature().to_owned()),
            _ => Self::Invariant(property.function.name.clone()),
        }
    }

    /// Returns the failed assertion of a finding.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self::Assertion {
            id: finding.id.clone(),
            oracle: finding.oracle.to_owned(),
            kind: finding.failure.kind,
            contract: finding.entry.contract.clone(),
            function: finding.entry.function.clone(),
            location: finding.failure.site.location.as_ref().map(ToString::to_string),
        }
    }

    /// Returns the id of the failure in reports, which is the same in every run.
    fn id(&self, suite: &ContractId) -> String {
        match self {
            Self::Invariant(name) => test_id(suite, &format!("{name}()")),
            Self::Test(signature) => test_id(suite, signature),
            Self::Assertion { id, .. } => id.clone(),
        }
    }

    /// Returns the file name: `invariant_x.json`, `testFuzz_x-0123456789abcdef.json` with a hash of the
    /// signature, or `assert-f-0123456789abcdef.json` with a hash of the id. No Solidity name contains `-`.
    fn file_name(&self) -> String {
        match self {
            Self::Invariant(name) => format!("{}.json", mangle(name)),
            Self::Test(signature) => format!("{}-{}.json", mangle(name(signature)), hash(signature)),
            Self::Assertion { id, oracle, function, .. } => {
                format!("{}-{}-{}.json", mangle(oracle), mangle(name(function)), hash(id))
            }
        }
    }
}

fn name(signature: &str) -> &str {
    signature.split('(').next().unwrap_or_default()
}

fn hash(text: &str) -> String {
    hex::encode(&keccak256(text)[..8])
}

/// Saved failure.
#[derive(Clone, Debug)]
pub struct SavedFailure {
    /// Failed property or assertion.
    pub failed: Failed,
    /// Reason, as Forge prints it.
    pub reason: String,
    /// Seed of the run that found it.
    pub seed: U256,
    /// Sequence that reproduces it.
    pub counterexample: Counterexample,
}

/// Failures read from a store.
#[derive(Debug, Default)]
pub struct LoadedFailures {
    /// Failures, in the order of their file names.
    pub saved: Vec<SavedFailure>,
    /// Warnings about unreadable files, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

/// Tells whether any failure of a suite is saved.
#[must_use]
pub fn has_kept(corpus: &Path, suite: &ContractId) -> bool {
    !json_files(&OwnStore::new(corpus, suite).dir).is_empty()
}

/// Returns the file of the failure with this id in reports, if it is saved.
#[must_use]
pub fn find(corpus: &Path, id: &str) -> Option<PathBuf> {
    let directories = |dir: &Path| {
        let mut inner: Vec<_> = fs::read_dir(dir).into_iter().flatten().flatten().collect();
        inner.sort_by_key(fs::DirEntry::file_name);
        inner.into_iter().map(|entry| entry.path())
    };
    let suites = directories(&corpus.join("failures")).flat_map(|source| directories(&source));
    suites.flat_map(|suite| json_files(&suite)).find(|path| {
        let header = read(path).and_then(|text| v1::header(&text));
        header.is_ok_and(|(suite, failed)| failed.id(&suite) == id)
    })
}

/// Our store of the failures of one suite.
#[derive(Clone, Debug)]
pub struct OwnStore {
    suite: ContractId,
    dir: PathBuf,
}

impl OwnStore {
    /// Creates the store of `suite` below the persistence directory.
    #[must_use]
    pub fn new(corpus: &Path, suite: &ContractId) -> Self {
        let dir = corpus.join("failures").join(mangle(&suite.path)).join(mangle(&suite.name));
        Self { suite: suite.clone(), dir }
    }

    /// Returns the path of a failure, even if it is not saved.
    #[must_use]
    pub fn path(&self, failed: &Failed) -> PathBuf {
        self.dir.join(failed.file_name())
    }

    /// Saves a failure, and overwrites an earlier one of the same property. Returns a warning if a damaged
    /// file had its path.
    pub fn save(&self, saved: &SavedFailure) -> Result<Option<String>, WriteError> {
        let path = self.path(&saved.failed);
        let error = |why| WriteError { path: path.clone(), error: io::Error::other(why) };
        let warning = make_room(&path).map_err(error)?;
        nofollow::write(&path, v1::write(&self.suite, saved).as_bytes())?;
        Ok(warning)
    }

    /// Reads all failures and decodes their calldata with `targets`.
    ///
    /// A damaged file is renamed to `<file>.damaged`, and one of a later version is left alone. Both cause a
    /// warning.
    #[must_use]
    pub fn load(&self, targets: &TargetSet) -> LoadedFailures {
        let mut loaded = LoadedFailures::default();
        for path in json_files(&self.dir) {
            match read(&path).and_then(|text| v1::read(&text, targets)) {
                Ok(saved) => loaded.saved.push(saved),
                Err(why) => loaded.warnings.extend(why.warning("saved failure", &path)),
            }
        }
        loaded
    }

    /// Removes a failure whose `calls` no longer fail; its absence is not an error. Files that another
    /// process has written in the meantime, and unreadable ones, are kept.
    pub fn remove(&self, failed: &Failed, calls: &[Transaction], targets: &TargetSet) -> io::Result<()> {
        let kept = read(&self.path(failed)).ok().and_then(|text| counterexample(&text, targets));
        if !kept.is_some_and(|kept| kept.calls.iter().map(|call| &call.tx).eq(calls)) {
            return Ok(());
        }
        nofollow::remove(&self.path(failed))
    }
}

/// Returns the suite and the failed property of a file's text.
///
/// # Errors
/// Fails with the reason if the text is not one of our failures.
pub(super) fn header(text: &str) -> Result<(ContractId, Failed), String> {
    v1::header(text).map_err(|unreadable| unreadable.to_string())
}

/// Returns the suite of a failure file.
///
/// # Errors
/// Fails if it is not a failure file.
pub fn suite(path: &Path) -> Result<ContractId, String> {
    let header = read(path).and_then(|text| v1::header(&text));
    header.map(|(suite, _)| suite).map_err(|why| why.to_string())
}

/// Copies a failure file of another run to its path below `corpus`, unless there is one with at most as many
/// calls. Returns true if it was copied. Adds a warning if a damaged file had its path.
///
/// # Errors
/// Fails if it is not a failure file, or cannot be written.
pub fn adopt(path: &Path, corpus: &Path, warnings: &mut Vec<String>) -> Result<bool, String> {
    let (text, (suite, failed)) = read(path)
        .and_then(|text| v1::header(&text).map(|header| (text, header)))
        .map_err(|why| why.to_string())?;
    let place = OwnStore::new(corpus, &suite).path(&failed);
    warnings.extend(make_room(&place)?);
    let length = |text: &str| v1::length(text).unwrap_or(usize::MAX);
    if read(&place).is_ok_and(|known| length(&known) <= length(&text)) {
        return Ok(false);
    }
    nofollow::write(&place, text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(true)
}

/// Sets aside a damaged file at the path of a failure, so that it is not overwritten. Returns a warning.
///
/// # Errors
/// Fails if a later version wrote the file, it is not readable, or it cannot be set aside.
fn make_room(place: &Path) -> Result<Option<String>, String> {
    match read(place).and_then(|text| v1::header(&text)) {
        Err(Unreadable::LeftAlone(why)) => Err(why),
        Err(damaged @ Unreadable::Damaged(_)) => {
            let warning = damaged.warning("saved failure", place);
            if place.exists() { Err(warning.unwrap_or_default()) } else { Ok(warning) }
        }
        Ok(_) | Err(Unreadable::Gone) => Ok(None),
    }
}

/// Returns the sequence of a file.
pub(super) fn counterexample(text: &str, targets: &TargetSet) -> Option<Counterexample> {
    v1::read(text, targets).ok().map(|saved| saved.counterexample)
}

fn read(path: &Path) -> Result<String, Unreadable> {
    nofollow::read_text(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Unreadable::Damaged(error.to_string()),
        io::ErrorKind::NotFound => Unreadable::Gone,
        _ => Unreadable::LeftAlone(error.to_string()),
    })
}

#[cfg(test)]
mod tests;
