//! Loading of a project: compilation with Forge's cache, linking, and discovery of suites.
//!
//! Only this module uses foundry-compilers and solar. After [`Project::load`], a [`Project`] is immutable,
//! and all queries are look-ups in memory. The results depend only on the sources and the configuration, and
//! all orders are those of Forge.
//!
//! | file | content |
//! |---|---|
//! | `load` | the steps from a configuration to a project |
//! | `compile`, `settings`, `profiles` | the build on Forge's cache, with Forge's compiler settings |
//! | `dynamic_linking/`, `realign` | rewriting of tests before compilation, and places in rewritten tests |
//! | `interface` | parts of a source whose code may be in tests nevertheless |
//! | `toolchain/` | search for compilers; soljson from npm is the last resort |
//! | `events`, `error` | progress and errors of a build |
//! | `faulty_sources` | sources that do not compile |
//! | `artifacts`, `contract` | compiled contracts |
//! | `link`, `link_rules` | linking of contracts with libraries, at Forge's addresses |
//! | `code_matcher`, `artifact_lookup` | look-up of contracts by their code and by name |
//! | `storage_layout`, `sourcemap`, `statement_map` | storage variables, and places in the sources of instructions |
//! | `naming`, `suite`, `selection` | test functions by their names, test contracts, contracts to test or scan |
//! | `source_index`, `sources` | parsed sources, and all that is collected from them on first use |
//! | `old_syntax` | syntax that Solidity no longer has, rewritten for the parser |
//! | `declarations`, `statements`, `decisions`, `struct_members`, `literals` | collections from the sources |
//! | `imports` | dependencies between sources |
//! | `submodules` | advice for dependencies that were not checked out |
//! | `directories` | the project's own directories and those of libraries |
//! | `revision` | commit of the project, as git knows it |

mod artifact_lookup;
mod artifacts;
mod code_matcher;
mod compile;
mod contract;
mod decisions;
mod declarations;
mod directories;
mod dynamic_linking;
mod error;
mod events;
mod faulty_sources;
mod imports;
mod interface;
mod link;
mod link_rules;
mod literals;
mod load;
mod naming;
mod old_syntax;
mod profiles;
mod realign;
mod revision;
mod selection;
mod settings;
mod source_index;
mod sourcemap;
mod sources;
mod statement_map;
mod statements;
mod storage_layout;
mod struct_members;
mod submodules;
mod suite;
#[cfg(test)]
pub(crate) mod test_contracts;
#[cfg(test)]
mod tests;
mod toolchain;

pub use artifact_lookup::LookupError;
pub(crate) use code_matcher::pushed_ranges;
pub use contract::{Code, CodeKind, Contract, LinkReference};
pub use decisions::SourceDecision;
pub use error::ProjectError;
pub use events::{CompileEvent, Sink};
pub use link::{LIBRARY_DEPLOYER, Library};
pub use link_rules::{CREATE2_DEPLOYER, LibraryFactory};
pub use literals::{Literals, WordKind};
pub use load::{find_forge, find_remappings};
pub use naming::{FunctionKind, Naming, is_check};
pub use revision::{changed_lines, revision};
pub use selection::Harness;
pub(crate) use sources::relative_span;
#[cfg(test)]
pub(crate) use sources::tests::parsed;
pub use sources::{DocComment, Location};
pub use statement_map::StatementMap;
pub use statements::{DecisionId, FunctionRange, SourceStatements, Statement, StatementId, Statements};
pub use storage_layout::{StorageEncoding, StorageLayout, StorageVariable};
pub use struct_members::StructMembers;
pub use suite::{Suite, SuiteFault, TestFunction};
#[cfg(unix)]
pub(crate) use toolchain::signal_group;
pub use toolchain::{SourceVariants, ToolchainError};
pub(crate) use toolchain::{end_group, in_own_group, program_in, restrict};

use crate::model::{ContractId, Place};
use alloy_primitives::B256;
use artifacts::Artifacts;
use directories::Directories;
use solar::sema::Source;
use source_index::SourceIndex;
use std::{borrow::Cow, collections::BTreeSet, ops::Range, path::Path, sync::Arc};

/// A compiled and linked project.
#[derive(Default)]
pub struct Project {
    artifacts: Artifacts,
    sources: SourceIndex,
    directories: Directories,
    naming: Naming,
    /// Contracts whose comments enable Forge's symbolic mode.
    symbolic: BTreeSet<ContractId>,
}

/// Contracts, and look-ups among them.
impl Project {
    /// Returns all contracts in Forge's order, including interfaces and abstract contracts.
    #[must_use]
    pub fn contracts(&self) -> &[Arc<Contract>] {
        self.artifacts.contracts()
    }

