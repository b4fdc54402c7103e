//! Failure file named by the user: one of ours, or one of Forge's.

use super::{
    forge::{ArtifactPlace, ForgeFile, SymbolicArtifact, parse_input, selector_of_input, unusable_artifact},
    own::{self, Failed},
};
use crate::{
    files,
    model::{ContractId, Counterexample, Property, PropertyKind, Transaction},
};
use alloy_primitives::Selector;
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Failure file that was read but not decoded, which requires a suite.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// Path of the file.
    pub path: PathBuf,
    text: String,
    form: FileFormat,
    taken: Arc<AtomicBool>,
}

#[derive(Clone, Debug)]
enum FileFormat {
    /// Our file, which names its suite and its property.
    Own { suite: ContractId, failed: Failed },
    /// Forge's file, where only the directory and the file name tell contract and property.
    Forge { contract: Option<String>, name: String },
    /// Counterexample of Forge's symbolic mode, which names its suite and its test.
    Symbolic(SymbolicArtifact),
}

impl NamedFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is neither a failure file of ours nor of Forge's.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text =
            files::read_text(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let form = match own::header(&text) {
            Ok((suite, failed)) => FileFormat::Own { suite, failed },
            Err(_) if SymbolicArtifact::is_one(text.as_bytes()) => {
                let artifact = SymbolicArtifact::parse(text.as_bytes());
                let usable = artifact.and_then(|artifact| artifact.entry().map(|_| artifact));
                FileFormat::Symbolic(usable.map_err(|why| unusable_artifact(path, &why))?)
            }
            Err(why) => {
                if !ForgeFile::is_one(text.as_bytes()) {
                    return Err(format!(
                        "{} is no failure file of ours ({why}), nor one of Forge's",
                        path.display()
                    ));
                }
                let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
                // Forge 1.8 has a directory for each kind below that of the contract.
                let is_kind = |name: &String| matches!(name.as_str(), "invariants" | "handlers");
                let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                let contract = path.ancestors().skip(1).filter_map(name).find(|name| !is_kind(name));
                FileFormat::Forge { contract, name: name(path).unwrap_or_default() }
            }
        };
        Ok(Self { path: path.to_owned(), text, form, taken: Arc::default() })
    }

    /// Reads the input of a fuzz test in Forge's form. Also returns the selector of the test.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is no such input.
    pub fn input(path: &Path) -> Result<(Self, Selector), String> {
        let file = Self::read(path)?;
        let selector = selector_of_input(file.text.as_bytes());
        let selector = selector.ok_or_else(|| format!("{} is no input of a fuzz test", path.display()))?;
        Ok((file, selector))
    }

    /// Returns the file as one of this test, whatever its name is.
    #[must_use]
    pub fn of_test(self, suite: &ContractId, test: &str) -> Self {
        let form = FileFormat::Forge { contract: Some(suite.name.clone()), name: test.to_owned() };
        Self { form, ..self }
    }

    /// Returns true if a campaign has replayed the file.
    #[must_use]
    pub fn was_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }

    /// Tells whether the file may belong to this suite. With `guess`, a file of Forge's does only if its
    /// directory has the contract's name.
    #[must_use]
    pub fn is_of(&self, suite: &ContractId, guess: bool) -> bool {
        match &self.form {
            FileFormat::Own { suite: named, .. } => named == suite,
            FileFormat::Symbolic(artifact) => artifact.is_of(suite),
            FileFormat::Forge { contract, .. } => !guess || contract.as_ref() == Some(&suite.name),
        }
    }

    /// Tells whether the file belongs to one of these properties, or to no property at all. In the latter
    /// case, it is for the `first` campaign of its suite.
    #[must_use]
    pub fn is_of_campaign(&self, properties: &[&Property], first: bool) -> bool {
        let is_known = properties.iter().any(|property| self.is_of_property(property));
        let of_none = match &self.form {
            FileFormat::Own { failed, .. } => matches!(failed, Failed::Assertion { .. }),
            FileFormat::Symbolic(_) => false,
            FileFormat::Forge { .. } => ForgeFile::parse(self.text.as_bytes()).is_some(),
        };
        is_known || first && of_none
    }

    /// Tells whether the file belongs to this property, as far as it names one.
    #[must_use]
    pub fn is_of_property(&self, property: &Property) -> bool {
        match &self.form {
            FileFormat::Own { failed, .. } => Failed::of_property(property) == *failed,
            FileFormat::Symbolic(artifact) => artifact.is_of_property(property),
            FileFormat::Forge { name, .. } => property.function.name == *name,
        }
    }

    /// Returns the calls for a suite, and marks the file as replayed. `properties` decode the input of a fuzz test.
    /// Returns `None` if the file belongs to none of them.
    #[must_use]
    pub fn take(&self, place: ArtifactPlace<'_>, properties: &[&Property]) -> Option<Vec<Transaction>> {
        let calls = self.calls(place, properties)?;
        self.taken.store(true, Ordering::Relaxed);
        Some(calls)
    }

    fn calls(&self, place: ArtifactPlace<'_>, properties: &[&Property]) -> Option<Vec<Transaction>> {
        let calls = |found: Counterexample| found.calls.into_iter().map(|call| call.tx).collect();
        match &self.form {
            FileFormat::Own { .. } => return own::counterexample(&self.text, place.targets).map(calls),
            FileFormat::Symbolic(artifact) => {
                let property = properties.iter().find(|property| artifact.is_of_property(property))?;
                return artifact.sequence(property, place).ok();
            }
            FileFormat::Forge { .. } => {}
        }
        if let Some(file) = ForgeFile::parse(self.text.as_bytes()) {
            return Some(calls(file.counterexample(place.targets)));
        }
        let is_test =
            |property: &&&Property| property.kind == PropertyKind::Test && self.is_of_property(property);
        let mut tests = properties.iter().filter(is_test);
        tests
            .find_map(|test_of| parse_input(self.text.as_bytes(), &test_of.function, place.test))
            .map(|tx| vec![tx])
    }
}
