//! The resolved configuration: plain data, in which every setting has a value.

use super::Feature;
use alloy_primitives::{Address, U256};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

/// Everything that decides how a project is built and tested.
#[derive(Clone, Debug)]
pub struct Config {
    /// The selected profile (`FOUNDRY_PROFILE`, else `default`).
    pub profile: String,
    /// Where things are.
    pub paths: PathsConfig,
    /// How sources are compiled.
    pub compiler: CompilerConfig,
    /// The chain that tests see.
    pub env: EnvConfig,
    /// Settings of invariant tests; inline comments may override them per test.
    pub invariant: InvariantConfig,
    /// Settings of fuzz tests.
    pub fuzz: FuzzConfig,
    /// Our own section, `[profile.NAME.harvey]`.
    pub harvey: HarveyConfig,
    /// What cheatcodes may do.
    pub cheats: CheatsConfig,
    /// Nodes of chains.
    pub rpc: RpcConfig,
    /// Which tests run, from the configuration file; flags are merged in by the command line.
    pub filter: FilterConfig,
    /// Number of threads; `None` means all cores. With the same seed, as many find the same.
    pub threads: Option<usize>,
    /// Verbosity, 0 to 5.
    pub verbosity: u8,
    /// `show_progress`.
    pub show_progress: bool,
    /// `test_failures_file`, relative to the root.
    pub test_failures_file: PathBuf,
}

/// Directories, absolute unless said otherwise.
#[derive(Clone, Debug)]
pub struct PathsConfig {
    /// The project's root.
    pub root: PathBuf,
    /// `src`.
    pub src: PathBuf,
    /// `test`.
    pub test: PathBuf,
    /// `script`.
    pub script: PathBuf,
    /// `out`.
    pub out: PathBuf,
    /// `cache_path`.
    pub cache: PathBuf,
    /// `harvey.corpus`: what outlives a run, failures and inputs.
    pub corpus: PathBuf,
    /// `libs`.
    pub libs: Vec<PathBuf>,
    /// Resolved remappings in order of precedence, `context:prefix=path`, paths relative to the root where possible.
    pub remappings: Vec<String>,
    /// `allow_paths`.
    pub allow_paths: Vec<PathBuf>,
    /// `include_paths`.
    pub include_paths: Vec<PathBuf>,
    /// `ignored_warnings_from`, as given: the compiler's messages name paths relative to the root.
    pub ignored_warnings_from: Vec<PathBuf>,
}

/// Which compiler the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolcRequest {
    /// Any version that the pragmas allow.
    Auto,
    /// `solc = "0.8.30"` or `--use 0.8.30`.
    Version(semver::Version),
    /// `solc = "/path/to/solc"`.
    Path(PathBuf),
}

/// Compiler settings, in Forge's terms and with its defaults.
#[derive(Clone, Debug)]
pub struct CompilerConfig {
    /// Which compiler.
    pub solc: SolcRequest,
    /// `optimizer`, after Forge's normalisation with `optimizer_runs`.
    pub optimizer: bool,
    /// `optimizer_runs`.
    pub optimizer_runs: usize,
    /// `optimizer_details`, as it stands in the file.
    pub optimizer_details: Option<serde_json::Value>,
    /// `via_ir`.
    pub via_ir: bool,
    /// `evm_version`.
    pub evm_version: String,
    /// `bytecode_hash`: `ipfs`, `bzzr1` or `none`.
    pub bytecode_hash: String,
    /// `cbor_metadata`.
    pub cbor_metadata: bool,
    /// `use_literal_content`.
    pub use_literal_content: bool,
    /// `revert_strings`.
    pub revert_strings: Option<String>,
    /// `libraries`: `path:Name:address` entries that the compiler links.
    pub libraries: Vec<String>,
    /// `extra_output`.
    pub extra_output: Vec<String>,
    /// `extra_output_files`.
    pub extra_output_files: Vec<String>,
    /// `ignored_error_codes`, as solc's numeric codes.
    pub ignored_error_codes: Vec<u64>,
    /// `ignored_error_codes_from`: codes that are ignored below a path, which is as it stands in the file.
    pub ignored_error_codes_from: Vec<(PathBuf, Vec<u64>)>,
    /// `deny`/`deny_warnings`: `never`, `warnings` or `notes`.
    pub deny: String,
    /// `offline`.
    pub offline: bool,
    /// `force`: recompile everything.
    pub force: bool,
    /// `cache`: whether the compiler cache is used.
    pub cache: bool,
    /// `build_info`.
    pub build_info: bool,
    /// `build_info_path`, absolute; `None` is beside the artifacts.
    pub build_info_path: Option<PathBuf>,
    /// `ast`.
    pub ast: bool,
    /// `model_checker`, as it stands in the file.
    pub model_checker: Option<serde_json::Value>,
    /// `extra_args` of solc.
    pub extra_args: Vec<String>,
    /// `[vyper]`.
    pub vyper: VyperConfig,
    /// `additional_compiler_profiles` and `compilation_restrictions`, as they stand in the file.
    pub compiler_profiles: serde_json::Value,
    /// See `compiler_profiles`.
    pub compilation_restrictions: serde_json::Value,
    /// `skip`: globs of sources that are not compiled.
    pub skip: Vec<String>,
}

