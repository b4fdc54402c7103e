//! Flags for the compiler and the project's layout.

use crate::config::{EvmVersion, Overrides};
use clap::{Args, builder::PossibleValuesParser};
use std::path::PathBuf;

/// Returns the names of the EVM versions that a compiler supports.
fn evm_versions() -> impl Iterator<Item = &'static str> {
    EvmVersion::ALL.iter().filter(|version| version.is_released()).map(|version| version.name())
}

/// Flags for the compiler and the project's layout.
#[derive(Clone, Debug, Default, Args)]
pub struct BuildArgs {
    /// Flags that select what is compiled and linked.
    #[command(flatten)]
    pub compilation: CompilationArgs,
    /// Flags for the compiler.
    #[command(flatten)]
    pub compiler: CompilerArgs,
    /// Flags for what the compiler writes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Flags for the project's layout.
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Flags that select what is compiled and linked.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Build options")]
pub struct CompilationArgs {
    /// Recompile all sources
    #[arg(long, help_heading = "Cache options")]
    pub force: bool,
    /// Compile without the compiler cache
    #[arg(long)]
    pub no_cache: bool,
    /// Accepted for compatibility with Forge; has no effect
    #[arg(long, overrides_with = "no_dynamic_test_linking")]
    pub dynamic_test_linking: bool,
    /// Accepted for compatibility with Forge; has no effect
    #[arg(long)]
    pub no_dynamic_test_linking: bool,
    /// Compile with the mutant that this directory describes, and keep artifacts and caches in it
    #[arg(long, value_name = "DIR", hide = true)]
    pub mutant: Option<PathBuf>,
    /// Skip files that match a glob or whose names contain FILTER; `test` means .t.sol, `script` .s.sol
    #[arg(long, value_name = "FILTER", num_args = 1..)]
    pub skip: Vec<String>,
    /// Libraries that are already deployed, as path:Name:address
    #[arg(long, value_name = "LIBRARY", help_heading = "Linker options")]
    pub libraries: Vec<String>,
}

/// Flags for the compiler.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Compiler options")]
pub struct CompilerArgs {
    /// Codes of solc warnings to ignore, separated by commas
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub ignored_error_codes: Vec<u64>,
    /// Compiler messages that fail the build [default: never]
    #[arg(long, short = 'D', value_name = "LEVEL", value_parser = ["never", "warnings", "notes"])]
    pub deny: Option<String>,
    /// Accepted for compatibility with Forge, as --deny warnings
    #[arg(long, hide = true, conflicts_with = "deny")]
    pub deny_warnings: bool,
    /// Version or path of the solc to compile with
    #[arg(long = "use", value_name = "SOLC", alias = "compiler-version")]
    pub solc: Option<String>,
    /// Work without network access
    #[arg(long)]
    pub offline: bool,
    /// Compile through the Yul intermediate representation
    #[arg(long)]
    pub via_ir: bool,
    /// Leave metadata out of the bytecode
    #[arg(long)]
    pub no_metadata: bool,
    /// EVM version to compile for and to execute
    #[arg(long, value_name = "VERSION", value_parser = PossibleValuesParser::new(evm_versions()),
        hide_possible_values = true)]
    pub evm_version: Option<String>,
    /// Enable the optimizer
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub optimize: Option<bool>,
    /// Expected number of executions of the code, for the optimizer
    #[arg(long, value_name = "RUNS")]
    pub optimizer_runs: Option<u64>,
}

/// Flags for what the compiler writes.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Compiler options")]
pub struct OutputArgs {
    /// Include the syntax tree in artifacts
    #[arg(long)]
    pub ast: bool,
    /// Include the text of the sources in the metadata
    #[arg(long)]
    pub use_literal_content: bool,
    /// Treatment of revert strings
    #[arg(long, value_name = "MODE", value_parser = ["default", "strip", "debug", "verboseDebug"])]
    pub revert_strings: Option<String>,
    /// Further compiler outputs to include in artifacts
    #[arg(long, value_name = "OUTPUT", num_args = 1..)]
    pub extra_output: Vec<String>,
    /// Further compiler outputs to write to files
    #[arg(long, value_name = "OUTPUT", num_args = 1..)]
    pub extra_output_files: Vec<String>,
    /// Write the compiler's input and output to files
    #[arg(long)]
    pub build_info: bool,
    /// Directory of these files
    #[arg(long, value_name = "PATH")]
    pub build_info_path: Option<String>,
}

