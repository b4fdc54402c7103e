//! Dynamic linking of tests, as in Forge: tests do not contain the code of the contracts that they create.
//!
//! Before compilation, `new Counter(7)` in a test becomes a call of the cheatcode `deployCode`, which reads the
//! artifact of `Counter`. A change in a body of `Counter` then compiles `Counter` alone, and not its tests. The setting
//! is `dynamic_test_linking`. A build with it and a build without it do not share a cache, so ours has to be like
//! Forge's. The texts of both need not be the same, because nobody compares them; places in rewritten texts are found
//! by [`crate::project::realign`].
//!
//! foundry-compilers compiles a test again if the interface of a source changed. That is not enough for a test that
//! still contains code of a source. Such files count as *mocks*, which are compiled again at every change. Unlike
//! Forge, we count each test that could not be rewritten completely as a mock. The code of libraries (`libs`) stays in
//! tests in both; a change inside a function there is noticed only when the test itself is compiled again.

mod arguments;
mod references;

use crate::project::toolchain::Toolchain;
use arguments::ArgumentLibrary;
use foundry_compilers::{
    ProjectPathsConfig, SourceParser,
    artifacts::{SolcLanguage, Source, Sources},
    compilers::{
        multi::{MultiCompilerInput, MultiCompilerLanguage},
        solc::SolcVersionedInput,
    },
    error::Result as CompilersResult,
    project::Preprocessor,
    replace_source_content,
    resolver::parse::SolParser,
};
use references::CodeEdits;
use semver::Version;
use solar::{
    interface::source_map::FileName,
    sema::{
        Gcx,
        hir::{ContractId, SourceId},
    },
};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// First version of solc whose tests are rewritten; older ones lack what the rewritten text uses.
const FIRST_VERSION: Version = Version::new(0, 8, 0);

/// Source name of the interface through which rewritten tests call cheatcodes.
const INTERFACE_PATH: &str = "forge-harvey-dynamic-linking/DynamicLinkingVm.sol";

/// Interface with the cheatcodes that create contracts and read their code.
const INTERFACE: &str = "\
// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.0;

interface DynamicLinkingVm {
    function getCode(string memory artifact) external view returns (bytes memory);
    function deployCode(string memory artifact) external returns (address);
    function deployCode(string memory artifact, bytes memory arguments) external returns (address);
    function deployCode(string memory artifact, uint256 value) external returns (address);
    function deployCode(string memory artifact, bytes memory arguments, uint256 value) external returns (address);
    function deployCode(string memory artifact, bytes32 salt) external returns (address);
    function deployCode(string memory artifact, bytes memory arguments, bytes32 salt) external returns (address);
    function deployCode(string memory artifact, uint256 value, bytes32 salt) external returns (address);
    function deployCode(string memory artifact, bytes memory arguments, uint256 value, bytes32 salt)
        external
        returns (address);
}
";

/// Rewrites the tests among the inputs of solc.
#[derive(Debug)]
pub(crate) struct DynamicLinking;

impl Preprocessor<Toolchain<'_>> for DynamicLinking {
    fn preprocess(
        &self,
        _: &Toolchain<'_>,
        input: &mut MultiCompilerInput,
        paths: &ProjectPathsConfig<MultiCompilerLanguage>,
        mocks: &mut HashSet<PathBuf>,
    ) -> CompilersResult<()> {
        if let MultiCompilerInput::Solc(input) = input {
            link_dynamically(input, &paths.clone().with_language(), mocks);
        }
        Ok(())
    }
}

/// Rewrites the tests of an input, whose source names are relative to the root, and updates the set of mocks.
fn link_dynamically(
    input: &mut SolcVersionedInput,
    paths: &ProjectPathsConfig<SolcLanguage>,
    mocks: &mut HashSet<PathBuf>,
) {
    let sources = &mut input.input.sources;
    let is_test = |path: &&PathBuf| paths.is_test_or_script(path);
    let tests: BTreeSet<PathBuf> = sources.keys().filter(is_test).cloned().collect();
    if tests.is_empty() {
        return;
    }
    let rewritten = match input.version >= FIRST_VERSION {
        true => rewrite(sources, &tests, paths),
        false => None,
    };
    // Without result the tests still contain code of the sources.
    let rewritten = rewritten.unwrap_or_default();
    for test in &tests {
        let path = paths.root.join(test);
        match rewritten.complete.contains(test) {
            true => mocks.remove(&path),
            false => mocks.insert(path),
        };
    }
    sources.extend(rewritten.sources.into_iter().map(|(path, text)| (path, Source::new(text))));
}

