//! Loading of a project: compilation with Forge's cache, linking, and discovery of suites.
//!
//! Only this module uses foundry-compilers and solar. After [`Project::load`], a [`Project`] is immutable,
//! and all queries are look-ups in memory. The results depend only on the sources and the configuration, and
//! all orders are those of Forge.

mod compile;
mod contract;
mod declared;
mod discover;
mod error;
mod events;
mod identify;
mod imports;
mod layout;
mod link;
mod literals;
mod lookup;
mod outline;
mod profiles;
mod settings;
mod sourcemap;
mod sources;
mod structs;
mod submodules;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod toolchain;

pub use contract::{Code, Contract, LinkReference};
pub use discover::{FunctionKind, Naming, Suite, SuiteFault, TestFunction};
pub use error::ProjectError;
pub use events::{CompileEvent, Sink};
pub use layout::{Encoding, Layout, Variable};
pub use link::{LIBRARY_DEPLOYER, Library};
pub use literals::{Literals, WordKind};
pub use lookup::LookupError;
pub use outline::{CodeOutline, FunctionOutline, Outline, SourceOutline, Statement, StatementId};
pub use sources::{DocComment, Location};
pub use structs::Structs;
pub use toolchain::ToolchainError;

use crate::{
    config::Config,
    model::{ContractId, Place, controls},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{B256, Bytes};
use compile::Output;
use declared::{Declared, SourceSpot};
use foundry_compilers::{
    ArtifactId, artifacts::ConfigurableContractArtifact, artifacts::remappings::Remapping,
};
use identify::Matcher;
use imports::Imports;
use sourcemap::FileIndex;
use sources::Sources;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use toolchain::Places;

/// Prefix of settings in doc comments of tests.
const INLINE_CONFIG: &str = "forge-config:";

/// A compiled and linked project.
pub struct Project {
    contracts: Vec<Arc<Contract>>,
    libraries: Vec<Library>,
    matcher: Matcher,
    /// Directories whose literals are added to the dictionary.
    literal_roots: Vec<PathBuf>,
    literals: OnceLock<Literals>,
    structs: OnceLock<Structs>,
    declared: OnceLock<Declared>,
    outline: OnceLock<Outline>,
    /// Directories of libraries, relative to the root, each with a `/` at its end.
    library_dirs: Vec<String>,
    /// Directories of contracts, tests and scripts, in this order and the same form.
    own_dirs: Vec<String>,
    imports: Imports,
    /// Imports together with the sources named in strings, computed on first use.
    imports_and_names: OnceLock<Imports>,
    root: PathBuf,
    /// Parsed sources; `None` for a project without sources.
    sources: Option<Sources>,
    /// Files by source-map index, for each build.
    builds: BTreeMap<String, FileIndex>,
    /// Rules for the names of test functions.
    pub naming: Naming,
}

/// Kind of a contract's code: creation or runtime code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeKind {
    /// Creation code, which CREATE executes.
    Creation,
    /// Runtime code, which is stored on the chain.
    Runtime,
}

impl Project {
    /// Compiles the sources that changed since the last build, by Forge or by us, and links the contracts.
    ///
    /// `events` receives the events of compilation, so that the caller can print them.
    ///
    /// # Errors
    /// Fails if no compiler fits, if the sources do not compile, or if a library is missing; see
    /// [`ProjectError`].
    pub fn load(config: &Config, events: Sink<'_>) -> Result<Self, ProjectError> {
        Self::load_with(config, &Places::from_env(), events)
    }

    fn load_with(config: &Config, places: &Places, events: Sink<'_>) -> Result<Self, ProjectError> {
        let loaded = compile::run(config, places, events, |output| Self::new(config, output))?;
        Ok(loaded.unwrap_or_else(Self::empty))
    }

    fn empty() -> Self {
        Self::of(Vec::new())
    }

