//! Contracts by name: the forms that `vm.getCode`, `vm.deployCode` and the artifact targets take.

use crate::project::contract::Contract;
use semver::Version;
use std::{path::Path, sync::Arc};

/// Why a name gives no contract, in Forge's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Nothing is called so.
    #[error("no matching artifact found")]
    NotFound,
    /// Several contracts are called so, and the running test's compiler does not decide.
    #[error("multiple matching artifacts found")]
    Ambiguous,
    /// The contract has no code of its own.
    #[error("no bytecode for contract; is it abstract or unlinked?")]
    NoBytecode,
    /// What stands where a version should is none.
    #[error("failed parsing version: {0}")]
    Version(String),
    /// Several contracts have the name given to `targetArtifact` and the like.
    #[error("{0} has more than one implementation.")]
    SeveralImplementations(String),
}

/// The parts of `path/File.sol:Name:0.8.23`; each but one may be missing.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query<'a> {
    file: Option<&'a Path>,
    name: Option<&'a str>,
    version: Option<Version>,
}

impl<'a> Query<'a> {
    /// A first part with a dot is a file. What follows a name is a version; what follows that is ignored, as
    /// Forge ignores it.
    fn parse(text: &'a str) -> Result<Self, LookupError> {
        let mut parts = text.split(':').peekable();
        let file = parts.next_if(|part| part.contains('.')).map(Path::new);
        let name = parts.next_if(|part| file.is_none() || !part.contains('.'));
        let version = parts.next().map(Version::parse).transpose();
        Ok(Self { file, name, version: version.map_err(|error| LookupError::Version(error.to_string()))? })
    }

    fn matches(&self, contract: &Contract) -> bool {
        self.file.is_none_or(|file| Path::new(&contract.id.path).ends_with(file))
            && self.name.is_none_or(|name| contract.bare_name() == name)
            && self.version.as_ref().is_none_or(|version| same_release(version, &contract.version))
    }
}

fn same_release(a: &Version, b: &Version) -> bool {
    (a.major, a.minor, a.patch) == (b.major, b.minor, b.patch)
}

/// The contract that `text` names for a test of the contract `running`, whose compiler version and then profile
/// decide between several.
pub(crate) fn artifact<'a>(
    contracts: &'a [Arc<Contract>],
    text: &str,
    running: Option<&Contract>,
) -> Result<&'a Arc<Contract>, LookupError> {
    let query = Query::parse(text)?;
    let mut found = contracts.iter().filter(|contract| query.matches(contract)).collect::<Vec<_>>();
    if let Some(running) = running {
        if found.len() > 1 && query.version.is_none() {
            found.retain(|contract| contract.version == running.version);
        }
        if found.len() > 1 {
            found.retain(|contract| contract.profile == running.profile);
        }
        if let [only] = found[..] {
            return Ok(only);
        }
    }
    match found[..] {
        [only] => Ok(only),
        [] if !contracts.iter().any(|contract| query.matches(contract)) => Err(LookupError::NotFound),
        _ => Err(LookupError::Ambiguous),
    }
}

/// The contract called `Name` or `path:Name`, as `targetArtifacts` and its relatives want it.
pub(crate) fn by_identifier<'a>(
    contracts: &'a [Arc<Contract>],
    text: &str,
) -> Result<Option<&'a Arc<Contract>>, LookupError> {
    let mut found =
        contracts.iter().filter(|contract| contract.id.name == text || contract.id.to_string() == text);
    let first = found.next();
    match found.next() {
        Some(_) => Err(LookupError::SeveralImplementations(text.to_owned())),
        None => Ok(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::contract;

    fn project() -> Vec<Arc<Contract>> {
        let older = |contract: Contract| Contract { version: Version::new(0, 8, 23), ..contract };
        vec![
            Arc::new(contract("src/A.sol:A", "")),
            Arc::new(contract("src/Both.sol:Both", "")),
            Arc::new(older(contract("src/Both.sol:Both.0.8.23", ""))),
            Arc::new(contract("src/deep/A.sol:Other", "")),
        ]
    }

    fn find(text: &str, running: Option<&Contract>) -> String {
        match artifact(&project(), text, running) {
            Ok(contract) => contract.id.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_form_of_a_name_is_understood() {
        assert_eq!(find("A", None), "src/A.sol:A");
        assert_eq!(find("A.sol:A", None), "src/A.sol:A");
        assert_eq!(find("deep/A.sol", None), "src/deep/A.sol:Other");
        assert_eq!(find("src/A.sol:A:0.8.30", None), "src/A.sol:A");
        assert_eq!(find("A:0.8.30:ignored", None), "src/A.sol:A");
        assert_eq!(find("Both:0.8.23", None), "src/Both.sol:Both.0.8.23");
        assert_eq!(find("src/Both.sol:0.8.30", None), "src/Both.sol:Both");
    }

    #[test]
    fn several_matches_are_decided_by_the_running_tests_compiler_or_not_at_all() {
        assert_eq!(find("Both", None), "multiple matching artifacts found");
        let running = contract("test/T.t.sol:T", "");
        assert_eq!(find("Both", Some(&running)), "src/Both.sol:Both");
        let running = Contract { version: Version::new(0, 7, 6), ..running };
        assert_eq!(find("Both", Some(&running)), "multiple matching artifacts found");
        assert_eq!(find("A.sol", Some(&running)), "multiple matching artifacts found");
    }

    #[test]
    fn what_is_not_there_is_said_in_forges_words() {
        assert_eq!(find("Nope", None), "no matching artifact found");
        assert_eq!(
            find("A:default", None),
            "failed parsing version: unexpected character 'd' while parsing major version number"
        );
        assert_eq!(
            find("A:0.8", None),
            "failed parsing version: unexpected end of input while parsing minor version number"
        );
    }

    #[test]
    fn targets_are_named_by_name_or_identifier() {
        let project = project();
        let id = |text| by_identifier(&project, text).unwrap().map(|contract| contract.id.to_string());
        assert_eq!(id("Other"), Some("src/deep/A.sol:Other".into()));
        assert_eq!(id("src/A.sol:A"), Some("src/A.sol:A".into()));
        assert_eq!(id("Both.0.8.23"), Some("src/Both.sol:Both.0.8.23".into()));
        assert_eq!(id("Nope"), None);
    }
}
