//! Compiled contracts.

use crate::{
    model::ContractId,
    project::{CodeKind, Layout, outline::CodeOutline, sourcemap::SourceMap},
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

/// A contract as one compiler made it.
///
/// A source compiled by several compilers, or with several profiles, gives several of these; their
/// [`ContractId::name`]s then end in the version or the profile, as the names of Forge's artifacts do.
#[derive(Debug)]
pub struct Contract {
    /// Source file and name of the artifact.
    pub id: ContractId,
    /// The artifact, absolute. Forge's order of contracts is the order of these.
    pub artifact: PathBuf,
    /// The compiler's version.
    pub version: Version,
    /// The compiler profile, `default` unless there are additional ones.
    pub profile: String,
    /// The interface.
    pub abi: Arc<JsonAbi>,
    /// Creation code.
    pub creation: Code,
    /// Runtime code.
    pub runtime: Code,
    /// Where its variables are, if the compiler was asked (`extra_output`).
    pub layout: Option<Layout>,
    /// The build that made it; gives source-map indices their files.
    pub(crate) build: String,
}

impl Contract {
    /// The name in the sources: the artifact's without a version or profile behind it.
    #[must_use]
    pub fn bare_name(&self) -> &str {
        self.id.name.split('.').next().unwrap_or(&self.id.name)
    }

    /// Creation code without constructor arguments; `None` for interfaces and abstract contracts.
    #[must_use]
    pub fn creation_code(&self) -> Option<&Bytes> {
        self.creation.bytes.as_ref().filter(|code| !code.is_empty())
    }

    /// Runtime code with zeros for immutables; `None` for interfaces and abstract contracts.
    #[must_use]
    pub fn runtime_code(&self) -> Option<&Bytes> {
        self.runtime.bytes.as_ref().filter(|code| !code.is_empty())
    }

    /// Creation or runtime code.
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
    /// The code with the addresses of libraries filled in.
    pub bytes: Option<Bytes>,
    /// Where addresses of libraries were filled in, 20 bytes each, ordered.
    pub links: Vec<LinkReference>,
    /// Where the constructor writes immutables into runtime code, ordered.
    pub immutables: Vec<Range<usize>>,
    /// Code in hexadecimal digits, while links are missing.
    pub(crate) unlinked: Option<String>,
    /// The compiler's source map, still text.
    pub(crate) source_map: Option<String>,
    /// The same parsed, when first asked for.
    pub(crate) parsed_map: OnceLock<SourceMap>,
    /// What its instructions were made from, when first asked for.
    pub(crate) outline: OnceLock<CodeOutline>,
}

/// A place in code for the address of a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkReference {
    /// Offset of the address in the code, bytes.
    pub start: usize,
    /// The library, by source file relative to the root and bare name.
    pub library: ContractId,
}

impl Code {
    /// Code as it stands in an artifact.
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

    /// Runtime code as it stands in an artifact.
    pub(crate) fn deployed(bytecode: CompactDeployedBytecode) -> Self {
        let immutables = ranges(&bytecode.immutable_references);
        Self { immutables, ..bytecode.bytecode.map(Self::new).unwrap_or_default() }
    }

    /// Length in bytes, linked or not.
    #[must_use]
    pub fn len(&self) -> usize {
        let digits = || self.unlinked.as_deref().map_or(0, |digits| digits.trim_start_matches("0x").len());
        self.bytes.as_ref().map_or_else(|| digits() / 2, |bytes| bytes.len())
    }

    /// Whether there is no code, as in interfaces.
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
