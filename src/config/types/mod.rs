//! Types of the resolved configuration: plain data with a value for every setting, one file for each group.

mod cheats;
mod compiler;
mod env;
mod filter;
mod fuzz;
mod harvey;
mod paths;
mod rpc;

pub use cheats::CheatsConfig;
pub use compiler::{CompilerConfig, SolcRequest, VyperConfig};
pub use env::EnvConfig;
pub use filter::FilterConfig;
pub use fuzz::{CorpusConfig, FuzzConfig, InvariantConfig};
pub use harvey::{HarveyConfig, Scan};
pub use paths::PathsConfig;
pub use rpc::{CachedEndpoints, CachingConfig, Endpoint, RpcConfig};

use std::path::PathBuf;

/// Configuration of a project: all settings for building and testing it.
#[derive(Clone, Debug)]
pub struct Config {
    /// Name of the selected profile (`FOUNDRY_PROFILE`, or `default`).
    pub profile: String,
    /// Directories of the project.
    pub paths: PathsConfig,
    /// Compiler settings.
    pub compiler: CompilerConfig,
    /// Properties of the chain on which tests run.
    pub env: EnvConfig,
    /// Settings of invariant tests; inline comments may override them per test.
    pub invariant: InvariantConfig,
    /// Settings of fuzz tests.
    pub fuzz: FuzzConfig,
    /// Settings of our own section, `[profile.NAME.harvey]`.
    pub harvey: HarveyConfig,
    /// Permissions and behaviour of cheatcodes.
    pub cheats: CheatsConfig,
    /// Connections to nodes of chains.
    pub rpc: RpcConfig,
    /// Patterns in the configuration file that select tests. The command line merges its flags into them.
    pub filter: FilterConfig,
    /// Number of threads; `None` means all cores. Results are reproducible for the same seed and number of
    /// threads.
    pub threads: Option<usize>,
    /// Verbosity, from 0 to 5.
    pub verbosity: u8,
    /// Form of traces.
    pub tracing: TracingConfig,
    /// `show_progress`: true if progress is shown while tests run.
    pub show_progress: bool,
    /// `test_failures_file`, relative to the root: names of the tests that failed last, for `--rerun`.
    pub test_failures_file: PathBuf,
}

/// Form of traces, `[tracing]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TracingConfig {
    /// `trace_depth`: depth to which calls are shown; 0 means only the call of the test. `None` means all calls.
    pub depth: Option<usize>,
    /// `disable_labels`: true if called contracts are shown by their addresses, not their names.
    pub disable_labels: bool,
}