/// Flags for the project's layout.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Project options")]
pub struct ProjectArgs {
    /// Project root [default: the nearest directory with a foundry.toml]
    #[arg(long, value_name = "PATH")]
    pub root: Option<PathBuf>,
    /// Configuration file to use instead of foundry.toml
    #[arg(long, value_name = "FILE")]
    pub config_path: Option<PathBuf>,
    /// Directory of the contract sources
    #[arg(long, short = 'C', value_name = "PATH")]
    pub contracts: Option<String>,
    /// Directory for compiled artifacts
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<String>,
    /// Directory for caches
    #[arg(long, value_name = "PATH")]
    pub cache_path: Option<String>,
    /// Directories of dependencies
    #[arg(long, value_name = "PATH")]
    pub lib_paths: Vec<String>,
    /// Import remappings, as prefix=path
    #[arg(long, short = 'R', value_name = "REMAPPING")]
    pub remappings: Vec<String>,
    /// Environment variable with further remappings, one a line
    #[arg(long, value_name = "NAME")]
    pub remappings_env: Option<String>,
    /// Use the layout of Hardhat: `--contracts contracts --lib-paths node_modules`
    #[arg(long, visible_alias = "hh", conflicts_with_all = ["contracts", "lib_paths"])]
    pub hardhat: bool,
}

impl BuildArgs {
    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        self.compilation.add_to(overrides);
        self.compiler.add_to(overrides);
        self.output.add_to(overrides);
        self.project.add_to(overrides);
    }
}

impl CompilationArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .switch("force", "--force", self.force)
            .set("cache", "--no-cache", self.no_cache.then_some(false))
            .switch("dynamic_test_linking", "--dynamic-test-linking", self.dynamic_test_linking)
            .set(
                "dynamic_test_linking",
                "--no-dynamic-test-linking",
                self.no_dynamic_test_linking.then_some(false),
            )
            .list("skip", "--skip", self.skip.iter().map(|filter| skipped(filter)))
            .list("libraries", "--libraries", self.libraries.iter().cloned());
    }
}

impl CompilerArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        let solc = self.solc.as_deref().map(|solc| solc.strip_prefix("solc:").unwrap_or(solc));
        overrides
            .list("ignored_error_codes", "--ignored-error-codes", self.ignored_error_codes.iter().copied())
            .set("deny", "--deny", self.deny.clone())
            .set("deny", "--deny-warnings", self.deny_warnings.then_some("warnings"))
            .set("solc", "--use", solc)
            .switch("offline", "--offline", self.offline)
            .switch("via_ir", "--via-ir", self.via_ir)
            .set("bytecode_hash", "--no-metadata", self.no_metadata.then_some("none"))
            .set("cbor_metadata", "--no-metadata", self.no_metadata.then_some(false))
            .set("evm_version", "--evm-version", self.evm_version.clone())
            .set("optimizer", "--optimize", self.optimize)
            .set("optimizer_runs", "--optimizer-runs", self.optimizer_runs);
    }
}

impl OutputArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .switch("ast", "--ast", self.ast)
            .switch("use_literal_content", "--use-literal-content", self.use_literal_content)
            .set("revert_strings", "--revert-strings", self.revert_strings.clone())
            .list("extra_output", "--extra-output", self.extra_output.iter().cloned())
            .list("extra_output_files", "--extra-output-files", self.extra_output_files.iter().cloned())
            .switch("build_info", "--build-info", self.build_info)
            .set("build_info_path", "--build-info-path", self.build_info_path.clone());
    }
}

impl ProjectArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides.config_path.clone_from(&self.config_path);
        overrides.remappings.clone_from(&self.remappings);
        overrides.remappings_variable.clone_from(&self.remappings_env);
        overrides
            .set("src", "--hardhat", self.hardhat.then_some("contracts"))
            .list("libs", "--hardhat", self.hardhat.then_some("node_modules"))
            .set("src", "--contracts", self.contracts.clone())
            .set("out", "--out", self.out.clone())
            .set("cache_path", "--cache-path", self.cache_path.clone())
            .list("libs", "--lib-paths", self.lib_paths.iter().cloned());
    }
}

fn skipped(filter: &str) -> String {
    match filter {
        "test" | "tests" => ".t.sol".to_owned(),
        "script" | "scripts" => ".s.sol".to_owned(),
        other => other.to_owned(),
    }
}