/// Result of rewriting.
#[derive(Debug, Default)]
struct Rewritten {
    /// Tests that contain no code of sources any more.
    complete: BTreeSet<PathBuf>,
    /// New texts of tests, and sources that these import.
    sources: BTreeMap<PathBuf, String>,
}

/// Rewrites `tests`; returns `None` if the sources cannot be parsed. solc then reports why.
fn rewrite(
    sources: &Sources,
    tests: &BTreeSet<PathBuf>,
    paths: &ProjectPathsConfig<SolcLanguage>,
) -> Option<Rewritten> {
    let mut compiler = SolParser::new(paths.with_language_ref()).into_compiler();
    compiler.enter_mut(|compiler| {
        let mut parsing = compiler.parse();
        let map = compiler.sess().source_map();
        for (path, source) in sources {
            // All sources are added, so that none is read from disk.
            let file = map.new_source_file(path.clone(), source.content.as_str()).ok()?;
            if tests.contains(path) {
                parsing.add_file(file);
            }
        }
        parsing.parse();
        let Ok(ControlFlow::Continue(())) = compiler.lower_asts() else { return None };
        let program = Program { gcx: compiler.gcx(), paths };
        Some(program.rewrite(tests))
    })
}

/// The parsed sources of one call of solc.
#[derive(Clone, Copy)]
struct Program<'gcx, 'a> {
    gcx: Gcx<'gcx>,
    paths: &'a ProjectPathsConfig<SolcLanguage>,
}

impl<'gcx> Program<'gcx, '_> {
    fn rewrite(self, tests: &BTreeSet<PathBuf>) -> Rewritten {
        let mut result = Rewritten::default();
        for id in self.gcx.hir.source_ids() {
            let Some(path) = self.source_name(id).filter(|path| tests.contains(*path)) else { continue };
            let Some(found) = CodeEdits::of(self, id) else { continue };
            result.complete.insert(path.to_owned());
            if found.edits.is_empty() {
                continue;
            }
            let text = self.gcx.hir.source(id).file.src.as_str();
            let mut rewritten = replace_source_content(text, found.edits);
            rewritten.push_str(&format!("\nimport {{DynamicLinkingVm}} from \"{INTERFACE_PATH}\";\n"));
            for arguments in found.arguments.values() {
                rewritten.push_str(&arguments.import());
                result.sources.insert(arguments.path(), arguments.source());
            }
            result.sources.insert(path.to_owned(), rewritten);
            result.sources.insert(INTERFACE_PATH.into(), INTERFACE.to_owned());
        }
        result
    }

    /// Returns the name of a source for the compiler: its path, relative to the root.
    fn source_name(self, id: SourceId) -> Option<&'gcx Path> {
        let FileName::Real(path) = &self.gcx.hir.source(id).file.name else { return None };
        Some(path.strip_prefix(&self.paths.root).unwrap_or(path))
    }

    /// Tells whether a contract is declared in the directory of sources, and not in a test there.
    fn is_of_sources(self, contract: ContractId) -> bool {
        let Some(name) = self.source_name(self.gcx.hir.contract(contract).source) else { return false };
        let path = self.paths.root.join(name);
        path.starts_with(&self.paths.sources) && !self.paths.is_test_or_script(name)
    }

    /// Returns the name of a source as it is written in Solidity; `None` if a plain string cannot hold it.
    fn written_name(self, id: SourceId) -> Option<String> {
        let path = self.source_name(id)?.to_str()?.replace('\\', "/");
        let is_plain = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '"';
        path.chars().all(is_plain).then_some(path)
    }

    /// Returns the name by which cheatcodes find the artifact of a contract.
    fn artifact(self, contract: ContractId) -> Option<String> {
        let declared = self.gcx.hir.contract(contract);
        Some(format!("{}:{}", self.written_name(declared.source)?, declared.name))
    }
}
