//! Cheatcodes that run whole transactions: signed ones, and those of a fork's chain.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    forks::{chain, node_at, roll_to, select_numbered},
    nested::{NestedResult, TransactionEnv, tx_env},
    vm::Vm,
};
use crate::evm::state::fork::{Chain, ForkView, RpcNode, chain::block_env};
use alloy_consensus::{
    EthereumTxEnvelope, TxEip4844Variant, Typed2718 as _, transaction::SignerRecoverable as _,
};
use alloy_eips::eip2718::{Decodable2718 as _, Eip2718Error};
use alloy_network::{AnyRpcBlock, AnyRpcTransaction, TransactionResponse as _};
use alloy_primitives::{B256, U256};
use revm::{
    context::{Block as _, BlockEnv, TxEnv},
    state::EvmState,
};
use std::{mem, sync::Arc};

type Signed = EthereumTxEnvelope<TxEip4844Variant>;

/// Words an error as Forge's decoder does.
fn brief(error: &Eip2718Error) -> String {
    match error {
        Eip2718Error::UnexpectedType(_) => "Unexpected type flag".to_owned(),
        other => other.to_string(),
    }
}

/// Decodes a signed transaction; its caller is the signer.
fn decoded(raw: &[u8]) -> Result<TxEnv, CheatError> {
    ensure!(!raw.is_empty(), "failed to decode RLP-encoded transaction: input too short");
    let tx = Signed::decode_2718(&mut &*raw)
        .map_err(|error| format!("failed to decode RLP-encoded transaction: {}", brief(&error)))?;
    let signer = tx.recover_signer().map_err(|_| "failed to recover signer: Failed to recover the signer")?;
    Ok(tx_env(&tx, tx.ty(), signer))
}

fn known(tx: &AnyRpcTransaction) -> TxEnv {
    tx_env(tx, tx.ty(), tx.from())
}

/// Runs a transaction on the accounts of the test and keeps what it does; no revert of a call undoes that.
fn transact(cx: &mut Cx<'_>, around: &TransactionEnv, tx: TxEnv) -> NestedResult {
    let mut inner = cx.cheats.clone();
    // The recorder holds the requests to instructions while code runs.
    let watch = &mut inner.recording.watch;
    *watch = mem::take(&mut cx.ctx.chain.watch);
    let diffs = watch.diffs.take();
    let run = cx.cheats.shared.run_nested;
    let (ended, left) = run(&ForkView::of(cx.ctx), around, &cx.ctx.chain.limits, &mut inner, tx);
    cx.ctx.chain.watch = mem::take(&mut inner.recording.watch);
    cx.ctx.chain.watch.diffs = diffs;
    *cx.cheats = inner;
    if let Some(excess) = left.excess {
        cx.ctx.chain.limits.end(excess);
    }
    if !matches!(ended, NestedResult::Invalid(_)) {
        keep(cx, left.changes);
        let block = &mut cx.ctx.block;
        if left.block.timestamp != around.block.timestamp {
            block.timestamp = left.block.timestamp;
        }
        if left.block.number != around.block.number {
            block.number = left.block.number;
        }
    }
    ended
}

/// Gives accounts the state in which a transaction left them.
fn keep(cx: &mut Cx<'_>, changes: EvmState) {
    cx.ctx.chain.watch.bypasses_journal = true;
    for (address, left) in changes.into_iter().filter(|(_, account)| account.is_touched()) {
        for (slot, value) in &left.storage {
            cx.load(address, *slot);
            if let Some(known) = cx.account(address).storage.get_mut(slot) {
                known.present_value = value.present_value;
            }
        }
        let account = cx.account(address);
        account.info = left.info;
        if left.status.contains(revm::state::AccountStatus::Created) {
            account.status |= revm::state::AccountStatus::Created;
        }
    }
}

/// Returns the transaction with this hash, and its block.
fn mined(node: &RpcNode, hash: B256) -> Result<(AnyRpcTransaction, AnyRpcBlock), CheatError> {
    let missing = || format!("failed to get transaction {hash}: could not get transaction {hash}");
    let tx = node.transaction(hash)?.ok_or_else(missing)?;
    let number = match tx.block_number() {
        Some(number) => number,
        None => node.latest()?,
    };
    let block = node.block(number)?.ok_or_else(|| format!("failed to get block number: {number}"))?;
    Ok((tx, block))
}