    /// Makes a project of artifacts, each given by its source path, its name and its JSON. The result is that
    /// of [`Self::load`], but without a build and without sources. It is for tests with artifacts that no
    /// compiler wrote.
    ///
    /// # Errors
    /// Fails if the JSON is no valid artifact, or if a library is missing.
    #[doc(hidden)]
    pub fn of_artifacts(artifacts: &[(&str, &str, &[u8])]) -> Result<Self, ProjectError> {
        let root = Path::new("/project");
        let mut contracts = Vec::new();
        for (path, name, json) in artifacts {
            let artifact = serde_json::from_slice(json)
                .map_err(|error| ProjectError::Build(format!("{path}:{name}: {error}")))?;
            let id = ArtifactId {
                path: root.join("out").join(path).join(format!("{name}.json")),
                name: (*name).to_owned(),
                source: root.join(path),
                version: semver::Version::new(0, 8, 30),
                build_id: String::new(),
                profile: "default".to_owned(),
            };
            contracts.extend(compiled(root, id, artifact)?);
        }
        let libraries = link::link(&mut contracts, LIBRARY_DEPLOYER, 0)?;
        let files = artifacts.iter().zip(0..).map(|((path, ..), index)| (index, root.join(path)));
        let builds = BTreeMap::from([(String::new(), files.collect())]);
        let contracts = contracts.into_iter().map(Arc::new).collect();
        Ok(Self { libraries, builds, root: root.to_owned(), ..Self::of(contracts) })
    }

    /// Makes a project of contracts without sources.
    pub(crate) fn of(contracts: Vec<Arc<Contract>>) -> Self {
        Self {
            matcher: Matcher::new(&contracts),
            contracts,
            libraries: Vec::new(),
            literal_roots: Vec::new(),
            literals: OnceLock::new(),
            structs: OnceLock::new(),
            declared: OnceLock::new(),
            outline: OnceLock::new(),
            library_dirs: Vec::new(),
            own_dirs: Vec::new(),
            imports: Imports::default(),
            imports_and_names: OnceLock::new(),
            root: PathBuf::new(),
            sources: None,
            builds: BTreeMap::new(),
            naming: Naming::default(),
        }
    }

    fn new(config: &Config, mut output: Output<'_>) -> Result<Self, ProjectError> {
        let root = &config.paths.root;
        let sources = Sources::take(output.parser_mut(), root);
        let imports = Imports::of(output.graph());
        let builds =
            output.builds().map(|(id, build)| (id.clone(), build.source_id_to_path.clone())).collect();
        let artifacts = output.into_artifacts();
        let mut contracts = artifacts
            .filter_map(|(id, artifact)| compiled(root, id, artifact).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        contracts.sort_by_cached_key(order);
        let libraries = link::link(&mut contracts, LIBRARY_DEPLOYER, 0)?;
        let contracts = contracts.into_iter().map(Arc::new).collect::<Vec<_>>();
        Ok(Self {
            libraries,
            literal_roots: vec![config.paths.src.clone(), config.paths.test.clone()],
            library_dirs: config.paths.libs.iter().map(|lib| prefix(root, lib)).collect(),
            own_dirs: [&config.paths.src, &config.paths.test, &config.paths.script]
                .map(|own| prefix(root, own))
                .into(),
            imports,
            root: root.clone(),
            sources: Some(sources),
            builds,
            naming: Naming { echidna_style: config.harvey.foreign_properties },
            ..Self::of(contracts)
        })
    }

    /// Returns all contracts in Forge's order, including interfaces and abstract contracts.
    #[must_use]
    pub fn contracts(&self) -> &[Arc<Contract>] {
        &self.contracts
    }

    /// Returns the libraries that [`LIBRARY_DEPLOYER`] deploys before each suite, in this order and with
    /// nonces from zero.
    #[must_use]
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Returns the contract with this identifier.
    #[must_use]
    pub fn contract(&self, id: &ContractId) -> Option<&Arc<Contract>> {
        self.contracts.iter().find(|contract| contract.id == *id)
    }

    /// Returns all test contracts, ordered by identifier.
    #[must_use]
    pub fn suites(&self) -> Vec<Suite> {
        let mut suites =
            self.contracts.iter().filter_map(|contract| Suite::of(contract, self.naming)).collect::<Vec<_>>();
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
            let source = BTreeSet::from([self.root.join(&id.path)]);
            suites.iter().any(|suite| self.dependencies().reach(&self.root.join(&suite.id().path), &source))
        };
        let is_wanted = |contract: &&Arc<Contract>| {
            self.is_callable(contract)
                && self.is_contract(&contract.id.path)
                && Suite::of(contract, self.naming).is_none()
                && (all || self.declarations().asserts(&contract.id) && !is_covered(&contract.id))
        };
        let mut scans: Vec<_> = self.contracts.iter().filter(is_wanted).map(Suite::scan).collect();
        scans.sort_by(|a, b| a.id().cmp(b.id()));
        scans
    }

