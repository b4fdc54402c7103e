//! Types of the resolved configuration: plain data with a value for every setting.

use super::{EvmVersion, Feature};
use alloy_primitives::{Address, U256};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

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
    /// `show_progress`: true if progress is shown while tests run.
    pub show_progress: bool,
    /// `test_failures_file`, relative to the root: names of the tests that failed last, for `--rerun`.
    pub test_failures_file: PathBuf,
}

/// Directories of a project; paths are absolute unless noted.
#[derive(Clone, Debug)]
pub struct PathsConfig {
    /// Root of the project.
    pub root: PathBuf,
    /// `src`: contracts.
    pub src: PathBuf,
    /// `test`: tests.
    pub test: PathBuf,
    /// `script`: scripts.
    pub script: PathBuf,
    /// `out`: artifacts.
    pub out: PathBuf,
    /// `cache_path`: caches.
    pub cache: PathBuf,
    /// `harvey.corpus`: failures and inputs that are kept between runs.
    pub corpus: PathBuf,
    /// `libs`: dependencies.
    pub libs: Vec<PathBuf>,
    /// Resolved remappings `context:prefix=path` in order of precedence. Paths are relative to the root where
    /// possible.
    pub remappings: Vec<String>,
    /// `allow_paths`: further directories that the compiler may read.
    pub allow_paths: Vec<PathBuf>,
    /// `include_paths`: further directories in which the compiler searches for imports.
    pub include_paths: Vec<PathBuf>,
    /// `ignored_warnings_from`, as written, because paths in the compiler's messages are relative to the
    /// root.
    pub ignored_warnings_from: Vec<PathBuf>,
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

/// Settings of Vyper, `[vyper]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VyperConfig {
    /// `path`: path of the compiler; `None` means the one on `PATH`.
    pub path: Option<PathBuf>,
    /// `optimize`: `gas`, `codesize` or `none`.
    pub optimize: Option<String>,
    /// `experimental_codegen`: true if the compiler's experimental code generator is used.
    pub experimental_codegen: Option<bool>,
}

/// Properties of the chain on which tests run.
#[derive(Clone, Debug)]
pub struct EnvConfig {
    /// EVM version that executes code: `hardfork`, or `evm_version` if that is unset.
    pub evm_version: EvmVersion,
    /// `enable_tx_gas_limit`: true if the gas of transactions is limited as in EIP-7825.
    pub tx_gas_limit: bool,
    /// `sender`: account that deploys and calls tests.
    pub sender: Address,
    /// `tx_origin`: value of `tx.origin`.
    pub tx_origin: Address,
    /// `initial_balance`: balance of the test contract, in wei.
    pub initial_balance: U256,
    /// `block_number`: value of `block.number`.
    pub block_number: U256,
    /// `block_timestamp`: value of `block.timestamp`, in seconds.
    pub block_timestamp: U256,
    /// `block_coinbase`: value of `block.coinbase`.
    pub block_coinbase: Address,
    /// `block_difficulty`: value of `block.difficulty` before the merge.
    pub block_difficulty: u64,
    /// `block_prevrandao`: value of `block.prevrandao`.
    pub block_prevrandao: U256,
    /// `block_base_fee_per_gas`: value of `block.basefee`, in wei.
    pub block_base_fee: u64,
    /// `block_gas_limit`: value of `block.gaslimit`; `None` means `gas_limit`.
    pub block_gas_limit: Option<u64>,
    /// Gas of a top-level call: `block_gas_limit`, or `gas_limit` if that is unset.
    pub gas_limit: u64,
    /// `gas_price`: value of `tx.gasprice`, in wei.
    pub gas_price: u64,
    /// `chain_id`; `None` means 31337.
    pub chain_id: Option<u64>,
    /// `code_size_limit`: largest size of a contract, in bytes; `None` means unlimited, as in Forge's tests.
    pub code_size_limit: Option<usize>,
    /// `memory_limit`: largest memory of a call, in bytes.
    pub memory_limit: u64,
}

