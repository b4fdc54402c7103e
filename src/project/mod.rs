//! A directory becomes a frozen [`Project`]: compiled on Forge's cache, linked, its suites found.
//!
//! foundry-compilers and solar are named in this room only. Everything after [`Project::load`] is look-up in
//! memory; it depends on the sources and the configuration alone, and all orders are those of Forge.

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

/// Marks doc comments that configure tests.
const INLINE_CONFIG: &str = "forge-config:";

/// A compiled and linked project.
pub struct Project {
    contracts: Vec<Arc<Contract>>,
    libraries: Vec<Library>,
    matcher: Matcher,
    /// Directories whose literals feed the dictionary.
    literal_roots: Vec<PathBuf>,
    literals: OnceLock<Literals>,
    structs: OnceLock<Structs>,
    declared: OnceLock<Declared>,
    outline: OnceLock<Outline>,
    /// Directories of libraries, relative to the root, each with a `/` behind it.
    library_dirs: Vec<String>,
    /// The same of contracts, and then of tests and scripts.
    own_dirs: Vec<String>,
    imports: Imports,
    /// The same with what sources name in strings, when first asked for.
    imports_and_names: OnceLock<Imports>,
    root: PathBuf,
    /// `None` for a project without sources.
    sources: Option<Sources>,
    /// Source-map indices of each build.
    builds: BTreeMap<String, FileIndex>,
    /// Which functions are tests.
    pub naming: Naming,
}

/// Which code of a contract a program counter belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeKind {
    /// The code that a CREATE runs.
    Creation,
    /// The code that stays.
    Runtime,
}

impl Project {
    /// Compiles what changed since the last build, Forge's or ours, and links it.
    ///
    /// `events` is told what happens, for the caller to print.
    ///
    /// # Errors
    /// When there is no fitting compiler, sources do not compile, or a library is missing; see [`ProjectError`].
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

    /// A project of artifacts: the source, the name and the JSON of each. It is what [`Self::load`] makes of a build, without
    /// the build and without sources, for tests that feed it what no compiler wrote.
    ///
    /// # Errors
    /// When one is no artifact, or a library is missing.
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