/// `[vyper]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VyperConfig {
    /// `path`: the compiler; `None` looks for it on PATH.
    pub path: Option<PathBuf>,
    /// `optimize`: gas, codesize or none.
    pub optimize: Option<String>,
    /// `experimental_codegen`.
    pub experimental_codegen: Option<bool>,
}

/// The chain as tests see it.
#[derive(Clone, Debug)]
pub struct EnvConfig {
    /// `hardfork`, or else `evm_version`: what the EVM runs.
    pub evm_version: String,
    /// `enable_tx_gas_limit`: whether transactions are bounded as by EIP-7825.
    pub tx_gas_limit: bool,
    /// `sender`.
    pub sender: Address,
    /// `tx_origin`.
    pub tx_origin: Address,
    /// `initial_balance` of the test contract, in wei.
    pub initial_balance: U256,
    /// `block_number`.
    pub block_number: U256,
    /// `block_timestamp`, seconds.
    pub block_timestamp: U256,
    /// `block_coinbase`.
    pub block_coinbase: Address,
    /// `block_difficulty`.
    pub block_difficulty: u64,
    /// `block_prevrandao`.
    pub block_prevrandao: U256,
    /// `block_base_fee_per_gas`, wei.
    pub block_base_fee: u64,
    /// `block_gas_limit`; `None` means `gas_limit`.
    pub block_gas_limit: Option<u64>,
    /// `gas_limit` of a top-level call.
    pub gas_limit: u64,
    /// `gas_price`, wei.
    pub gas_price: u64,
    /// `chain_id`; `None` means 31337.
    pub chain_id: Option<u64>,
    /// `code_size_limit` in bytes; `None` means unlimited, as in Forge's tests.
    pub code_size_limit: Option<usize>,
    /// `memory_limit` of a call, in bytes.
    pub memory_limit: u64,
}