    /// Adds contracts whose code did not come from the project's sources.
    pub fn add(&mut self, contracts: Vec<Arc<Contract>>) {
        self.artifacts.add(contracts);
    }

    /// Returns the rules for the names of a contract's test functions.
    #[must_use]
    pub fn naming(&self, contract: &Contract) -> Naming {
        let id = ContractId { path: contract.id.path.clone(), name: contract.bare_name().to_owned() };
        Naming { checks: self.naming.checks || self.symbolic.contains(&id), ..self.naming }
    }

    /// Returns the contracts that inherit from a contract, directly or not.
    pub(crate) fn heirs<'a>(&'a self, base: &'a ContractId) -> impl Iterator<Item = &'a Arc<Contract>> {
        let declarations = self.sources.declarations();
        self.contracts().iter().filter(move |heir| declarations.inherits(&heir.id, base))
    }

    /// Returns the libraries that are deployed before each suite, in this order: by their factories, or by
    /// [`LIBRARY_DEPLOYER`] with nonces from zero.
    #[must_use]
    pub fn libraries(&self) -> &[Library] {
        self.artifacts.libraries()
    }

    /// Returns the contract with this identifier.
    #[must_use]
    pub fn contract(&self, id: &ContractId) -> Option<&Arc<Contract>> {
        self.artifacts.contract(id)
    }

    /// Returns the contract that a CREATE with `init` (creation code and arguments) left as `runtime`, by
    /// Forge's rules. Equal or similar creation code of a contract with about the same length is preferred,
    /// then similar runtime code. Small contracts may be confused with each other.
    #[must_use]
    pub fn identify_created(&self, runtime: &[u8], init: &[u8]) -> Option<&Arc<Contract>> {
        self.artifacts.created(runtime, init)
    }

    /// Returns the contract with the most similar runtime code, if at most 15 % of the bytes differ. This is
    /// Forge's rule for contracts that are created during a run.
    #[must_use]
    pub fn identify_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.artifacts.similar_runtime(runtime)
    }

    /// Returns the contract whose runtime code is equal, apart from immutables, library addresses and
    /// metadata.
    #[must_use]
    pub fn exact_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.artifacts.exact_runtime(runtime)
    }

    /// Returns a hash of runtime code that is equal for all instances of a contract. Metadata is ignored, and
    /// for contracts of the project also immutables and library addresses.
    #[must_use]
    pub fn code_identity(&self, runtime: &[u8]) -> B256 {
        self.artifacts.code_identity(runtime)
    }

    /// Returns a hash of the code of all contracts. It does not change with comments or names in the sources.
    #[must_use]
    pub fn code_fingerprint(&self) -> B256 {
        self.artifacts.code_fingerprint()
    }

    /// Returns the contract whose creation code is the longest one that `code` begins with; the rest are
    /// constructor arguments.
    #[must_use]
    pub fn with_creation_code(&self, code: &[u8]) -> Option<&Arc<Contract>> {
        self.artifacts.with_creation_code(code)
    }

    /// Returns the contracts whose artifacts contain exactly this code.
    pub fn with_code<'a>(
        &'a self,
        code: &'a [u8],
        kind: CodeKind,
    ) -> impl Iterator<Item = &'a Arc<Contract>> {
        self.artifacts.with_code(code, kind)
    }

    /// Returns the contract that `vm.getCode` and related functions mean by `name` in a test of the contract
    /// `running`. The name is `Name`, `File.sol` or `path/File.sol:Name`, each optionally followed by a
    /// version such as `:0.8.23`, or by a profile of the compiler.
    ///
    /// # Errors
    /// Fails if no contract or several contracts match. Names that end in `.json` are files and are not
    /// handled here.
    pub fn artifact(&self, name: &str, running: Option<&Contract>) -> Result<&Arc<Contract>, LookupError> {
        self.artifacts.named(name, running)
    }

    /// Returns a name for [`Self::artifact`] whose file is remapped as an import in `running` is.
    #[must_use]
    pub fn remapped<'a>(&self, name: &'a str, running: &Contract) -> Cow<'a, str> {
        let end = name.find(':').unwrap_or(name.len());
        let (file, rest) = name.split_at(end);
        let is_file = file.contains('.');
        let remapped = is_file.then(|| self.directories.remapped(file, &running.id.path)).flatten();
        remapped.map_or(name.into(), |file| (file + rest).into())
    }

    /// Returns the contract that `targetArtifacts` and related functions mean by `Name` or `path:Name`.
    ///
    /// # Errors
    /// Fails if several contracts have this name.
    pub fn by_identifier(&self, name: &str) -> Result<Option<&Arc<Contract>>, LookupError> {
        self.artifacts.by_identifier(name)
    }
}

