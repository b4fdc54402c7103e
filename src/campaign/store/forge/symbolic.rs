//! Counterexamples of Forge's symbolic mode: `<cache_path>/symbolic/<suite>/<name>-<hash>.json`.
//!
//! They are seeds: a campaign runs the calls first, like those of an earlier failure.

use crate::{
    campaign::store::{corpus::CorpusEntry, json_files},
    files::nofollow,
    model::{ContractId, Input, Property, PropertyKind, Sequence, TargetSet, Transaction},
};
use alloy_primitives::{Address, Bytes, U256};
use serde::{Deserialize, de::IgnoredAny};
use std::path::{Path, PathBuf};

/// Schema and version of the files that are read.
const SCHEMA: &str = "foundry:symbolic.counterexample@v1";
const VERSION: u64 = 1;
/// Maximum number of files of a suite, and maximum number of their bytes; further files are not read.
const MOST_FILES: usize = 4096;
const MOST_OF_ALL: usize = 1 << 26;

/// Counterexample of the symbolic mode.
#[derive(Clone, Debug, Deserialize)]
pub struct SymbolicArtifact {
    /// Shape of the counterexample. The kind of the property decides how it is run.
    #[serde(rename = "kind")]
    _kind: ArtifactKind,
    test: TestIdentity,
    /// Storage that the symbolic mode assumed before the calls.
    #[serde(default)]
    storage: Vec<IgnoredAny>,
    calls: Vec<ArtifactCall>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ArtifactKind {
    SingleCall,
    Sequence,
}

#[derive(Clone, Debug, Deserialize)]
struct TestIdentity {
    /// `path:Name` of the test contract.
    contract: String,
    /// Signature of the test.
    test: String,
}

#[derive(Clone, Debug, Deserialize)]
struct ArtifactCall {
    warp: Option<U256>,
    roll: Option<U256>,
    sender: Address,
    target: Address,
    calldata: Bytes,
    value: Option<U256>,
    signature: Option<String>,
}

/// Test environment in which an artifact is run.
#[derive(Clone, Copy)]
pub struct ArtifactPlace<'a> {
    /// Current targets.
    pub targets: &'a TargetSet,
    /// Address of the test contract.
    pub test: Address,
    /// Sender of the calls of fuzz tests.
    pub sender: Address,
}

impl SymbolicArtifact {
    /// Tells whether a file may be an artifact: it is an object that names a schema.
    #[must_use]
    pub fn is_one(text: &[u8]) -> bool {
        serde_json::from_slice::<Schema>(text).is_ok()
    }

    /// Parses an artifact.
    ///
    /// # Errors
    /// Fails with the reason if the text is damaged, or if its schema or its version is unknown.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let Schema { schema, schema_version } =
            serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if schema != SCHEMA || schema_version != VERSION {
            return Err(format!(
                "it has the schema {schema:?} in version {schema_version}, and this forge-harvey knows \
                 {SCHEMA:?} in version {VERSION}"
            ));
        }
        let artifact: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        match artifact.calls.is_empty() {
            true => Err("it has no calls".to_owned()),
            false => Ok(artifact),
        }
    }

    /// Tells whether it belongs to this suite.
    #[must_use]
    pub fn is_of(&self, suite: &ContractId) -> bool {
        self.test.contract == suite.to_string()
    }

    /// Tells whether it belongs to this property of its suite.
    #[must_use]
    pub fn is_of_property(&self, property: &Property) -> bool {
        property.function.signature() == self.test.test
    }

    /// Returns the calls as an input that any suite with such functions can run.
    ///
    /// # Errors
    /// Fails with the reason if the calls alone do not show the failure.
    pub fn entry(&self) -> Result<CorpusEntry, String> {
        if !self.storage.is_empty() {
            return Err(format!(
                "it assumes storage that setUp does not write ({} slots), which only \
                 `forge test --replay-symbolic-artifact FILE` sets",
                self.storage.len()
            ));
        }
        let calls = self.calls.iter().map(|call| (call.transaction(), call.signature.clone()));
        Ok(CorpusEntry::imported(calls))
    }

    /// Returns the calls for a property of the current suite.
    ///
    /// # Errors
    /// Fails with the reason if the calls do not exist or alone do not show the failure.
    pub fn sequence(&self, property: &Property, place: ArtifactPlace<'_>) -> Result<Sequence, String> {
        let entry = self.entry()?;
        if property.kind != PropertyKind::Test {
            let sequence = entry.sequence(place.targets);
            return match sequence.is_empty() {
                true => Err("no target has a function that it calls".to_owned()),
                false => Ok(sequence),
            };
        }
        let call = self.calls[0].transaction();
        let input = Input::decode(&property.function, &call.input.calldata());
        if self.calls.len() > 1 || input.function().is_none() {
            return Err(format!("it is no call of {}", property.function.signature()));
        }
        Ok(vec![Transaction { target: place.test, sender: place.sender, input, ..call }])
    }
}

impl ArtifactCall {
    fn transaction(&self) -> Transaction {
        Transaction {
            sender: self.sender,
            target: self.target,
            value: self.value.unwrap_or_default(),
            warp: self.warp.unwrap_or_default(),
            roll: self.roll.unwrap_or_default(),
            input: Input::Raw(self.calldata.clone()),
            reentry: None,
        }
    }
}

#[derive(Deserialize)]
struct Schema {
    schema: String,
    schema_version: u64,
}

/// Returns the artifacts of a suite below the project's cache, with their files, sorted by name. Also returns a
/// warning for each file that cannot be used.
#[must_use]
pub fn symbolic_artifacts(
    cache: &Path,
    suite: &ContractId,
) -> (Vec<(PathBuf, SymbolicArtifact)>, Vec<String>) {
    let dir = cache.join("symbolic").join(sanitised(&suite.to_string()));
    let (mut artifacts, mut warnings) = (Vec::new(), Vec::new());
    let mut length = 0;
    for (index, path) in json_files(&dir).into_iter().enumerate() {
        if index >= MOST_FILES || length >= MOST_OF_ALL {
            warnings.push(format!("read only the first files in {}, which are too many", dir.display()));
            break;
        }
        let text = nofollow::read(&path).map_err(|error| error.to_string());
        length += text.as_ref().map_or(0, Vec::len);
        match text.and_then(|text| SymbolicArtifact::parse(&text)) {
            Ok(artifact) if artifact.is_of(suite) => artifacts.push((path, artifact)),
            Ok(_) => {}
            Err(why) => warnings.push(unusable_artifact(&path, &why)),
        }
    }
    (artifacts, warnings)
}

/// Returns the warning about an artifact that is skipped.
#[must_use]
pub fn unusable_artifact(path: &Path, why: &str) -> String {
    format!("skipped the symbolic counterexample {}: {why}", path.display())
}

/// Returns a name as Forge writes it in paths of artifacts.
fn sanitised(text: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.chars().map(|c| if is_kept(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests;