    /// Tells whether a contract has something to call and can be deployed, as far as its code shows.
    #[must_use]
    pub fn is_callable(&self, contract: &Contract) -> bool {
        let abi = &contract.abi;
        let is_called = abi.functions().next().is_some() || abi.receive.is_some() || abi.fallback.is_some();
        is_called && !contract.creation.is_empty() && self.declarations().is_concrete(&contract.id)
    }

    /// Returns the doc comments of contracts and functions in all files that contain inline configuration.
    #[must_use]
    pub fn doc_comments(&self) -> Vec<DocComment> {
        self.sources.as_ref().map(|sources| sources.doc_comments(INLINE_CONFIG)).unwrap_or_default()
    }

    /// Returns the literals in the sources and tests, collected on first use.
    #[must_use]
    pub fn literals(&self) -> &Literals {
        let wanted = |path: &Path| self.literal_roots.iter().any(|root| path.starts_with(root));
        self.literals.get_or_init(|| match &self.sources {
            Some(sources) => Literals::of(sources, wanted),
            None => Literals::default(),
        })
    }

    /// Tells whether a suite depends on one of the `changed` files, given by absolute paths. A suite depends
    /// on the sources that it imports, directly or not, and on those that it names in strings, as for
    /// `vm.getCode`. All suites depend on foundry.toml and remappings.txt.
    #[must_use]
    pub fn is_affected(&self, suite: &Suite, changed: &BTreeSet<PathBuf>) -> bool {
        let is_source = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "sol" || extension == "vy")
        };
        let is_setting = |path: &PathBuf| {
            path.parent() == Some(&self.root)
                && path.file_name().is_some_and(|name| name == "foundry.toml" || name == "remappings.txt")
        };
        changed.iter().any(|path| !is_source(path) && is_setting(path))
            || self.dependencies().reach(&self.root.join(&suite.id().path), changed)
    }

    fn dependencies(&self) -> &Imports {
        self.imports_and_names.get_or_init(|| match &self.sources {
            Some(sources) => self.imports.with_names(sources),
            None => Imports::default(),
        })
    }

    /// Returns the place where a contract is declared.
    #[must_use]
    pub fn declared(&self, contract: &ContractId) -> Option<Place> {
        self.placed(self.declarations().contract(contract)?)
    }

    /// Returns the place where a function of a contract is declared, in the contract itself or in a base.
    #[must_use]
    pub fn function_declared(&self, contract: &ContractId, signature: &str) -> Option<Place> {
        self.placed(self.declarations().function(contract, signature)?)
    }

    /// Tells whether an `assert` is at a place.
    #[must_use]
    pub fn is_assert(&self, place: &Place) -> bool {
        self.sources.as_ref().is_some_and(|sources| sources.has_at(place, "assert"))
    }

    /// Returns text that identifies a place even if its line moves within the file: the path, the text of the
    /// line, the column in this text, and the number of equal lines before it.
    #[must_use]
    pub fn fingerprint(&self, place: &Place) -> Option<String> {
        let (text, column, nth) = self.sources.as_ref()?.line(place)?;
        Some(format!("{}\n{text}\n{column}\n{nth}", place.path))
    }

    fn placed(&self, spot: SourceSpot) -> Option<Place> {
        self.sources.as_ref()?.place(&spot.path, spot.offset)
    }

    fn declarations(&self) -> &Declared {
        self.declared.get_or_init(|| self.sources.as_ref().map(Declared::of).unwrap_or_default())
    }

    /// Returns the functions and statements of all sources, collected on first use.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| self.sources.as_ref().map(Outline::of).unwrap_or_default())
    }

    /// Returns the statement of each instruction in a contract's runtime code; `None` if the sources of its
    /// build are unknown.
    #[must_use]
    pub fn code_outline<'a>(&'a self, contract: &'a Contract) -> Option<&'a CodeOutline> {
        let files = self.builds.get(&contract.build)?;
        let code = &contract.runtime;
        Some(code.outline.get_or_init(|| CodeOutline::of(code, files, self.outline())))
    }

    /// Tells whether a source belongs to a library: it is in a directory of libraries, or it is in a
    /// directory named `lib` or `node_modules` and not among the project's own sources. The second rule is
    /// needed because the path of a symbolic link differs from that in the configuration.
    #[must_use]
    pub fn is_library(&self, path: &str) -> bool {
        let is_in =
            |dirs: &[String]| dirs.iter().any(|dir| !dir.is_empty() && path.starts_with(dir.as_str()));
        let is_usual = || path.split('/').any(|part| matches!(part, "lib" | "node_modules"));
        is_in(&self.library_dirs) || !is_in(&self.own_dirs) && is_usual()
    }

    /// Tells whether a source is in the directory of contracts, and not in that of tests or scripts.
    #[must_use]
    pub fn is_contract(&self, path: &str) -> bool {
        let [contracts, others @ ..] = &self.own_dirs[..] else { return false };
        let is_other = |dir: &String| dir.len() > contracts.len() && path.starts_with(dir.as_str());
        path.starts_with(contracts.as_str()) && !self.is_library(path) && !others.iter().any(is_other)
    }

    /// Returns the structs of all sources, collected on first use.
    #[must_use]
    pub fn structs(&self) -> &Structs {
        self.structs.get_or_init(|| self.sources.as_ref().map(Structs::of).unwrap_or_default())
    }

    /// Returns the contract that a CREATE with `init` (creation code and arguments) left as `runtime`, by
    /// Forge's rules. Equal or similar creation code of a contract with about the same length is preferred,
    /// then similar runtime code. Small contracts may be confused with each other.
    #[must_use]
    pub fn identify_created(&self, runtime: &[u8], init: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.created(&self.contracts, runtime, init).map(|index| &self.contracts[index])
    }

    /// Returns the contract with the most similar runtime code, if at most 15 % of the bytes differ. This is
    /// Forge's rule for contracts that are created during a run.
    #[must_use]
    pub fn identify_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.runtime(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// Returns the contract whose runtime code is equal, apart from immutables, library addresses and
    /// metadata.
    #[must_use]
    pub fn exact_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.exact(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// Returns a hash of runtime code that is equal for all instances of a contract. Metadata is ignored, and
    /// for contracts of the project also immutables and library addresses.
    #[must_use]
    pub fn code_identity(&self, runtime: &[u8]) -> B256 {
        identify::identity(self.exact_runtime(runtime).map(|contract| &contract.runtime), runtime)
    }

    /// Returns the place in the sources of the instruction at `pc`.
    #[must_use]
    pub fn locate(&self, contract: &Contract, kind: CodeKind, pc: usize) -> Option<Location> {
        let code = match kind {
            CodeKind::Creation => &contract.creation,
            CodeKind::Runtime => &contract.runtime,
        };
        code.locate(pc, self.builds.get(&contract.build)?, self.sources.as_ref()?)
    }

    /// Tells whether an internal function of the contract returns to `pc` in its runtime code. If so, the
    /// place of `pc` is that of the call.
    #[must_use]
    pub fn is_returned_to(&self, contract: &Contract, pc: usize) -> bool {
        contract.runtime.is_returned_to(pc)
    }

    /// Returns the contract that `vm.getCode` and related functions mean by `name` in a test of the contract
    /// `running`. The name is `Name`, `File.sol` or `path/File.sol:Name`, each optionally followed by a
    /// version such as `:0.8.23`.
    ///
    /// # Errors
    /// Fails if no contract or several contracts match. Names that end in `.json` are files and are not
    /// handled here.
    pub fn artifact(&self, name: &str, running: Option<&Contract>) -> Result<&Arc<Contract>, LookupError> {
        lookup::artifact(&self.contracts, name, running)
    }

    /// Returns the contract whose creation code is the longest one that `code` begins with; the rest are
    /// constructor arguments.
    #[must_use]
    pub fn with_creation_code(&self, code: &[u8]) -> Option<&Arc<Contract>> {
        let known =
            |contract: &&Arc<Contract>| contract.creation_code().is_some_and(|known| code.starts_with(known));
        self.contracts
            .iter()
            .filter(known)
            .max_by_key(|contract| contract.creation_code().map(|code| code.len()))
    }

    /// Returns the contracts whose artifacts contain exactly this code.
    pub fn with_code<'a>(
        &'a self,
        code: &'a [u8],
        kind: CodeKind,
    ) -> impl Iterator<Item = &'a Arc<Contract>> {
        self.contracts
            .iter()
            .filter(move |contract| contract.code(kind).is_some_and(|known| **known == *code))
    }

    /// Returns the linked code of the contract found by [`Self::artifact`]. In runtime code, immutables are
    /// zero.
    ///
    /// # Errors
    /// Fails if no contract or several contracts match, or if the contract has no code.
    pub fn artifact_code(
        &self,
        name: &str,
        running: Option<&Contract>,
        kind: CodeKind,
    ) -> Result<&Bytes, LookupError> {
        self.artifact(name, running)?.code(kind).ok_or(LookupError::NoBytecode)
    }

    /// Returns the contract that `targetArtifacts` and related functions mean by `Name` or `path:Name`.
    ///
    /// # Errors
    /// Fails if several contracts have this name.
    pub fn by_identifier(&self, name: &str) -> Result<Option<&Arc<Contract>>, LookupError> {
        lookup::by_identifier(&self.contracts, name)
    }
}

