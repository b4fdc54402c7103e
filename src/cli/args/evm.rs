//! Flags for accounts, the chain and the block.

use crate::config::Overrides;
use alloy_primitives::{Address, U256};
use clap::Args;

/// Flags for accounts, the chain and the block.
#[derive(Clone, Debug, Default, Args)]
pub struct EvmArgs {
    /// Flags for the fork of a chain.
    #[command(flatten)]
    pub fork: ForkArgs,
    /// Flags for accounts and the execution of tests.
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// Flags for the chain, the block and transactions.
    #[command(flatten)]
    pub block: BlockArgs,
}

/// Flags for the fork of a chain.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "EVM options")]
pub struct ForkArgs {
    /// Node whose chain is forked, as a URL or a name in foundry.toml
    #[arg(short = 'r', visible_short_alias = 'f', long, visible_alias = "rpc-url", value_name = "URL")]
    pub fork_url: Option<String>,
    /// Block to fork from [default: the newest block]
    #[arg(long, requires = "fork_url", value_name = "BLOCK")]
    pub fork_block_number: Option<u64>,
    /// Do not cache forked state on disk
    #[arg(long)]
    pub no_storage_caching: bool,
    /// Number of retries of a request [default: 8]
    #[arg(long, value_name = "RETRIES")]
    pub fork_retries: Option<u32>,
    /// Time before the first retry, in milliseconds [default: 800]
    #[arg(long, value_name = "MS")]
    pub fork_retry_backoff: Option<u64>,
    /// Timeout of a request, in seconds [default: 45]
    #[arg(long, value_name = "SECS", env = "ETH_RPC_TIMEOUT", hide_env = true)]
    pub rpc_timeout: Option<u64>,
    /// Accept invalid TLS certificates of nodes
    #[arg(long, short = 'k')]
    pub insecure: bool,
    /// Connect to nodes without a proxy
    #[arg(long, alias = "disable-proxy")]
    pub no_proxy: bool,
}

/// Flags for accounts and the execution of tests.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "EVM options")]
pub struct ExecutionArgs {
    /// Initial balance of test contracts, in wei
    #[arg(long, value_name = "WEI")]
    pub initial_balance: Option<U256>,
    /// Account that deploys test contracts and calls unit tests
    #[arg(long, value_name = "ADDRESS")]
    pub sender: Option<Address>,
    /// Allow the ffi cheatcode to run programs
    #[arg(long)]
    pub ffi: bool,
    /// Version of Forge whose defaults and behaviour apply, 1.7 or 1.8 [default: that of the forge on PATH]
    #[arg(long, value_name = "VERSION")]
    pub forge_version: Option<String>,
    /// Run each call of a test as a separate transaction
    #[arg(long, help_heading = BLOCK, overrides_with = "no_isolate")]
    pub isolate: bool,
    /// Run all calls of a test in one transaction
    #[arg(long, help_heading = BLOCK)]
    pub no_isolate: bool,
    /// Send all CREATE2 creations through the deterministic deployer
    #[arg(long)]
    pub always_use_create_2_factory: bool,
    /// Address of the deterministic deployer (CREATE2)
    #[arg(long, value_name = "ADDRESS")]
    pub create2_deployer: Option<Address>,
    /// Allow isolated calls to use more gas than the block gas limit
    #[arg(long, help_heading = BLOCK, visible_aliases = ["no-block-gas-limit", "no-gas-limit"])]
    pub disable_block_gas_limit: bool,
    /// Apply the gas limit of transactions (EIP-7825)
    #[arg(long, help_heading = BLOCK, visible_alias = "tx-gas-limit")]
    pub enable_tx_gas_limit: bool,
}

