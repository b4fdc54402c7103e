//! Compiled contracts with their code.

use crate::{
    model::{ContractId, controls},
    project::{
        code_matcher::pushed_words, error::ProjectError, realign::Movements, sourcemap::SourceMap, sources,
        statement_map::StatementMap, storage_layout::StorageLayout,
    },
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::Bytes;
use foundry_compilers::{
    ArtifactId,
    artifacts::{CompactBytecode, CompactDeployedBytecode, ConfigurableContractArtifact, Offsets},
};
use semver::Version;
use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Contract as compiled by one compiler with one profile.
///
/// A source that is compiled by several compilers, or with several profiles, gives several of these. Their
/// [`ContractId::name`]s then end in the version or the profile, as the names of Forge's artifacts do.
#[derive(Debug)]
pub struct Contract {
    /// Source file and name of the artifact.
    pub id: ContractId,
    /// Absolute path of the artifact. Forge orders contracts by these paths.
    pub artifact: PathBuf,
    /// Version of the compiler.
    pub version: Version,
    /// Compiler profile; `default` unless there are additional ones.
    pub profile: String,
    /// ABI of the contract.
    pub abi: Arc<JsonAbi>,
    /// Creation code.
    pub creation: Code,
    /// Runtime code.
    pub runtime: Code,
    /// Storage layout, if the compiler was asked for it by `extra_output`.
    pub layout: Option<StorageLayout>,
    /// Keccak-256 hash of the text of the source that was compiled, in hexadecimal digits; `None` without metadata.
    pub(crate) source_hash: Option<String>,
    /// Id of the build, which maps indices in source maps to files.
    pub(crate) build: String,
}

impl Contract {
    /// Converts an artifact to a contract whose source is relative to `root`; returns `None` for files that
    /// contain only an AST.
    ///
    /// # Errors
    /// Fails if the artifact has code but no ABI, or if names contain control characters.
    pub(crate) fn from_artifact(
        root: &Path,
        id: ArtifactId,
        artifact: ConfigurableContractArtifact,
    ) -> Result<Option<Self>, ProjectError> {
        let path = sources::relative(root, &id.source);
        let compiled = artifact.metadata.as_ref().and_then(|found| found.sources.inner.get(&path));
        let source_hash = compiled.map(|source| source.keccak256.clone());
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
            return Err(ProjectError::Damaged {
                path: id.path,
                problem: "it has names that are no identifiers",
            });
        }
        Ok(Some(Self {
            id: ContractId { path, name: id.name },
            artifact: id.path,
            version: id.version,
            profile: id.profile,
            abi: Arc::new(abi),
            creation,
            runtime,
            layout: artifact.storage_layout.and_then(StorageLayout::new),
            source_hash,
            build: id.build_id,
        }))
    }

    /// Creates a contract without sources, with one kind of its code.
    ///
    /// # Errors
    /// Fails if names contain control characters.
    pub fn without_sources(
        id: ContractId,
        abi: JsonAbi,
        kind: CodeKind,
        code: Bytes,
    ) -> Result<Self, ProjectError> {
        let artifact = PathBuf::from(&id.path);
        if [&id.path, &id.name].into_iter().any(|name| name.contains(controls))
            || names(&abi).any(|name| name.contains(controls))
        {
            return Err(ProjectError::Damaged {
                path: artifact,
                problem: "it has names that are no identifiers",
            });
        }
        // As of created code without sources, whatever a PUSH32 pushes may be an immutable.
        let immutables = |of: CodeKind| match of {
            CodeKind::Runtime if of == kind => pushed_words(&code),
            _ => Vec::new(),
        };
        let code = |of: CodeKind| Code {
            bytes: (of == kind).then(|| code.clone()),
            immutables: immutables(of),
            ..Code::default()
        };
        Ok(Self {
            artifact,
            id,
            version: Version::new(0, 0, 0),
            profile: "default".to_owned(),
            abi: Arc::new(abi),
            creation: code(CodeKind::Creation),
            runtime: code(CodeKind::Runtime),
            layout: None,
            source_hash: None,
            build: String::new(),
        })
    }

    /// Returns the sort key for Forge's order of artifacts.
    pub(crate) fn artifact_order(&self) -> impl Ord + use<> {
        let Self { artifact, id, version, build, profile, .. } = self;
        (artifact.clone(), id.name.clone(), id.path.clone(), version.clone(), build.clone(), profile.clone())
    }

    /// Returns the name in the source: the artifact's name without a version or profile at its end.
    #[must_use]
    pub fn bare_name(&self) -> &str {
        self.id.bare_name()
    }

    /// Tells whether its constructor, if it has one, takes no arguments.
    #[must_use]
    pub fn needs_no_arguments(&self) -> bool {
        self.abi.constructor().is_none_or(|constructor| constructor.inputs.is_empty())
    }

    /// Returns the creation code without constructor arguments; `None` for interfaces and abstract contracts.
    #[must_use]
    pub fn creation_code(&self) -> Option<&Bytes> {
        self.creation.bytes.as_ref().filter(|code| !code.is_empty())
    }

    /// Returns the runtime code with zeros for immutables; `None` for interfaces and abstract contracts.
    #[must_use]
    pub fn runtime_code(&self) -> Option<&Bytes> {
        self.runtime.bytes.as_ref().filter(|code| !code.is_empty())
    }

    /// Returns the creation code, or the runtime code of a contract that was deployed before.
    #[must_use]
    pub fn known_code(&self) -> Option<&Bytes> {
        self.creation_code().or_else(|| self.runtime_code())
    }

    /// Returns the bytes of the creation or runtime code; `None` for interfaces and abstract contracts.
    #[must_use]
    pub fn code(&self, kind: CodeKind) -> Option<&Bytes> {
        match kind {
            CodeKind::Creation => self.creation_code(),
            CodeKind::Runtime => self.runtime_code(),
        }
    }
}