/// Returns the remappings, `name/=path/`, that Forge detects in a directory of libraries.
#[must_use]
pub fn find_remappings(library: &Path) -> Vec<String> {
    Remapping::find_many(library).iter().map(ToString::to_string).collect()
}

/// Converts an artifact to a contract; returns `None` for files that contain only an AST.
fn compiled(
    root: &Path,
    id: ArtifactId,
    artifact: ConfigurableContractArtifact,
) -> Result<Option<Contract>, ProjectError> {
    let creation = artifact.bytecode.map(Code::new).unwrap_or_default();
    let runtime = artifact.deployed_bytecode.map(Code::deployed).unwrap_or_default();
    if id.source.to_string_lossy().contains(controls) {
        return Err(ProjectError::FileName { path: id.source });
    }
    let Some(abi) = artifact.abi else {
        return match creation.is_empty() && runtime.is_empty() {
            true => Ok(None),
            false => Err(ProjectError::Damaged { path: id.path, problem: "it has code and no `abi`" }),
        };
    };
    if id.name.contains(controls) || names(&abi).any(|name| name.contains(controls)) {
        return Err(ProjectError::Damaged { path: id.path, problem: "it has names that are no identifiers" });
    }
    Ok(Some(Contract {
        id: ContractId { path: sources::relative(root, &id.source), name: id.name },
        artifact: id.path,
        version: id.version,
        profile: id.profile,
        abi: Arc::new(abi),
        creation,
        runtime,
        layout: artifact.storage_layout.and_then(Layout::new),
        build: id.build_id,
    }))
}

/// Iterates over the names of functions, events and errors, and over the names and types of the parameters of
/// functions and the constructor.
fn names(abi: &JsonAbi) -> impl Iterator<Item = &str> {
    let constructor = abi.constructor.iter().map(|constructor| &constructor.inputs);
    let inputs = abi.functions().map(|function| &function.inputs).chain(constructor);
    let params = inputs.flatten().flat_map(|param| [&*param.name, &*param.ty]);
    let functions = abi.functions().map(|function| &*function.name);
    let events = abi.events().map(|event| &*event.name);
    functions.chain(events).chain(abi.errors().map(|error| &*error.name)).chain(params)
}

/// Returns the prefix of the paths in a directory: its path relative to the root, with a `/` at its end.
fn prefix(root: &Path, directory: &Path) -> String {
    match sources::relative(root, directory) {
        root if root.is_empty() => root,
        directory => directory + "/",
    }
}

/// Returns the sort key for Forge's order of artifacts.
fn order(contract: &Contract) -> impl Ord + use<> {
    let Contract { artifact, id, version, build, profile, .. } = contract;
    (artifact.clone(), id.name.clone(), id.path.clone(), version.clone(), build.clone(), profile.clone())
}
