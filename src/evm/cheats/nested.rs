//! Whole transactions inside a call of a test: what goes in and comes out. The EVM floor runs them.

use super::Cheats;
use crate::evm::{
    Ctx,
    base::limits::{LimitExceeded, Limits},
    state::fork::ForkView,
};
use alloy_consensus::Transaction;
use alloy_primitives::{Address, Bytes};
use revm::{
    context::{BlockEnv, CfgEnv, TxEnv, either::Either},
    context_interface::transaction::{AccessList, AccessListItem},
    primitives::TxKind,
    state::EvmState,
};

/// Runs a transaction over the accounts of a view, and no longer than the call in which it runs may go on; what it changes is
/// left for the caller to keep.
pub(crate) type RunNested =
    fn(&ForkView, &TransactionEnv, &Limits, &mut Cheats, TxEnv) -> (NestedResult, NestedEffects);

/// What a transaction is run under.
#[derive(Clone, Debug)]
pub(crate) struct TransactionEnv {
    pub(crate) block: BlockEnv,
    pub(crate) cfg: CfgEnv,
}

impl TransactionEnv {
    /// Those of a test, but that the protocol's rules for transactions hold.
    pub(crate) fn of(ctx: &Ctx) -> Self {
        let mut cfg = ctx.cfg.clone();
        cfg.tx_gas_limit_cap = None;
        cfg.disable_nonce_check = false;
        cfg.disable_balance_check = false;
        cfg.tx_chain_id_check = true;
        Self { block: ctx.block.clone(), cfg }
    }
}

/// How a transaction ended.
#[derive(Clone, Debug)]
pub(crate) enum NestedResult {
    /// With this output.
    Success(Bytes),
    /// Its effects but the fee are undone.
    Failed(String),
    /// It may not be in a block.
    Invalid(String),
}

/// A transaction as revm has it, sent by `caller`.
pub(crate) fn tx_env(tx: &impl Transaction, kind: u8, caller: Address) -> TxEnv {
    let access_list = tx.access_list().into_iter().flat_map(|list| list.0.iter());
    let access_list = access_list
        .map(|item| AccessListItem { address: item.address, storage_keys: item.storage_keys.clone() })
        .collect();
    let authorizations = tx.authorization_list().into_iter().flatten();
    TxEnv {
        tx_type: kind,
        caller,
        gas_limit: tx.gas_limit(),
        gas_price: tx.gas_price().unwrap_or_else(|| tx.max_fee_per_gas()),
        gas_priority_fee: tx.max_priority_fee_per_gas(),
        kind: tx.to().map_or(TxKind::Create, TxKind::Call),
        value: tx.value(),
        data: tx.input().clone(),
        nonce: tx.nonce(),
        chain_id: tx.chain_id(),
        access_list: AccessList(access_list),
        blob_hashes: tx.blob_versioned_hashes().unwrap_or_default().to_vec(),
        max_fee_per_blob_gas: tx.max_fee_per_blob_gas().unwrap_or_default(),
        authorization_list: authorizations.cloned().map(Either::Left).collect(),
    }
}

/// What a transaction leaves.
#[derive(Clone, Debug)]
pub(crate) struct NestedEffects {
    /// Accounts that it loaded.
    pub(crate) changes: EvmState,
    /// The block, which cheatcodes may have changed.
    pub(crate) block: BlockEnv,
    /// What it had too much of, and was ended by.
    pub(crate) excess: Option<LimitExceeded>,
}
