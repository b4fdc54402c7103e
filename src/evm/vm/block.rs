//! Block, chain and rules of an EVM.

use crate::{
    config::{EnvConfig, EvmVersion},
    evm::base::spec::spec_id,
};
use alloy_primitives::{B256, U256};
use revm::{
    context::{BlockEnv, CfgEnv},
    context_interface::block::BlobExcessGasAndPrice,
    primitives::hardfork::SpecId,
};

/// Block, chain and transaction environment that calls see. Cheatcodes may change it.
#[derive(Clone, Debug)]
pub(crate) struct BlockContext {
    pub(super) block: BlockEnv,
    pub(super) chain_id: u64,
    pub(super) spec: SpecId,
    pub(super) gas_price: u128,
    pub(super) blob_hashes: Vec<B256>,
}

impl BlockContext {
    /// Switches to another EVM version.
    pub(crate) fn run_as(&mut self, evm_version: EvmVersion) {
        self.spec = spec_id(evm_version);
    }

    /// Returns the environment that tests find after `setUp`. As in Forge, the blob hashes of `vm.blobhashes`
    /// do not outlive `setUp`.
    pub(crate) fn after_setup(mut self) -> Self {
        self.blob_hashes.clear();
        self
    }
}

/// Returns the first block of a test.
pub(super) fn block_env(env: &EnvConfig) -> BlockEnv {
    BlockEnv {
        number: env.block_number,
        beneficiary: env.block_coinbase,
        timestamp: env.block_timestamp,
        gas_limit: env.block_gas_limit.unwrap_or(env.gas_limit),
        basefee: env.block_base_fee,
        difficulty: U256::from(env.block_difficulty),
        prevrandao: Some(B256::from(env.block_prevrandao)),
        blob_excess_gas_and_price: Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice: 1 }),
        ..BlockEnv::default()
    }
}

/// Returns the chain and the rules. Transaction checks that Forge tests need not pass are switched off.
pub(super) fn cfg_env(env: &EnvConfig, spec: SpecId) -> CfgEnv {
    let mut cfg = CfgEnv::new_with_spec(spec);
    cfg.chain_id = env.chain_id.unwrap_or(31337);
    cfg.limit_contract_code_size = Some(env.code_size_limit.unwrap_or(usize::MAX));
    cfg.limit_contract_initcode_size = Some(usize::MAX);
    cfg.tx_gas_limit_cap = (!env.tx_gas_limit).then_some(u64::MAX);
    cfg.memory_limit = env.memory_limit;
    cfg.disable_nonce_check = true;
    cfg.disable_balance_check = true;
    cfg.disable_block_gas_limit = true;
    cfg.disable_eip3607 = true;
    cfg.disable_base_fee = true;
    cfg
}
