//! Parsed sources, and all that is collected from them on first use.

use crate::{
    model::{ContractId, Place},
    project::{
        contract::{Code, Contract},
        declarations::{Declarations, SourceSpot},
        imports::Imports,
        literals::Literals,
        realign::{Landmarks, Movements},
        sourcemap::FileIndex,
        sources::{DocComment, Location, Sources},
        statement_map::StatementMap,
        statements::Statements,
        struct_members::StructMembers,
    },
};
use alloy_primitives::keccak256;
use solar::sema::Source;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// Prefix of settings in doc comments of tests.
pub(crate) const INLINE_CONFIG: &str = "forge-config:";

/// Sources of a project. Without sources, everything that is collected from them is empty.
#[derive(Default)]
pub(crate) struct SourceIndex {
    /// Parsed sources; `None` for a project without sources.
    sources: Option<Sources>,
    /// Files by source-map index, for each build.
    builds: BTreeMap<String, FileIndex>,
    imports: Imports,
    roots: Roots,
    collected: Collected,
}

/// Sources with a special role.
#[derive(Default)]
pub(crate) struct Roots {
    /// Directories whose literals are added to the dictionary.
    pub(crate) literals: Vec<PathBuf>,
    /// Hashes of the texts that were compiled, in hexadecimal digits, for sources that may have been rewritten before.
    pub(crate) compiled: BTreeMap<PathBuf, BTreeSet<String>>,
}

/// Results that are computed on first use.
#[derive(Default)]
struct Collected {
    declarations: OnceLock<Declarations>,
    /// Imports together with the sources named in strings.
    dependencies: OnceLock<Imports>,
    landmarks: OnceLock<HashMap<PathBuf, Landmarks>>,
    literals: OnceLock<Literals>,
    statements: OnceLock<Statements>,
    structs: OnceLock<StructMembers>,
}

impl SourceIndex {
    /// Takes the sources of a build. `builds` maps indices in source maps to files, by the id of the build.
    pub(crate) fn new(
        sources: Sources,
        imports: Imports,
        builds: BTreeMap<String, FileIndex>,
        roots: Roots,
    ) -> Self {
        Self { sources: Some(sources), builds, imports, roots, collected: Collected::default() }
    }

    /// Makes an index for artifacts without sources.
    pub(crate) fn without_sources(builds: BTreeMap<String, FileIndex>) -> Self {
        Self { builds, ..Self::default() }
    }

    /// Returns the doc comments in all files that contain inline configuration.
    pub(crate) fn doc_comments(&self) -> Vec<DocComment> {
        self.sources.as_ref().map(|sources| sources.doc_comments(INLINE_CONFIG)).unwrap_or_default()
    }

    /// Returns the literals in the sources and tests.
    pub(crate) fn literals(&self) -> &Literals {
        let wanted = |path: &Path| self.roots.literals.iter().any(|root| path.starts_with(root));
        self.collect(&self.collected.literals, |sources| Literals::of(sources, wanted))
    }

    /// Returns the structs of all sources.
    pub(crate) fn structs(&self) -> &StructMembers {
        self.collect(&self.collected.structs, StructMembers::of)
    }

    /// Returns the declarations of contracts and functions in all sources.
    pub(crate) fn declarations(&self) -> &Declarations {
        self.collect(&self.collected.declarations, Declarations::of)
    }

    /// Returns the functions and statements of all sources.
    pub(crate) fn statements(&self) -> &Statements {
        self.collect(&self.collected.statements, Statements::of)
    }

    /// Calls `f` with the relative path, the syntax tree and the text of each source.
    pub(crate) fn each(&self, mut f: impl for<'a> FnMut(&str, &'a Source<'a>, &str)) {
        if let Some(sources) = &self.sources {
            sources.each(|path, source| f(&sources.relative(path), source, sources.text(path, source)));
        }
    }

    fn collect<'a, T: Default>(&'a self, cell: &'a OnceLock<T>, from: impl FnOnce(&Sources) -> T) -> &'a T {
        cell.get_or_init(|| self.sources.as_ref().map(from).unwrap_or_default())
    }

    /// Tells whether a contract has an instruction of this range of bytes in a source, which was not rewritten.
    pub(crate) fn has_code(&self, contract: &Contract, source: &Path, range: &Range<usize>) -> bool {
        let Some(files) = self.builds.get(&contract.build) else { return false };
        let is_of_range = |(_, file, place): (usize, Option<u32>, Range<usize>)| {
            range.contains(&place.start)
                && file.and_then(|file| files.get(&file)).is_some_and(|file| file == source)
        };
        [&contract.creation, &contract.runtime].into_iter().any(|code| code.elements().any(is_of_range))
    }

    /// Returns the statement of each instruction in a contract's runtime code; `None` if the sources of its
    /// build are unknown.
    pub(crate) fn statement_map<'a>(&'a self, contract: &'a Contract) -> Option<&'a StatementMap> {
        let files = self.builds.get(&contract.build)?;
        let code = &contract.runtime;
        let new = || StatementMap::of(code, files, self.movements(code, files), self.statements());
        Some(code.statement_map.get_or_init(new))
    }

    /// Returns the movements of the texts of a code's sources before compilation.
    fn movements<'a>(&self, code: &'a Code, files: &FileIndex) -> &'a Movements {
        let is_rewritten = |path: &Path, text: &str| {
            let hash = || keccak256(text).to_string();
            self.roots.compiled.get(path).is_some_and(|compiled| *compiled != BTreeSet::from([hash()]))
        };
        let landmarks =
            || self.collect(&self.collected.landmarks, |sources| Landmarks::of(sources, is_rewritten));
        code.movements.get_or_init(|| Movements::of(code, files, landmarks()))
    }

    /// Tells whether `source` is one of `changed`, or depends on one. All paths are absolute.
    pub(crate) fn depends(&self, source: &Path, changed: &BTreeSet<PathBuf>) -> bool {
        let with_names = |sources: &Sources| self.imports.with_names(sources);
        self.collect(&self.collected.dependencies, with_names).reach(source, changed)
    }

    /// Returns the place where a contract is declared.
    pub(crate) fn contract_place(&self, contract: &ContractId) -> Option<Place> {
        self.place(self.declarations().contract(contract)?)
    }

    /// Returns the place where a function of a contract is declared.
    pub(crate) fn function_place(&self, contract: &ContractId, signature: &str) -> Option<Place> {
        self.place(self.declarations().function(contract, signature)?)
    }

    fn place(&self, spot: SourceSpot) -> Option<Place> {
        self.sources.as_ref()?.place(&spot.path, spot.offset)
    }

    /// Returns the place of the instruction at `pc` in the code of a contract.
    pub(crate) fn locate(&self, contract: &Contract, code: &Code, pc: usize) -> Option<Location> {
        let files = self.builds.get(&contract.build)?;
        code.locate(pc, files, self.movements(code, files), self.sources.as_ref()?)
    }

    /// Tells whether an `assert` of a contract is at a place, and not one of a library.
    pub(crate) fn is_assert(&self, place: &Place) -> bool {
        let sources = self.sources.as_ref();
        sources.is_some_and(|sources| sources.has_at(place, "assert") && !sources.is_in_library(place))
    }

    /// Returns text that identifies a place even if its line moves within the file.
    pub(crate) fn fingerprint(&self, place: &Place) -> Option<String> {
        let (text, column, nth) = self.sources.as_ref()?.line(place)?;
        Some(format!("{}\n{text}\n{column}\n{nth}", place.path))
    }
}
