//! Compiled contracts with their code.

use crate::{
    model::ContractId,
    project::{CodeKind, StorageLayout, sourcemap::SourceMap, statements::StatementMap},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::Bytes;
use foundry_compilers::artifacts::{CompactBytecode, CompactDeployedBytecode, Offsets};
use semver::Version;
use std::{
    collections::BTreeMap,
    ops::Range,
    path::PathBuf,
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
    /// Id of the build, which maps indices in source maps to files.
    pub(crate) build: String,
}

impl Contract {
    /// Returns the name in the source: the artifact's name without a version or profile at its end.
    #[must_use]
    pub fn bare_name(&self) -> &str {
        self.id.name.split('.').next().unwrap_or(&self.id.name)
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

    /// Returns the creation or runtime code.
    #[must_use]
    pub fn code(&self, kind: CodeKind) -> Option<&Bytes> {
        match kind {
            CodeKind::Creation => self.creation_code(),
            CodeKind::Runtime => self.runtime_code(),
        }
    }
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