    /// A project of these contracts, which know nothing of their sources.
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
            naming: Naming { foreign: config.harvey.foreign_properties },
            ..Self::of(contracts)
        })
    }

    /// All contracts, interfaces and abstract ones included, in the order in which Forge keeps them.
    #[must_use]
    pub fn contracts(&self) -> &[Arc<Contract>] {
        &self.contracts
    }

    /// Libraries to deploy before each suite, by [`LIBRARY_DEPLOYER`] with nonces from zero, in this order.
    #[must_use]
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// The contract with this identifier.
    #[must_use]
    pub fn contract(&self, id: &ContractId) -> Option<&Arc<Contract>> {
        self.contracts.iter().find(|contract| contract.id == *id)
    }

    /// All test contracts, ordered by identifier.
    #[must_use]
    pub fn suites(&self) -> Vec<Suite> {
        let mut suites =
            self.contracts.iter().filter_map(|contract| Suite::of(contract, self.naming)).collect::<Vec<_>>();
        suites.sort_by(|a, b| a.id().cmp(b.id()));
        suites
    }

    /// The contracts to be called without a test contract, ordered by identifier: those of the project's own that can be
    /// deployed and called and are no tests. Unless `all` are wanted, they are those in which an `assert` stands, and which
    /// no suite with invariants depends on.
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

    /// Whether a contract can be deployed, as far as its code tells, and has anything to call.
    #[must_use]
    pub fn is_callable(&self, contract: &Contract) -> bool {
        let abi = &contract.abi;
        let is_called = abi.functions().next().is_some() || abi.receive.is_some() || abi.fallback.is_some();
        is_called && !contract.creation.is_empty() && self.declarations().is_concrete(&contract.id)
    }

    /// Doc comments of contracts and their functions, of files that hold inline configuration.
    #[must_use]
    pub fn doc_comments(&self) -> Vec<DocComment> {
        self.sources.as_ref().map(|sources| sources.doc_comments(INLINE_CONFIG)).unwrap_or_default()
    }

    /// The literals in the sources and tests, collected when first asked for.
    #[must_use]
    pub fn literals(&self) -> &Literals {
        let wanted = |path: &Path| self.literal_roots.iter().any(|root| path.starts_with(root));
        self.literals.get_or_init(|| match &self.sources {
            Some(sources) => Literals::of(sources, wanted),
            None => Literals::default(),
        })
    }

    /// Whether a suite depends on one of these sources, which are absolute: it imports them, or names them in text as
    /// `vm.getCode` does. All suites depend on what is no source: foundry.toml, remappings.
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

    /// Where a contract is declared.
    #[must_use]
    pub fn declared(&self, contract: &ContractId) -> Option<Place> {
        self.placed(self.declarations().contract(contract)?)
    }

    /// Where a function of a contract is declared, there or in a base.
    #[must_use]
    pub fn function_declared(&self, contract: &ContractId, signature: &str) -> Option<Place> {
        self.placed(self.declarations().function(contract, signature)?)
    }

    /// Whether an `assert` stands at a place.
    #[must_use]
    pub fn is_assert(&self, place: &Place) -> bool {
        self.sources.as_ref().is_some_and(|sources| sources.has_at(place, "assert"))
    }

    /// What tells a place from others for as long as its line stays the same, wherever that moves to: its file, the text of its
    /// line, the column in that, and which of the lines of this text it is.
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

    /// Functions and statements of all sources, read when first asked for.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| self.sources.as_ref().map(Outline::of).unwrap_or_default())
    }

    /// What the instructions of a contract's runtime code were made from; `None` where no build says so.
    #[must_use]
    pub fn code_outline<'a>(&'a self, contract: &'a Contract) -> Option<&'a CodeOutline> {
        let files = self.builds.get(&contract.build)?;
        let code = &contract.runtime;
        Some(code.outline.get_or_init(|| CodeOutline::of(code, files, self.outline())))
    }

    /// Whether a source is somebody else's: in a directory of libraries, or where these usually are (a linked directory
    /// has another path than its configuration says).
    #[must_use]
    pub fn is_library(&self, path: &str) -> bool {
        let is_in =
            |dirs: &[String]| dirs.iter().any(|dir| !dir.is_empty() && path.starts_with(dir.as_str()));
        let is_usual = || path.split('/').any(|part| matches!(part, "lib" | "node_modules"));
        is_in(&self.library_dirs) || !is_in(&self.own_dirs) && is_usual()
    }

    /// Whether a source is in the directory of contracts, and not in that of tests or scripts.
    #[must_use]
    pub fn is_contract(&self, path: &str) -> bool {
        let [contracts, others @ ..] = &self.own_dirs[..] else { return false };
        let is_other = |dir: &String| dir.len() > contracts.len() && path.starts_with(dir.as_str());
        path.starts_with(contracts.as_str()) && !self.is_library(path) && !others.iter().any(is_other)
    }

    /// The structs of all sources, collected when first asked for.
    #[must_use]
    pub fn structs(&self) -> &Structs {
        self.structs.get_or_init(|| self.sources.as_ref().map(Structs::of).unwrap_or_default())
    }

    /// The contract that a CREATE with `init` (creation code and arguments) left as `runtime`, by Forge's rules:
    /// equal or similar creation code of a contract of about the same length, else similar runtime code. Small
    /// contracts can be taken for one another.
    #[must_use]
    pub fn identify_created(&self, runtime: &[u8], init: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.created(&self.contracts, runtime, init).map(|index| &self.contracts[index])
    }

    /// The contract with the most similar runtime code, if at most 15 % of the bytes differ: Forge's rule for
    /// contracts that appear during a run.
    #[must_use]
    pub fn identify_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.runtime(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// The contract whose runtime code is equal but for immutables, library addresses and metadata.
    #[must_use]
    pub fn exact_runtime(&self, runtime: &[u8]) -> Option<&Arc<Contract>> {
        self.matcher.exact(&self.contracts, runtime).map(|index| &self.contracts[index])
    }

    /// A hash of runtime code that all instances of a contract share: immutables, library addresses and
    /// metadata are masked where the code is one of the project's.
    #[must_use]
    pub fn code_identity(&self, runtime: &[u8]) -> B256 {
        identify::identity(self.exact_runtime(runtime).map(|contract| &contract.runtime), runtime)
    }

    /// The place in the sources that the instruction at `pc` was made from.
    #[must_use]
    pub fn locate(&self, contract: &Contract, kind: CodeKind, pc: usize) -> Option<Location> {
        let code = match kind {
            CodeKind::Creation => &contract.creation,
            CodeKind::Runtime => &contract.runtime,
        };
        code.locate(pc, self.builds.get(&contract.build)?, self.sources.as_ref()?)
    }

    /// Whether an internal function of the contract returns to `pc` of its runtime code: then the place of `pc`
    /// is that of the call.
    #[must_use]
    pub fn is_returned_to(&self, contract: &Contract, pc: usize) -> bool {
        contract.runtime.is_returned_to(pc)
    }

    /// The contract that `vm.getCode` and its relatives mean by `name` in a test of the contract `running`:
    /// `Name`, `File.sol` or `path/File.sol:Name`, each with `:0.8.23` behind it if need be.
    ///
    /// # Errors
    /// When none or several match. Names that end in `.json` are files and not looked up here.
    pub fn artifact(&self, name: &str, running: Option<&Contract>) -> Result<&Arc<Contract>, LookupError> {
        lookup::artifact(&self.contracts, name, running)
    }

    /// The contract whose creation code this is most like, constructor arguments apart.
    #[must_use]
    pub fn with_creation_code(&self, code: &[u8]) -> Option<&Arc<Contract>> {
        let known =
            |contract: &&Arc<Contract>| contract.creation_code().is_some_and(|known| code.starts_with(known));
        self.contracts
            .iter()
            .filter(known)
            .max_by_key(|contract| contract.creation_code().map(|code| code.len()))
    }

    /// The contracts that have this code, as their artifacts have it.
    pub fn with_code<'a>(
        &'a self,
        code: &'a [u8],
        kind: CodeKind,
    ) -> impl Iterator<Item = &'a Arc<Contract>> {
        self.contracts
            .iter()
            .filter(move |contract| contract.code(kind).is_some_and(|known| **known == *code))
    }

    /// The linked code of [`Self::artifact`]; runtime code has zeros for immutables.
    ///
    /// # Errors
    /// When none or several match, or the contract has no code.
    pub fn artifact_code(
        &self,
        name: &str,
        running: Option<&Contract>,
        kind: CodeKind,
    ) -> Result<&Bytes, LookupError> {
        self.artifact(name, running)?.code(kind).ok_or(LookupError::NoBytecode)
    }

    /// The contract that `targetArtifacts` and its relatives mean by `Name` or `path:Name`.
    ///
    /// # Errors
    /// When several contracts have the name.
    pub fn by_identifier(&self, name: &str) -> Result<Option<&Arc<Contract>>, LookupError> {
        lookup::by_identifier(&self.contracts, name)
    }
}

