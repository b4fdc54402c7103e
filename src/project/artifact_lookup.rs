//! Look-up of contracts by the names that `vm.getCode`, `vm.deployCode` and target artifacts use.

use crate::project::contract::Contract;
use semver::Version;
use std::{path::Path, sync::Arc};

/// Error of looking up a contract by name, in Forge's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// No contract has this name.
    #[error("no matching artifact found")]
    NotFound,
    /// Several contracts have this name, and the compiler version of the running test does not decide between
    /// them.
    #[error("multiple matching artifacts found")]
    Ambiguous,
    /// The contract has no code, as interfaces and abstract contracts.
    #[error("no bytecode for contract; is it abstract or unlinked?")]
    NoBytecode,
    /// The version in the name is malformed.
    #[error("failed parsing version: {0}")]
    Version(String),
    /// Several contracts have the name given to `targetArtifact` or a related function.
    #[error("{0} has more than one implementation.")]
    SeveralImplementations(String),
}

/// Parts of a name such as `path/File.sol:Name:0.8.23` or `path/File.sol:Name:profile`. Each part is optional, but at
/// least one is given.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query<'a> {
    file: Option<&'a Path>,
    name: Option<&'a str>,
    version: Option<Version>,
    /// Profile of the compiler.
    profile: Option<&'a str>,
}

impl<'a> Query<'a> {
    /// Parses a name. The first part is a file if it contains a dot. The part after the name is a version if it
    /// contains a dot, else a profile, as in Forge 1.8. Further parts are ignored, as in Forge.
    fn parse(text: &'a str) -> Result<Self, LookupError> {
        let mut parts = text.split(':').peekable();
        let file = parts.next_if(|part| part.contains('.')).map(Path::new);
        let name = parts.next_if(|part| file.is_none() || !part.contains('.'));
        let (version, profile) = match parts.next() {
            Some(part) if part.contains('.') => (Some(Version::parse(part)), None),
            part => (None, part),
        };
        let version = version.transpose().map_err(|error| LookupError::Version(error.to_string()))?;
        Ok(Self { file, name, version, profile })
    }

    /// Returns the contracts that match: those of the file itself, if there are any, else those of files whose paths
    /// end with it. Forge takes all of them, and then finds `src/A.sol:A` ambiguous if there is a `lib/x/src/A.sol:A`.
    fn find<'c>(&self, contracts: &'c [Arc<Contract>]) -> Vec<&'c Arc<Contract>> {
        let mut found: Vec<_> = contracts.iter().filter(|contract| self.matches(contract)).collect();
        let is_exact = |contract: &&Arc<Contract>| self.file == Some(Path::new(&contract.id.path));
        if found.iter().any(is_exact) {
            found.retain(is_exact);
        }
        found
    }

    fn matches(&self, contract: &Contract) -> bool {
        self.file.is_none_or(|file| Path::new(&contract.id.path).ends_with(file))
            && self.name.is_none_or(|name| contract.bare_name() == name)
            && self.version.as_ref().is_none_or(|version| same_release(version, &contract.version))
            && self.profile.is_none_or(|profile| contract.profile == profile)
    }
}

fn same_release(a: &Version, b: &Version) -> bool {
    (a.major, a.minor, a.patch) == (b.major, b.minor, b.patch)
}

/// Returns the contract that `text` names in a test of the contract `running`. If several match, the compiler
/// version and then the profile of `running` decide.
pub(crate) fn artifact<'a>(
    contracts: &'a [Arc<Contract>],
    text: &str,
    running: Option<&Contract>,
) -> Result<&'a Arc<Contract>, LookupError> {
    let mut query = Query::parse(text)?;
    let mut found = query.find(contracts);
    if found.is_empty() && query.file.is_some() && query.version.is_none() && query.profile.is_none() {
        // No contract of the file has the name in `File.sol:name`, so it may be that of a profile.
        query.profile = query.name.take();
        found = query.find(contracts);
    }
    if found.is_empty() {
        return Err(LookupError::NotFound);
    }
    if let Some(running) = running {
        if found.len() > 1 && query.version.is_none() {
            found.retain(|contract| contract.version == running.version);
        }
        if found.len() > 1 && query.profile.is_none() {
            found.retain(|contract| contract.profile == running.profile);
        }
    }
    match found[..] {
        [only] => Ok(only),
        _ => Err(LookupError::Ambiguous),
    }
}

/// Returns the contract named `Name` or `path:Name`, as in `targetArtifacts` and related functions.
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
    use crate::project::test_contracts::contract;

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
    fn a_whole_path_names_no_file_of_a_library() {
        let contracts = ["lib/x/src/A.sol:A", "src/A.sol:A"].map(|id| Arc::new(contract(id, "")));
        let find = |text| artifact(&contracts, text, None).map(|found| found.id.path.as_str());
        assert_eq!(find("src/A.sol:A"), Ok("src/A.sol"));
        assert_eq!(find("x/src/A.sol:A"), Ok("lib/x/src/A.sol"));
        assert_eq!(find("A.sol:A"), Err(LookupError::Ambiguous));
    }

    #[test]
    fn a_profile_may_be_named() {
        let profile = |name: &str| Contract { profile: name.into(), ..contract("src/Two.sol:Two", "") };
        let contracts = [Arc::new(profile("default")), Arc::new(profile("ir"))];
        let find = |text, running| artifact(&contracts, text, running).map(|found| found.profile.as_str());
        let running = contract("test/T.t.sol:T", "");
        for text in ["Two:ir", "src/Two.sol:Two:ir", "Two.sol:ir"] {
            assert_eq!(find(text, Some(&running)), Ok("ir"), "{text}");
        }
        assert_eq!(find("Two.sol", Some(&running)), Ok("default"));
        assert_eq!(find("Two", None), Err(LookupError::Ambiguous));
        assert_eq!(find("Two:other", None), Err(LookupError::NotFound));
    }

    #[test]
    fn what_is_not_there_is_said_in_forges_words() {
        assert_eq!(find("Nope", None), "no matching artifact found");
        assert_eq!(find("A:other", None), "no matching artifact found");
        assert_eq!(find("A.sol:Nope", None), "no matching artifact found");
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