/// Sources, and places in them.
impl Project {
    /// Tells whether a source belongs to a library: it is in a directory of libraries, or it is in a
    /// directory named `lib` or `node_modules` and not among the project's own sources. The second rule is
    /// needed because the path of a symbolic link differs from that in the configuration.
    #[must_use]
    pub fn is_library(&self, path: &str) -> bool {
        self.directories.is_library(path)
    }

    /// Tells whether a source is in the directory of contracts, and not in that of tests or scripts.
    #[must_use]
    pub fn is_contract(&self, path: &str) -> bool {
        self.directories.is_contract(path)
    }

    /// Tells whether a source in the directory of contracts is scaffolding of tests by its path: a mock, a
    /// harness of a fuzzer, or a test.
    #[must_use]
    pub fn is_scaffolding(&self, path: &str) -> bool {
        self.directories.is_scaffolding(path)
    }

    /// Calls `f` with the relative path, the syntax tree and the text of each source, in the order of their paths.
    pub(crate) fn each_source(&self, f: impl for<'a> FnMut(&str, &'a Source<'a>, &str)) {
        self.sources.each(f);
    }

    /// Returns the doc comments of contracts and functions in all files that contain inline configuration.
    #[must_use]
    pub fn doc_comments(&self) -> Vec<DocComment> {
        self.sources.doc_comments()
    }

    /// Returns the literals in the sources and tests, collected on first use.
    #[must_use]
    pub fn literals(&self) -> &Literals {
        self.sources.literals()
    }

    /// Returns the structs of all sources, collected on first use.
    #[must_use]
    pub fn structs(&self) -> &StructMembers {
        self.sources.structs()
    }

    /// Returns the variables of a contract and its bases that an heir may use: name, and type if it has a name.
    #[must_use]
    pub fn variables(&self, contract: &ContractId) -> Vec<(String, Option<String>)> {
        self.sources.declarations().variables(contract)
    }

    /// Tells whether any contract with this bare name declares a function with this number of parameters.
    #[must_use]
    pub fn declares(&self, contract: &str, function: &str, parameters: usize) -> bool {
        self.sources.declarations().has_function(contract, function, parameters)
    }

    /// Returns the place where a contract is declared.
    #[must_use]
    pub fn declared(&self, contract: &ContractId) -> Option<Place> {
        self.sources.contract_place(contract)
    }

    /// Returns the place where a function of a contract is declared, in the contract itself or in a base.
    #[must_use]
    pub fn function_declared(&self, contract: &ContractId, signature: &str) -> Option<Place> {
        self.sources.function_place(contract, signature)
    }

    /// Tells whether an `assert` of a contract is at a place, and not one of a library.
    #[must_use]
    pub fn is_assert(&self, place: &Place) -> bool {
        self.sources.is_assert(place)
    }

    /// Returns text that identifies a place even if its line moves within the file: the path, the text of the
    /// line, the column in this text, and the number of equal lines before it.
    #[must_use]
    pub fn fingerprint(&self, place: &Place) -> Option<String> {
        self.sources.fingerprint(place)
    }

    /// Returns the place in the sources of the instruction at `pc`.
    #[must_use]
    pub fn locate(&self, contract: &Contract, kind: CodeKind, pc: usize) -> Option<Location> {
        let code = match kind {
            CodeKind::Creation => &contract.creation,
            CodeKind::Runtime => &contract.runtime,
        };
        self.sources.locate(contract, code, pc)
    }

    /// Tells whether an internal function of the contract returns to `pc` in its runtime code. If so, the
    /// place of `pc` is that of the call.
    #[must_use]
    pub fn is_returned_to(&self, contract: &Contract, pc: usize) -> bool {
        contract.runtime.is_returned_to(pc)
    }

    /// Returns the functions and statements of all sources, collected on first use.
    #[must_use]
    pub fn statements(&self) -> &Statements {
        self.sources.statements()
    }

    /// Returns the statement of each instruction in a contract's runtime code; `None` if the sources of its
    /// build are unknown.
    #[must_use]
    pub fn statement_map<'a>(&'a self, contract: &'a Contract) -> Option<&'a StatementMap> {
        self.sources.statement_map(contract)
    }

    /// Tells whether any contract has an instruction of this range of bytes in a source that is no test, given by its
    /// absolute path.
    #[must_use]
    pub fn has_code(&self, source: &Path, range: &Range<usize>) -> bool {
        self.contracts().iter().any(|contract| self.sources.has_code(contract, source, range))
    }
}