/// Permissions and behaviour of cheatcodes.
#[derive(Clone, Debug, PartialEq)]
pub struct CheatsConfig {
    /// `ffi`: true if `vm.ffi` may run programs.
    pub ffi: bool,
    /// `fs_permissions`: pairs of access and path. Access is `read`, `write`, `read-write` or `none`.
    pub fs_permissions: Vec<(String, PathBuf)>,
    /// `assertions_revert`: true if a failing `vm.assert*` reverts, false if it only marks the test as
    /// failed.
    pub assertions_revert: bool,
    /// `legacy_assertions`: true if `failed()` of the test contract is checked after each unit test.
    pub legacy_assertions: bool,
    /// `allow_internal_expect_revert`: true if `vm.expectRevert` works for internal calls.
    pub allow_internal_expect_revert: bool,
    /// `always_use_create_2_factory`: true if all salted creations of a test go through the CREATE2 deployer.
    pub always_use_create_2_factory: bool,
    /// `isolate`: true if each call of a test is a separate transaction.
    pub isolate: bool,
    /// `disable_block_gas_limit`: true if isolated calls may use more gas than the block gas limit.
    pub no_block_gas_limit: bool,
    /// `create2_deployer`: address of the CREATE2 deployer, the factory for salted creations.
    pub create2_deployer: Address,
    /// `unchecked_cheatcode_artifacts`: true if `vm.getCode` reads any artifact, not only those of this
    /// build.
    pub unchecked_artifacts: bool,
    /// `out`, absolute: artifacts.
    pub artifacts: PathBuf,
    /// `bind_json.out`, absolute: file with type definitions for typed data (EIP-712).
    pub bindings: PathBuf,
    /// `broadcast`, absolute: records of the deployments of scripts.
    pub broadcast: PathBuf,
    /// `snapshots`, absolute: directory of gas snapshots.
    pub snapshots: PathBuf,
    /// Files with settings and variables, absolute. Cheatcodes cannot write to them.
    pub settings: Vec<PathBuf>,
    /// `gas_snapshot_check`: true if gas snapshots are compared with those written before.
    pub snapshot_check: bool,
    /// `gas_snapshot_emit`: true if gas snapshots are written.
    pub snapshot_emit: bool,
    /// `labels`: names of addresses.
    pub labels: BTreeMap<Address, String>,
}

/// Connections to nodes of chains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcConfig {
    /// `[rpc_endpoints]` by name.
    pub endpoints: BTreeMap<String, Endpoint>,
    /// `eth_rpc_url`: URL or endpoint name of the node whose chain is forked for tests.
    pub url: Option<String>,
    /// `fork_block_number`; `None` means the newest block.
    pub block: Option<u64>,
    /// `eth_rpc_timeout`, in seconds.
    pub timeout: Option<u64>,
    /// `eth_rpc_headers`: HTTP headers, each `name:value`.
    pub headers: Vec<String>,
    /// `eth_rpc_jwt`: secret for signing tokens (JWT), in hexadecimal.
    pub jwt: Option<String>,
    /// `eth_rpc_accept_invalid_certs`: true if invalid TLS certificates are accepted.
    pub accepts_invalid_certs: bool,
    /// `eth_rpc_no_proxy`: true if proxies are ignored.
    pub no_proxy: bool,
    /// `rpc_storage_caching`: chains and nodes whose state is cached on disk.
    pub caching: CachingConfig,
    /// `no_storage_caching`: true if nothing is cached on disk.
    pub no_caching: bool,
    /// `harvey.network`: true if tests may connect to any node, even to one that is named only in the test.
    pub any_node: bool,
    /// True if tests may connect to no node at all.
    pub closed: bool,
    /// Forge's cache of fetched state in the user's home directory.
    pub cache: Option<PathBuf>,
}

/// Corpus directory in Forge's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusConfig {
    /// `corpus_dir`, absolute.
    pub dir: PathBuf,
    /// `corpus_gzip`: true if written files are compressed.
    pub gzip: bool,
}

/// Chains and nodes whose state is cached on disk, `rpc_storage_caching`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachingConfig {
    /// `chains`: chain ids; `None` means all chains.
    pub chains: Option<Vec<u64>>,
    /// `endpoints`: nodes.
    pub endpoints: CachedEndpoints,
}

/// Nodes whose state is cached on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CachedEndpoints {
    /// All nodes.
    #[default]
    All,
    /// Nodes on other computers.
    Remote,
    /// Nodes whose URL matches this regular expression.
    Matching(String),
}

/// Node with a name in `[rpc_endpoints]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// URL of the node; `${NAME}` stands for an environment variable.
    pub url: String,
    /// Value of the HTTP header `Authorization`; `${NAME}` stands for an environment variable.
    pub auth: Option<String>,
    /// Number of retries if a request fails.
    pub retries: Option<u32>,
    /// Milliseconds before the first retry.
    pub backoff: Option<u64>,
}

