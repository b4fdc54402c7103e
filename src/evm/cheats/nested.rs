//! Interface to whole transactions inside a call of a test, which are run by an EVM of their own.

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

/// Function that runs a transaction over the accounts of a view, and no longer than the call in which it runs may go
/// on; the caller must keep what it changes.
pub(crate) type RunNested =
    fn(&ForkView, &TransactionEnv, &Limits, &mut Cheats, TxEnv) -> (NestedResult, NestedEffects);

/// Block and configuration of a transaction.
#[derive(Clone, Debug)]
pub(crate) struct TransactionEnv {
    pub(crate) block: BlockEnv,
    pub(crate) cfg: CfgEnv,
}

impl TransactionEnv {
    /// Returns those of a test, but with the protocol's rules for transactions.
    pub(crate) fn of(ctx: &Ctx) -> Self {
        let mut cfg = ctx.cfg.clone();
        cfg.tx_gas_limit_cap = None;
        cfg.disable_nonce_check = false;
        cfg.disable_balance_check = false;
        cfg.tx_chain_id_check = true;
        Self { block: ctx.block.clone(), cfg }
    }
}

/// Result of a transaction.
#[derive(Clone, Debug)]
pub(crate) enum NestedResult {
    /// Success, with this output.
    Success(Bytes),
    /// Failure: its effects but the fee are undone.
    Failed(String),
    /// Transaction that may not be in a block.
    Invalid(String),
}

/// Converts a transaction sent by `caller` to revm's.
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

/// Effects of a transaction.
#[derive(Clone, Debug)]
pub(crate) struct NestedEffects {
    /// Accounts that it loaded.
    pub(crate) changes: EvmState,
    /// Block, which cheatcodes may have changed.
    pub(crate) block: BlockEnv,
    /// Limit that ended it.
    pub(crate) excess: Option<LimitExceeded>,
}
