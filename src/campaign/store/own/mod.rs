//! Our own store: everything about a failure, one file each, in plain text.
//!
//! `<corpus>/failures/<source>/<Contract>/<failure>.json`, where `<corpus>` is `cache/harvey` unless it is configured. It holds what Forge's files cannot: value,
//! failed assertions next to broken invariants, the seed. A file that nobody can read is set aside and named,
//! never deleted.

mod v1;

use super::{Unreadable, json_files, mangle};
use crate::{
    files::{WriteError, kept},
    model::{
        AssertionKind, ContractId, Counterexample, Finding, Property, PropertyKind, TargetSet, Transaction,
    },
};
use alloy_primitives::{U256, hex, keccak256};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What failed; names the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// An invariant of the suite, by the name of its function.
    Invariant(String),
    /// A fuzz test of the suite, by its signature.
    Test(String),
    /// An assertion inside a called function, or what a later oracle reports.
    Assertion {
        /// [`Finding::id`].
        id: String,
        /// The oracle's name.
        oracle: String,
        /// Kind of assertion.
        kind: AssertionKind,
        /// `path:Name` of the contract called last.
        contract: String,
        /// Signature of the function called last.
        function: String,
        /// Where the assertion stands, if known.
        location: Option<String>,
    },
}

impl Failed {
    /// The failure of a property.
    #[must_use]
    pub fn of_property(property: &Property) -> Self {
        match property.kind {
            PropertyKind::Test => Self::Test(property.function.signature().to_owned()),
            _ => Self::Invariant(property.function.name.clone()),
        }
    }

    /// What `finding` reports.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self::Assertion {
            id: finding.id.clone(),
            oracle: finding.oracle.to_owned(),
            kind: finding.kind,
            contract: finding.contract.clone(),
            function: finding.function.clone(),
            location: finding.site.location.as_ref().map(ToString::to_string),
        }
    }

    /// `invariant_x.json`, `testFuzz_x-0123456789abcdef.json` with a hash of the signature, or `assert-f-0123456789abcdef.json` with a hash of the id; `-` is in no Solidity name.
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

/// A failure as it is kept.
#[derive(Clone, Debug)]
pub struct SavedFailure {
    /// What failed.
    pub failed: Failed,
    /// Why, as Forge prints it.
    pub reason: String,
    /// The seed of the run that found it.
    pub seed: U256,
    /// How to reproduce it.
    pub counterexample: Counterexample,
}

/// What a store held.
#[derive(Debug, Default)]
pub struct LoadedFailures {
    /// Failures by file name.
    pub saved: Vec<SavedFailure>,
    /// What could not be read, and what became of it; without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

/// Whether any failure of a suite is kept.
#[must_use]
pub fn has_kept(corpus: &Path, suite: &ContractId) -> bool {
    !json_files(&OwnStore::new(corpus, suite).dir).is_empty()
}

/// Our failures of one suite.
#[derive(Clone, Debug)]
pub struct OwnStore {
    suite: ContractId,
    dir: PathBuf,
}

impl OwnStore {
    /// The failures of `suite` below the directory of everything that outlives a run.
    #[must_use]
    pub fn new(corpus: &Path, suite: &ContractId) -> Self {
        let dir = corpus.join("failures").join(mangle(&suite.path)).join(mangle(&suite.name));
        Self { suite: suite.clone(), dir }
    }

    /// Where the failure stands, or would stand.
    #[must_use]
    pub fn path(&self, failed: &Failed) -> PathBuf {
        self.dir.join(failed.file_name())
    }

    /// Writes a failure over an earlier one of the same property; gives a warning if a damaged file stood there.
    pub fn save(&self, saved: &SavedFailure) -> Result<Option<String>, WriteError> {
        let path = self.path(&saved.failed);
        let error = |why| WriteError { path: path.clone(), error: io::Error::other(why) };
        let warning = make_room(&path).map_err(error)?;
        kept::write(&path, v1::write(&self.suite, saved).as_bytes())?;
        Ok(warning)
    }

    /// Reads every failure, decoding calldata with `targets`.
    ///
    /// A damaged file is renamed to `<file>.damaged`; one of a later version is left alone. Both are warned of.
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

    /// Forgets a failure of which `calls` no longer fail; it is no error when there is none. What another process wrote
    /// meanwhile stays, and what cannot be read.
    pub fn remove(&self, failed: &Failed, calls: &[Transaction], targets: &TargetSet) -> io::Result<()> {
        let kept = read(&self.path(failed)).ok().and_then(|text| counterexample(&text, targets));
        if !kept.is_some_and(|kept| kept.calls.iter().map(|call| &call.tx).eq(calls)) {
            return Ok(());
        }
        kept::remove(&self.path(failed))
    }
}

/// Of which suite a file's failure is, and what failed.
///
/// # Errors
/// When the text is none of ours, with the reason.
pub(super) fn header(text: &str) -> Result<(ContractId, Failed), String> {
    v1::header(text).map_err(|unreadable| unreadable.to_string())
}

/// Of which suite the failure of a file is.
///
/// # Errors
/// When it is no failure file.
pub fn suite(path: &Path) -> Result<ContractId, String> {
    let header = read(path).and_then(|text| v1::header(&text));
    header.map(|(suite, _)| suite).map_err(|why| why.to_string())
}

/// Copies a failure file of another run to where it belongs below `corpus`, unless one is there that is no longer; says
/// whether it did. A damaged file that stood there is warned of.
///
/// # Errors
/// When it is no failure file, or cannot be written.
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
    kept::write(&place, text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(true)
}

/// Sets aside what stands in the place of a failure and is damaged, so that nothing is written over it; says so.
///
/// # Errors
/// When a later version wrote it, nobody may read it, or it cannot be set aside.
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

/// The sequence of a file.
pub(super) fn counterexample(text: &str, targets: &TargetSet) -> Option<Counterexample> {
    v1::read(text, targets).ok().map(|saved| saved.counterexample)
}

fn read(path: &Path) -> Result<String, Unreadable> {
    kept::read_text(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Unreadable::Damaged(error.to_string()),
        io::ErrorKind::NotFound => Unreadable::Gone,
        _ => Unreadable::LeftAlone(error.to_string()),
    })
}

#[cfg(test)]
mod tests;
