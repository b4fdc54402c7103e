//! Settings of compilers.

use crate::config::EvmVersion;
use alloy_primitives::B256;
use std::path::PathBuf;

/// Compiler settings, with Forge's names and defaults.
#[derive(Clone, Debug)]
pub struct CompilerConfig {
    /// Requested compiler.
    pub solc: SolcRequest,
    /// `optimizer`, normalised together with `optimizer_runs` as in Forge.
    pub optimizer: bool,
    /// `optimizer_runs`.
    pub optimizer_runs: usize,
    /// `optimizer_details`, as written in the file.
    pub optimizer_details: Option<serde_json::Value>,
    /// `via_ir`: true if code is compiled through Yul.
    pub via_ir: bool,
    /// `evm_version`: EVM version that code is compiled for.
    pub evm_version: EvmVersion,
    /// `bytecode_hash`: `ipfs`, `bzzr1` or `none`.
    pub bytecode_hash: String,
    /// `cbor_metadata`: true if metadata is appended to bytecode.
    pub cbor_metadata: bool,
    /// `use_literal_content`: true if metadata contains the text of sources.
    pub use_literal_content: bool,
    /// `revert_strings`: `default`, `strip`, `debug` or `verboseDebug`.
    pub revert_strings: Option<String>,
    /// `libraries`: deployed libraries, `path:Name:address`, that the compiler links.
    pub libraries: Vec<String>,
    /// `create2_library_salt`: salt with which all other libraries are deployed by CREATE2, in Forge 1.8.
    pub create2_library_salt: B256,
    /// `extra_output`: further compiler outputs in artifacts.
    pub extra_output: Vec<String>,
    /// `extra_output_files`: further compiler outputs in separate files.
    pub extra_output_files: Vec<String>,
    /// `ignored_error_codes`: solc's codes of warnings that are not shown.
    pub ignored_error_codes: Vec<u64>,
    /// `ignored_error_codes_from`: codes of warnings that are not shown for sources below a path. The path is
    /// as written in the file.
    pub ignored_error_codes_from: Vec<(PathBuf, Vec<u64>)>,
    /// `deny` or `deny_warnings`: `never`, `warnings` or `notes`.
    pub deny: String,
    /// `dynamic_test_linking`: true if tests contain no code of the contracts that they create.
    pub dynamic_test_linking: bool,
    /// `offline`: true if nothing is fetched from the network.
    pub offline: bool,
    /// `force`: true if everything is compiled again.
    pub force: bool,
    /// `cache`: true if the compiler cache is used.
    pub cache: bool,
    /// `build_info`: true if compiler input and output are written to files.
    pub build_info: bool,
    /// `build_info_path`, absolute; `None` means a directory beside the artifacts.
    pub build_info_path: Option<PathBuf>,
    /// `ast`: true if artifacts contain the syntax tree.
    pub ast: bool,
    /// `model_checker`, as written in the file.
    pub model_checker: Option<serde_json::Value>,
    /// `extra_args`: further arguments of solc.
    pub extra_args: Vec<String>,
    /// `[vyper]`: settings of Vyper.
    pub vyper: VyperConfig,
    /// `additional_compiler_profiles`, as written in the file.
    pub compiler_profiles: serde_json::Value,
    /// `compilation_restrictions`, as written in the file.
    pub compilation_restrictions: serde_json::Value,
    /// `skip`: globs of sources that are not compiled.
    pub skip: Vec<String>,
}

/// Compiler that the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolcRequest {
    /// Any version that the pragmas allow.
    Auto,
    /// Version given as `solc = "0.8.30"` or `--use 0.8.30`.
    Version(semver::Version),
    /// Path given as `solc = "/path/to/solc"`.
    Path(PathBuf),
}

/// Settings of Vyper, `[vyper]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VyperConfig {
    /// `path`: path of the compiler; `None` means the one on `PATH`.
    pub path: Option<PathBuf>,
    /// `optimize`: `gas`, `codesize` or `none`.
    pub optimize: Option<String>,
    /// `experimental_codegen`: true if the compiler's experimental code generator is used.
    pub experimental_codegen: Option<bool>,
}