/// What cheatcodes and test harness semantics are switched on.
#[derive(Clone, Debug, PartialEq)]
pub struct CheatsConfig {
    /// `ffi`.
    pub ffi: bool,
    /// `fs_permissions`: (access, path); access is `read`, `write`, `read-write` or `none`.
    pub fs_permissions: Vec<(String, PathBuf)>,
    /// `assertions_revert`.
    pub assertions_revert: bool,
    /// `legacy_assertions`.
    pub legacy_assertions: bool,
    /// `allow_internal_expect_revert`.
    pub allow_internal_expect_revert: bool,
    /// `always_use_create_2_factory`.
    pub always_use_create_2_factory: bool,
    /// `isolate`.
    pub isolate: bool,
    /// `disable_block_gas_limit`: whether isolated calls may use more than a block.
    pub no_block_gas_limit: bool,
    /// `create2_deployer`: where creations with a salt go that are not the contract's own.
    pub create2_deployer: Address,
    /// `unchecked_cheatcode_artifacts`: whether any artifact may be read.
    pub unchecked_artifacts: bool,
    /// `out`, absolute.
    pub artifacts: PathBuf,
    /// `bind_json.out`, absolute: definitions of types for typed data.
    pub bindings: PathBuf,
    /// `broadcast`, absolute: what scripts deployed.
    pub broadcast: PathBuf,
    /// `snapshots`, absolute: where gas snapshots are written.
    pub snapshots: PathBuf,
    /// Files that settings and variables come from, absolute: no cheatcode writes them.
    pub settings: Vec<PathBuf>,
    /// `gas_snapshot_check`: whether they are compared with what was written before.
    pub snapshot_check: bool,
    /// `gas_snapshot_emit`: whether they are written.
    pub snapshot_emit: bool,
    /// `labels` from the configuration.
    pub labels: BTreeMap<Address, String>,
}

/// Nodes of chains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcConfig {
    /// `[rpc_endpoints]` by name.
    pub endpoints: BTreeMap<String, Endpoint>,
    /// `eth_rpc_url`: the node, or the name of its endpoint, that tests run on a fork of.
    pub url: Option<String>,
    /// `fork_block_number`; `None` is the newest block.
    pub block: Option<u64>,
    /// `eth_rpc_timeout`, seconds.
    pub timeout: Option<u64>,
    /// `eth_rpc_headers`, `name:value`.
    pub headers: Vec<String>,
    /// `eth_rpc_jwt`: a secret in hexadecimal.
    pub jwt: Option<String>,
    /// `eth_rpc_accept_invalid_certs`.
    pub accepts_invalid_certs: bool,
    /// `eth_rpc_no_proxy`.
    pub no_proxy: bool,
    /// `rpc_storage_caching`: which state is kept on disk.
    pub caching: CachingConfig,
    /// `no_storage_caching`.
    pub no_caching: bool,
    /// `harvey.network`: whether tests may reach nodes that only they name.
    pub any_node: bool,
    /// Whether no node may be reached at all.
    pub closed: bool,
    /// Where Forge keeps what it fetched, in the user's home.
    pub cache: Option<PathBuf>,
}

/// Sequences on disk, in Forge's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusConfig {
    /// `corpus_dir`, absolute.
    pub dir: PathBuf,
    /// `corpus_gzip`: whether what is written is compressed.
    pub gzip: bool,
}

/// `rpc_storage_caching`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachingConfig {
    /// `chains`: their numbers; `None` is all of them.
    pub chains: Option<Vec<u64>>,
    /// `endpoints`.
    pub endpoints: CachedEndpoints,
}

/// Nodes whose state is kept on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CachedEndpoints {
    /// All of them.
    #[default]
    All,
    /// Those on other machines.
    Remote,
    /// Those whose address matches this regular expression.
    Matching(String),
}

/// A node that has a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// Its address; `${NAME}` stands for variables of the environment.
    pub url: String,
    /// Value of the header `Authorization`, variables likewise.
    pub auth: Option<String>,
    /// Requests made again when one fails.
    pub retries: Option<u32>,
    /// Milliseconds before the first of these.
    pub backoff: Option<u64>,
}

/// `[invariant]`.
#[derive(Clone, Debug, PartialEq)]
pub struct InvariantConfig {
    /// Sequences of `depth` calls that the budget buys.
    pub runs: u32,
    /// Longest sequence, in calls.
    pub depth: u32,
    /// Whether a revert breaks the invariant.
    pub fail_on_revert: bool,
    /// Percent: how often senders come from the dictionary.
    pub dictionary_weight: u32,
    /// Whether storage feeds the dictionary.
    pub include_storage: bool,
    /// Whether PUSH constants feed the dictionary.
    pub include_push_bytes: bool,
    /// Most executions that shrinking may spend on one counterexample; zero switches it off.
    pub shrink_run_limit: u32,
    /// Calls that `vm.assume` may reject in one run.
    pub max_assume_rejects: u32,
    /// Seconds for the whole campaign of a suite; then `runs` does not bound it.
    pub timeout: Option<u32>,
    /// Whether calls between contracts may be answered by calling back.
    pub call_override: bool,
    /// Where Forge keeps failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// Whether the table of calls is shown.
    pub show_metrics: bool,
    /// Whether sequences are shown as Solidity.
    pub show_solidity: bool,
    /// Exclusive bound of the seconds that a call may advance time.
    pub max_time_delay: Option<u32>,
    /// Exclusive bound of the blocks that a call may advance.
    pub max_block_delay: Option<u32>,
    /// Calls between evaluations of the invariants: 1 each, 0 only at the end.
    pub check_interval: u32,
}