/// Kind of a contract's code: creation or runtime code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeKind {
    /// Creation code, which CREATE executes.
    Creation,
    /// Runtime code, which is stored on the chain.
    Runtime,
}

/// Creation or runtime code of a contract.
#[derive(Debug, Default)]
pub struct Code {
    /// Bytes of the code, with the addresses of libraries filled in; `None` while links are missing.
    pub bytes: Option<Bytes>,
    /// Places where addresses of libraries were filled in, 20 bytes each, in order.
    pub links: Vec<LinkReference>,
    /// Ranges of bytes in runtime code where the constructor writes immutables, in order.
    pub immutables: Vec<Range<usize>>,
    /// Code in hexadecimal digits with placeholders, while links are missing.
    pub(crate) unlinked: Option<String>,
    /// Source map as text.
    pub(crate) source_map: Option<String>,
    /// Parsed source map, computed on first use.
    pub(crate) parsed_map: OnceLock<SourceMap>,
    /// Movements of the texts of its sources before compilation, computed on first use.
    pub(crate) movements: OnceLock<Movements>,
    /// Statement of each instruction, computed on first use.
    pub(crate) statement_map: OnceLock<StatementMap>,
}

/// Place in code for the address of a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkReference {
    /// Offset of the address in the code, in bytes.
    pub start: usize,
    /// Source file, relative to the root, and bare name of the library.
    pub library: ContractId,
}

impl Code {
    /// Reads code from an artifact.
    pub(crate) fn new(bytecode: CompactBytecode) -> Self {
        let links = bytecode.link_references.iter().flat_map(|(path, libraries)| {
            libraries.iter().flat_map(move |(name, places)| {
                let library = ContractId { path: path.clone(), name: name.clone() };
                places
                    .iter()
                    .map(move |place| LinkReference { start: place.start as usize, library: library.clone() })
            })
        });
        let mut links = links.collect::<Vec<_>>();
        links.sort_unstable();
        let unlinked = bytecode.object.is_unlinked();
        Self {
            links,
            source_map: bytecode.source_map,
            unlinked: unlinked.then(|| bytecode.object.clone().into_unlinked()).flatten(),
            bytes: bytecode.object.into_bytes(),
            ..Self::default()
        }
    }

    /// Reads runtime code from an artifact.
    pub(crate) fn deployed(bytecode: CompactDeployedBytecode) -> Self {
        let immutables = ranges(&bytecode.immutable_references);
        Self { immutables, ..bytecode.bytecode.map(Self::new).unwrap_or_default() }
    }

    /// Returns the length in bytes, for linked and unlinked code.
    #[must_use]
    pub fn len(&self) -> usize {
        let digits = || self.unlinked.as_deref().map_or(0, |digits| digits.trim_start_matches("0x").len());
        self.bytes.as_ref().map_or_else(|| digits() / 2, |bytes| bytes.len())
    }

    /// Returns true if there is no code, as in interfaces.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn ranges(references: &BTreeMap<String, Vec<Offsets>>) -> Vec<Range<usize>> {
    let range = |place: &Offsets| place.start as usize..(place.start + place.length) as usize;
    let mut ranges = references.values().flatten().map(range).collect::<Vec<_>>();
    ranges.sort_unstable_by_key(|range| range.start);
    ranges
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