/// Returns the state of a chain right before a transaction, for which it runs its block's earlier ones.
fn chain_before(
    cx: &mut Cx<'_>,
    node: &RpcNode,
    hash: B256,
) -> Result<(Arc<Chain>, BlockEnv, ForkView), CheatError> {
    let (_, block) = mined(node, hash)?;
    let number = block.header.number;
    let chain = chain(cx, node, Some(U256::from(number.saturating_sub(1))))?;
    let env = block_env(&block, chain.id);
    let mut view = ForkView::on(&chain);
    let around = of_block(cx, env.clone(), chain.id);
    let run = cx.cheats.shared.run_nested;
    for earlier in block.transactions.txns().take_while(|tx| tx.tx_hash() != hash) {
        let (_, left) = run(&view, &around, &cx.ctx.chain.limits, &mut cx.cheats.clone(), known(earlier));
        view.keep(left.changes);
    }
    Ok((chain, env, view))
}

/// Returns the environment of a block's transactions. The block has taken them, so nonces are not checked again.
fn of_block(cx: &Cx<'_>, block: BlockEnv, chain: u64) -> TransactionEnv {
    let mut around = TransactionEnv::of(cx.ctx);
    around.block = block;
    around.cfg.chain_id = chain;
    around.cfg.disable_nonce_check = true;
    around
}

fn create_fork_before(cx: &mut Cx<'_>, name: &str, hash: B256) -> Result<U256, CheatError> {
    let node = node_at(cx, name)?;
    let (chain, block, view) = chain_before(cx, &node, hash)?;
    Ok(U256::from(cx.cheats.forks.all.add_within(chain, block, view)))
}

fn transact_known(cx: &mut Cx<'_>, id: usize, hash: B256) -> Result<(), CheatError> {
    let chain = cx.cheats.forks.all.chain(id).ok_or("No fork active")?.clone();
    let (tx, block) = mined(&chain.node, hash)?;
    let around = of_block(cx, block_env(&block, chain.id), cx.ctx.cfg.chain_id);
    match transact(cx, &around, known(&tx)) {
        NestedResult::Success(_) | NestedResult::Failed(_) => Ok(()),
        NestedResult::Invalid(error) => {
            Err(format!("backend: failed committing transaction; {error}").into())
        }
    }
}

impl Cheatcode for Vm::executeTransactionCall {
    /// Runs the transaction. As in Forge, nobody pays for gas.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut tx = decoded(&self.raw)?;
        (tx.gas_price, tx.gas_priority_fee, tx.max_fee_per_blob_gas) = (0, tx.gas_priority_fee.map(|_| 0), 0);
        let mut around = TransactionEnv::of(cx.ctx);
        around.block.basefee = 0;
        tx.max_fee_per_blob_gas = around.block.blob_gasprice().unwrap_or_default();
        match transact(cx, &around, tx) {
            NestedResult::Success(output) => Ok(output),
            NestedResult::Failed(text) => Err(text.into()),
            NestedResult::Invalid(error) => Err(format!("transaction execution failed: {error}").into()),
        }
    }
}

impl Cheatcode for Vm::broadcastRawTransactionCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let tx = decoded(&self.raw)?;
        let mut around = TransactionEnv::of(cx.ctx);
        around.cfg.disable_nonce_check = true;
        around.cfg.disable_base_fee = false;
        around.cfg.disable_block_gas_limit = false;
        match transact(cx, &around, tx) {
            NestedResult::Success(_) | NestedResult::Failed(_) => done(),
            NestedResult::Invalid(error) => Err(error.into()),
        }
    }
}

impl Cheatcode for Vm::transact_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.cheats.forks.active()?;
        transact_known(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::transact_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx
            .cheats
            .forks
            .find(self.id)
            .ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        transact_known(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::createFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        create_fork_before(cx, &self.urlOrAlias, self.hash)
    }
}

impl Cheatcode for Vm::createSelectFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = create_fork_before(cx, &self.urlOrAlias, self.hash)?;
        select_numbered(cx, id)?;
        Ok(id)
    }
}

fn roll_before(cx: &mut Cx<'_>, id: usize, hash: B256) -> Result<(), CheatError> {
    let node = cx.cheats.forks.all.chain(id).ok_or("No fork active")?.node.clone();
    let (chain, block, view) = chain_before(cx, &node, hash)?;
    roll_to(cx, id, chain, Some((block, view)));
    Ok(())
}

impl Cheatcode for Vm::rollFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.cheats.forks.active()?;
        roll_before(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::rollFork_3Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx
            .cheats
            .forks
            .find(self.id)
            .ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        roll_before(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::getRawBlockHeaderCall {
    /// RLP of the header.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.forks.all.active().ok_or("no active fork")?;
        let node = cx.cheats.forks.active_node()?;
        let number: u64 = self.number.try_into().map_err(|_| "block number must be less than 2^64")?;
        let block = node.block(number)?.ok_or_else(|| format!("block {number} not found"))?;
        let header = block.header.inner.clone().try_into_header();
        let header = header.map_err(|_| "failed to decode header: missing fields")?;
        Ok(alloy_rlp::encode(header).into())
    }
}