/// `[fuzz]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzConfig {
    /// Inputs tried per fuzz test.
    pub runs: u32,
    /// `seed`.
    pub seed: Option<U256>,
    /// Inputs that `vm.assume` may reject.
    pub max_test_rejects: u32,
    /// Whether reverts fail the test.
    pub fail_on_revert: bool,
    /// Percent: how often calldata comes from the dictionary.
    pub dictionary_weight: u32,
    /// Whether storage feeds the dictionary.
    pub include_storage: bool,
    /// Whether PUSH constants feed the dictionary.
    pub include_push_bytes: bool,
    /// Seconds per test.
    pub timeout: Option<u32>,
    /// Where Forge keeps failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// `show_logs`.
    pub show_logs: bool,
}

/// Our own section, `[profile.NAME.harvey]`, and nothing that Forge knows.
#[derive(Clone, Debug, PartialEq)]
pub struct HarveyConfig {
    /// Chance, in percent, that a payable function is sent value.
    pub payable_value_weight: u32,
    /// Largest share of the budget, in percent, spent on random sequences from the state after `setUp`.
    pub random_walks: u32,
    /// Panic codes besides 0x01 that count as assertion failures.
    pub panics: Vec<u64>,
    /// Whether assertions swallowed by try/catch count.
    pub inner_asserts: bool,
    /// CPU time that a call may take, if there is a bound; `setUp` and unit tests get ten times as much.
    pub call_timeout: Option<Duration>,
    /// Stop after this many calls without a new path; zero means never.
    pub plateau: u64,
    /// Stop after this many executions of the search (transactions after `setUp`); zero means never.
    pub executions: u64,
    /// Whether inputs that reached something new are kept, and run first by the next run.
    pub keep_inputs: bool,
    /// Parts of the search that are switched off.
    pub without: Vec<Feature>,
    /// Whether unit tests run too.
    pub unit: bool,
    /// Whether properties as Echidna and Medusa name them are invariants.
    pub foreign_properties: bool,
    /// Whether invariants that may write are called in sequences too.
    pub invariant_calls: bool,
    /// `pass` or `fail`: the verdict when there is nothing to test.
    pub no_tests: String,
    /// Which contracts are called without a test contract.
    pub scan: Scan,
    /// Oracles that look at them beside those that prove a failure, by their ids.
    pub oracles: Vec<String>,
}

impl HarveyConfig {
    /// Whether an oracle wants to know where data comes from.
    #[must_use]
    pub fn audits(&self) -> bool {
        !self.oracles.is_empty()
    }
}

/// Which contracts are called without a test contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scan {
    /// None.
    None,
    /// Those in which an `assert` stands, and which no suite with invariants depends on.
    #[default]
    Asserts,
    /// All that can be deployed.
    All,
}

/// `match_*` and `no_match_*`: patterns as given; regular expressions but for the paths, which are globs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterConfig {
    /// `match_test`, searched in the signature.
    pub test: Option<String>,
    /// `no_match_test`.
    pub no_test: Option<String>,
    /// `match_contract`, searched in the bare name.
    pub contract: Option<String>,
    /// `no_match_contract`.
    pub no_contract: Option<String>,
    /// `match_path`, a glob.
    pub path: Option<String>,
    /// `no_match_path`, a glob.
    pub no_path: Option<String>,
}