/// Settings of invariant tests, `[invariant]`.
#[derive(Clone, Debug, PartialEq)]
pub struct InvariantConfig {
    /// Number of sequences. The budget is `runs` times `depth` calls.
    pub runs: u32,
    /// Length of the longest sequence, in calls.
    pub depth: u32,
    /// True if a reverting call breaks the invariant.
    pub fail_on_revert: bool,
    /// Probability that a sender comes from the dictionary, in percent.
    pub dictionary_weight: u32,
    /// True if values in storage are added to the dictionary.
    pub include_storage: bool,
    /// True if PUSH constants are added to the dictionary.
    pub include_push_bytes: bool,
    /// Largest number of executions for shrinking one counterexample; zero turns shrinking off.
    pub shrink_run_limit: u32,
    /// Number of calls that `vm.assume` may reject in one run.
    pub max_assume_rejects: u32,
    /// Duration of a suite's campaign, in seconds; if set, `runs` does not limit the campaign.
    pub timeout: Option<u32>,
    /// True if calls to other contracts may be answered by a call back into a target (reentrancy).
    pub call_override: bool,
    /// Directory in which Forge stores failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// True if the table of calls, reverts and discards per function is shown.
    pub show_metrics: bool,
    /// True if counterexamples are shown as Solidity.
    pub show_solidity: bool,
    /// Limit (exclusive) of the seconds that pass before a call.
    pub max_time_delay: Option<u32>,
    /// Limit (exclusive) of the blocks that pass before a call.
    pub max_block_delay: Option<u32>,
    /// Number of calls between two evaluations of the invariants: 1 means after each call, 0 means only at
    /// the end.
    pub check_interval: u32,
}

/// Settings of fuzz tests, `[fuzz]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzConfig {
    /// Number of inputs per fuzz test.
    pub runs: u32,
    /// `seed`: seed of all random choices.
    pub seed: Option<U256>,
    /// Number of inputs that `vm.assume` may reject.
    pub max_test_rejects: u32,
    /// True if any revert fails the test.
    pub fail_on_revert: bool,
    /// Probability that calldata comes from the dictionary, in percent.
    pub dictionary_weight: u32,
    /// True if values in storage are added to the dictionary.
    pub include_storage: bool,
    /// True if PUSH constants are added to the dictionary.
    pub include_push_bytes: bool,
    /// Duration of a test, in seconds.
    pub timeout: Option<u32>,
    /// Directory in which Forge stores failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// `show_logs`: true if the logs of all inputs are shown, not only those of the last one.
    pub show_logs: bool,
}

/// Settings of our own section, `[profile.NAME.harvey]`, which Forge does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct HarveyConfig {
    /// Probability that a call of a payable function sends value, in percent.
    pub payable_value_weight: u32,
    /// Largest share of the budget for random sequences from the state after `setUp`, in percent.
    pub random_walks: u32,
    /// Panic codes besides 0x01 that count as assertion failures.
    pub panics: Vec<u64>,
    /// True if failed assertions count even if try/catch or a low-level call swallows them.
    pub inner_asserts: bool,
    /// CPU time limit of a call; `None` means unlimited. `setUp` and unit tests get ten times as much.
    pub call_timeout: Option<Duration>,
    /// Number of successive calls without a new path after which a campaign stops; zero means never.
    pub plateau: u64,
    /// Number of executions (transactions after `setUp`) after which a campaign stops; zero means never.
    pub executions: u64,
    /// True if inputs that reached something new are kept and run first in the next run.
    pub keep_inputs: bool,
    /// Parts of the search that are switched off.
    pub without: Vec<Feature>,
    /// True if unit tests run, too.
    pub unit: bool,
    /// True if properties with the names of Echidna and Medusa are run as invariants.
    pub foreign_properties: bool,
    /// True if invariants that can write to the state are also called in sequences.
    pub invariant_calls: bool,
    /// Verdict if there is nothing to test: `pass` or `fail`.
    pub no_tests: String,
    /// Contracts that are called without a test contract.
    pub scan: Scan,
    /// Ids of further oracles for the contracts of `scan`, besides the default ones, which prove a failure;
    /// `all` selects all oracles.
    pub oracles: Vec<String>,
}

impl HarveyConfig {
    /// Returns true if taint tracking is needed, which is the case if any further oracle is selected.
    #[must_use]
    pub fn tracks_taint(&self) -> bool {
        !self.oracles.is_empty()
    }
}

/// Contracts that are called without a test contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scan {
    /// No contracts.
    None,
    /// Contracts that contain an `assert` and that no suite with invariants depends on.
    #[default]
    Asserts,
    /// All contracts that can be deployed.
    All,
}

/// Patterns `match_*` and `no_match_*`, as written. Those for paths are globs, all others are regular
/// expressions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterConfig {
    /// `match_test`, compared with the signature.
    pub test: Option<String>,
    /// `no_match_test`.
    pub no_test: Option<String>,
    /// `match_contract`, compared with the bare name.
    pub contract: Option<String>,
    /// `no_match_contract`.
    pub no_contract: Option<String>,
    /// `match_path`, a glob.
    pub path: Option<String>,
    /// `no_match_path`, a glob.
    pub no_path: Option<String>,
}