/// Remappings that a library directory suggests, `name/=path/`, as Forge detects them.
#[must_use]
pub fn find_remappings(library: &Path) -> Vec<String> {
    Remapping::find_many(library).iter().map(ToString::to_string).collect()
}

/// The contract of an artifact; `None` for files that hold an AST only.
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

/// Names of functions, events and errors, and names and types of what functions and constructors take.
fn names(abi: &JsonAbi) -> impl Iterator<Item = &str> {
    let constructor = abi.constructor.iter().map(|constructor| &constructor.inputs);
    let inputs = abi.functions().map(|function| &function.inputs).chain(constructor);
    let params = inputs.flatten().flat_map(|param| [&*param.name, &*param.ty]);
    let functions = abi.functions().map(|function| &*function.name);
    let events = abi.events().map(|event| &*event.name);
    functions.chain(events).chain(abi.errors().map(|error| &*error.name)).chain(params)
}

/// What paths in a directory begin with, once they are relative to the root.
fn prefix(root: &Path, directory: &Path) -> String {
    match sources::relative(root, directory) {
        root if root.is_empty() => root,
        directory => directory + "/",
    }
}

/// What orders Forge's artifacts.
fn order(contract: &Contract) -> impl Ord + use<> {
    let Contract { artifact, id, version, build, profile, .. } = contract;
    (artifact.clone(), id.name.clone(), id.path.clone(), version.clone(), build.clone(), profile.clone())
}
