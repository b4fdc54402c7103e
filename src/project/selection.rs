//! Selection of the contracts that are tested or scanned, and of the suites that a change affects.

use crate::{
    model::ContractId,
    project::{
        Project,
        contract::Contract,
        naming::{FunctionKind, Naming},
        suite::Suite,
    },
};
use alloy_json_abi::Function;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Test contract of another fuzzer, which is not run without a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The contract.
    pub id: ContractId,
    /// Number of its properties. Without any, only its assertions can fail.
    pub properties: usize,
    /// True if it has the name that Chimera gives to its test contract.
    pub is_chimera: bool,
}

/// Name of the test contract in Chimera's template.
const CHIMERA: &str = "CryticTester";

impl Project {
    /// Returns the test contracts of other fuzzers that are no suites, ordered by identifier.
    #[must_use]
    pub fn harnesses(&self) -> Vec<Harness> {
        let foreign = Naming { echidna_style: true, ..Naming::default() };
        let harness = |contract: &Arc<Contract>| {
            let is_property = |function: &&Function| {
                foreign.kind(function) == FunctionKind::Invariant
                    && FunctionKind::of(function) == FunctionKind::Other
            };
            let properties = contract.abi.functions().filter(is_property).count();
            let is_chimera = self.is_assertion_harness(contract);
            let is_one = is_chimera || properties > 0 && Suite::of(contract, foreign).is_some();
            is_one.then(|| Harness { id: contract.id.clone(), properties, is_chimera })
        };
        let mut harnesses: Vec<_> = self.contracts().iter().filter_map(harness).collect();
        harnesses.sort_by(|a, b| a.id.cmp(&b.id));
        harnesses
    }

    /// Tells whether a contract is the test contract of Chimera's template, which need not have properties.
    fn is_assertion_harness(&self, contract: &Contract) -> bool {
        contract.bare_name() == CHIMERA && contract.needs_no_arguments() && self.is_callable(contract)
    }

    /// Returns all test contracts, ordered by identifier.
    #[must_use]
    pub fn suites(&self) -> Vec<Suite> {
        let mut suites = self
            .contracts()
            .iter()
            .filter_map(|contract| {
                let naming = self.naming(contract);
                // Assertions in its functions are the properties of such a harness.
                let is_harness = || naming.echidna_style && self.is_assertion_harness(contract);
                Suite::of(contract, naming).or_else(|| is_harness().then(|| Suite::scan(contract)))
            })
            .collect::<Vec<_>>();
        suites.sort_by(|a, b| a.id().cmp(b.id()));
        suites
    }

    /// Returns the contracts to scan, which are called without a test contract, ordered by identifier. They
    /// are the project's own contracts that can be deployed and called and that are no tests. If `all` is
    /// false, only those are returned that contain an `assert` and that no suite with invariants depends on.
    #[must_use]
    pub fn scans(&self, all: bool) -> Vec<Suite> {
        let has_invariants = |suite: &Suite| !suite.properties.is_empty();
        let suites: Vec<_> = self.suites().into_iter().filter(has_invariants).collect();
        let is_covered = |id: &ContractId| {
            let source = BTreeSet::from([self.directories.source(id)]);
            suites.iter().any(|suite| self.sources.depends(&self.directories.source(suite.id()), &source))
        };
        let is_wanted = |contract: &&Arc<Contract>| {
            self.is_callable(contract)
                && self.is_contract(&contract.id.path)
                && Suite::of(contract, self.naming(contract)).is_none()
                && (all || self.sources.declarations().asserts(&contract.id) && !is_covered(&contract.id))
        };
        let mut scans: Vec<_> = self.contracts().iter().filter(is_wanted).map(Suite::scan).collect();
        scans.sort_by(|a, b| a.id().cmp(b.id()));
        scans
    }

    /// Tells whether a contract has something to call and can be deployed, as far as its code shows.
    #[must_use]
    pub fn is_callable(&self, contract: &Contract) -> bool {
        let abi = &contract.abi;
        let is_called = abi.functions().next().is_some() || abi.receive.is_some() || abi.fallback.is_some();
        is_called && !contract.creation.is_empty() && self.sources.declarations().is_concrete(&contract.id)
    }

    /// Tells whether a suite depends on one of the `changed` files, given by absolute paths. A suite depends
    /// on the sources that it imports, directly or not, and on those that it names in strings, as for
    /// `vm.getCode`. All suites depend on foundry.toml and remappings.txt.
    #[must_use]
    pub fn is_affected(&self, suite: &Suite, changed: &BTreeSet<PathBuf>) -> bool {
        changed.iter().any(|path| self.directories.is_settings_file(path))
            || self.sources.depends(&self.directories.source(suite.id()), changed)
    }

    /// Tells whether a source imports or names another one, directly or not, or is it. Both are given by absolute
    /// paths.
    #[must_use]
    pub fn depends(&self, source: &Path, on: &Path) -> bool {
        self.sources.depends(source, &BTreeSet::from([on.to_owned()]))
    }
}
