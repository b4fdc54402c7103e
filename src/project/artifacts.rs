//! Compiled contracts, linked with their libraries, and look-ups among them by code and by name.

use crate::{
    model::ContractId,
    project::{
        artifact_lookup::{self, LookupError},
        code_matcher::{self, CodeMatcher},
        contract::{CodeKind, Contract},
        error::ProjectError,
        link::{self, Library},
        link_rules::LinkRules,
    },
};
use alloy_primitives::{B256, Keccak256};
use std::sync::Arc;

/// Contracts of a project in Forge's order, and their libraries.
#[derive(Debug, Default)]
pub(crate) struct Artifacts {
    contracts: Vec<Arc<Contract>>,
    libraries: Vec<Library>,
    matcher: CodeMatcher,
}

impl Artifacts {
    /// Takes contracts that need no libraries.
    pub(crate) fn new(contracts: Vec<Arc<Contract>>) -> Self {
        Self { matcher: CodeMatcher::new(&contracts), contracts, libraries: Vec::new() }
    }

    /// Links contracts with the libraries among them.
    ///
    /// # Errors
    /// As those of [`link::link`].
    pub(crate) fn link(mut contracts: Vec<Contract>, rules: &LinkRules<'_>) -> Result<Self, ProjectError> {
        let libraries = link::link(&mut contracts, rules)?;
        Ok(Self { libraries, ..Self::new(contracts.into_iter().map(Arc::new).collect()) })
    }

    /// Adds contracts that need no libraries behind the others, which are found first by their code.
    pub(crate) fn add(&mut self, more: Vec<Arc<Contract>>) {
        let Self { mut contracts, libraries, .. } = std::mem::take(self);
        contracts.extend(more);
        *self = Self { libraries, ..Self::new(contracts) };
    }

    /// Returns all contracts.
    pub(crate) fn contracts(&self) -> &[Arc<Contract>] {
        &self.contracts
    }

    /// Returns the libraries in the order of their deployment.
    pub(crate) fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Returns the contract with this identifier.
    pub(crate) fn contract(&self, id: &ContractId) -> Option<&Arc<Contract>> {
        self.contracts.iter().find(|contract| contract.id == *id)
    }

    /// Returns the contract that a CREATE with `init` left as `runtime`.
    pub(crate) fn created(&self, runtime: &[u8], init: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.created(&self.contracts, runtime, init).map(|index| &self.contracts[index])
    }

    /// Returns the contract with the most similar runtime code, if it is similar enough.
    pub(crate) fn similar_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.runtime(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// Returns the contract with equal runtime code, apart from what differs between its instances.
    pub(crate) fn exact_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.exact(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// Returns a hash of runtime code that is equal for all instances of a contract.
    pub(crate) fn code_identity(&self, runtime: &[u8]) -> B256 {
        code_matcher::identity(self.exact_runtime(runtime).map(|contract| &contract.runtime), runtime)
    }

    /// Returns a hash of the code of all contracts.
    pub(crate) fn code_fingerprint(&self) -> B256 {
        let mut hash = Keccak256::new();
        let mut contracts: Vec<_> = self.contracts.iter().collect();
        contracts.sort_by(|a, b| a.id.cmp(&b.id));
        for contract in contracts {
            hash.update(contract.id.to_string());
            for code in [&contract.creation, &contract.runtime] {
                let bytes = code_matcher::without_hashes(code);
                hash.update(bytes.len().to_be_bytes());
                hash.update(bytes);
            }
        }
        hash.finalize()
    }

    /// Returns the contract whose creation code is the longest one that `code` begins with.
    pub(crate) fn with_creation_code(&self, code: &[u8]) -> Option<&Arc<Contract>> {
        let known =
            |contract: &&Arc<Contract>| contract.creation_code().is_some_and(|known| code.starts_with(known));
        self.contracts
            .iter()
            .filter(known)
            .max_by_key(|contract| contract.creation_code().map(|code| code.len()))
    }

    /// Iterates over the contracts with exactly this code.
    pub(crate) fn with_code<'a>(
        &'a self,
        code: &'a [u8],
        kind: CodeKind,
    ) -> impl Iterator<Item = &'a Arc<Contract>> {
        self.contracts
            .iter()
            .filter(move |contract| contract.code(kind).is_some_and(|known| **known == *code))
    }

    /// Returns the contract that cheatcodes for code mean by `name` in a test of the contract `running`.
    pub(crate) fn named(
        &self,
        name: &str,
        running: Option<&Contract>,
    ) -> Result<&Arc<Contract>, LookupError> {
        artifact_lookup::artifact(&self.contracts, name, running)
    }

    /// Returns the contract that target artifacts mean by `name`.
    pub(crate) fn by_identifier(&self, name: &str) -> Result<Option<&Arc<Contract>>, LookupError> {
        artifact_lookup::by_identifier(&self.contracts, name)
    }
}