/// Flags for the chain, the block and transactions.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = BLOCK)]
pub struct BlockArgs {
    /// Value of tx.origin
    #[arg(long, value_name = "ADDRESS")]
    pub tx_origin: Option<Address>,
    /// Chain id
    #[arg(long, visible_alias = "chain", value_name = "ID")]
    pub chain_id: Option<u64>,
    /// Gas price, in wei
    #[arg(long, value_name = "WEI")]
    pub gas_price: Option<u64>,
    /// Base fee of the block, in wei
    #[arg(long, visible_alias = "base-fee", value_name = "WEI")]
    pub block_base_fee_per_gas: Option<u64>,
    /// Coinbase address of the block
    #[arg(long, value_name = "ADDRESS")]
    pub block_coinbase: Option<Address>,
    /// Timestamp of the first block, in seconds
    #[arg(long, value_name = "SECS")]
    pub block_timestamp: Option<U256>,
    /// Number of the first block
    #[arg(long, value_name = "NUMBER")]
    pub block_number: Option<U256>,
    /// Difficulty of the block, for EVM versions before the merge
    #[arg(long, value_name = "DIFFICULTY")]
    pub block_difficulty: Option<u64>,
    /// Value of block.prevrandao
    #[arg(long, value_name = "WORD")]
    pub block_prevrandao: Option<U256>,
    /// Gas limit of the block
    #[arg(long, visible_alias = "gas-limit", value_name = "GAS")]
    pub block_gas_limit: Option<u64>,
    /// Memory limit of a call, in bytes
    #[arg(long, value_name = "BYTES")]
    pub memory_limit: Option<u64>,
    /// Maximum size of deployed code, in bytes
    #[arg(long, value_name = "BYTES")]
    pub code_size_limit: Option<u64>,
}

/// Heading of the flags for the block.
const BLOCK: &str = "Executor environment config";

impl EvmArgs {
    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        self.fork.add_to(overrides);
        self.execution.add_to(overrides);
        self.block.add_to(overrides);
    }
}

impl ForkArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .set("eth_rpc_url", "--fork-url", self.fork_url.clone())
            .set("fork_block_number", "--fork-block-number", self.fork_block_number)
            .switch("no_storage_caching", "--no-storage-caching", self.no_storage_caching)
            .set("fork_retries", "--fork-retries", self.fork_retries)
            .set("fork_retry_backoff", "--fork-retry-backoff", self.fork_retry_backoff)
            .set("eth_rpc_timeout", "--rpc-timeout", self.rpc_timeout)
            .switch("eth_rpc_accept_invalid_certs", "--insecure", self.insecure)
            .switch("eth_rpc_no_proxy", "--no-proxy", self.no_proxy);
    }
}

impl ExecutionArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        let factory = self.always_use_create_2_factory;
        overrides
            .set("initial_balance", "--initial-balance", self.initial_balance)
            .set("sender", "--sender", text(self.sender))
            .switch("ffi", "--ffi", self.ffi)
            .set("harvey.forge", "--forge-version", self.forge_version.clone())
            .switch("isolate", "--isolate", self.isolate)
            .set("isolate", "--no-isolate", self.no_isolate.then_some(false))
            .switch("always_use_create_2_factory", "--always-use-create-2-factory", factory)
            .set("create2_deployer", "--create2-deployer", text(self.create2_deployer))
            .switch("disable_block_gas_limit", "--disable-block-gas-limit", self.disable_block_gas_limit)
            .switch("enable_tx_gas_limit", "--enable-tx-gas-limit", self.enable_tx_gas_limit);
    }
}

impl BlockArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        // foundry.toml holds a hash, so this is always 32 bytes.
        let prevrandao = self.block_prevrandao.map(|word| format!("{word:#066x}"));
        overrides
            .set("tx_origin", "--tx-origin", text(self.tx_origin))
            .set("chain_id", "--chain-id", self.chain_id)
            .set("gas_price", "--gas-price", self.gas_price)
            .set("block_base_fee_per_gas", "--block-base-fee-per-gas", self.block_base_fee_per_gas)
            .set("block_coinbase", "--block-coinbase", text(self.block_coinbase))
            .set("block_timestamp", "--block-timestamp", self.block_timestamp)
            .set("block_number", "--block-number", self.block_number)
            .set("block_difficulty", "--block-difficulty", self.block_difficulty)
            .set("block_prevrandao", "--block-prevrandao", prevrandao)
            .set("block_gas_limit", "--block-gas-limit", self.block_gas_limit)
            .set("memory_limit", "--memory-limit", self.memory_limit)
            .set("code_size_limit", "--code-size-limit", self.code_size_limit);
    }
}

fn text(address: Option<Address>) -> Option<String> {
    address.map(|address| address.to_string())
}
