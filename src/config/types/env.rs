//! Chain on which tests run.

use crate::config::EvmVersion;
use alloy_primitives::{Address, U256};

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
