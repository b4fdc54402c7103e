//! Whole transactions in tests: signed ones, and those of a fork's chain.

use super::{
    Cheats,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    nested::{NestedResult, TransactionEnv, tx_env},
    vm::Vm,
};
use crate::evm::{
    Ctx,
    state::fork::{Chain, ForkView, RpcNode, chain::block_env},
};
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

impl Cheats {
    /// A transaction begins inside a call: what waits for the test's own calls does not see it.
    pub(crate) fn enter_transaction(&mut self, ctx: &mut Ctx) {
        self.pranks.clear();
        self.broadcast = None;
        self.mocks = Arc::default();
        self.in_transaction = true;
        ctx.chain.watch = mem::take(&mut self.watch);
        ctx.chain.watch.diffs = None;
    }

    /// That transaction has ended.
    pub(crate) fn leave_transaction(&mut self, ctx: &mut Ctx) {
        self.watch = mem::take(&mut ctx.chain.watch);
    }

    /// What cheatcodes did in it stays.
    pub(crate) fn after_transaction(&mut self, inner: Self) {
        let outer = mem::replace(self, inner);
        self.pranks = outer.pranks;
        self.broadcast = outer.broadcast;
        self.mocks = outer.mocks;
        self.in_transaction = outer.in_transaction;
        self.metering = outer.metering;
        self.undo = outer.undo;
        self.deploying = outer.deploying;
        self.salted = outer.salted;
    }
}

type Signed = EthereumTxEnvelope<TxEip4844Variant>;

/// An error in the words of Forge's decoder.
fn brief(error: &Eip2718Error) -> String {
    match error {
        Eip2718Error::UnexpectedType(_) => "Unexpected type flag".to_owned(),
        other => other.to_string(),
    }
}

/// A transaction from its bytes, and who signed it.
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

impl Cx<'_> {
    /// Runs a transaction on the accounts of the test and keeps what it does; no revert of a call undoes that.
    fn transact(&mut self, around: &TransactionEnv, tx: TxEnv) -> NestedResult {
        let mut inner = self.cheats.clone();
        // The recorder holds the requests to instructions while code runs.
        inner.watch = mem::take(&mut self.ctx.chain.watch);
        let diffs = inner.watch.diffs.take();
        let run = self.cheats.shared.run_nested;
        let (ended, left) = run(&ForkView::of(self.ctx), around, &self.ctx.chain.limits, &mut inner, tx);
        self.ctx.chain.watch = mem::take(&mut inner.watch);
        self.ctx.chain.watch.diffs = diffs;
        *self.cheats = inner;
        if let Some(excess) = left.excess {
            self.ctx.chain.limits.end(excess);
        }
        if !matches!(ended, NestedResult::Invalid(_)) {
            self.keep(left.changes);
            let block = &mut self.ctx.block;
            if left.block.timestamp != around.block.timestamp {
                block.timestamp = left.block.timestamp;
            }
            if left.block.number != around.block.number {
                block.number = left.block.number;
            }
        }
        ended
    }

    /// Makes accounts what a transaction left.
    fn keep(&mut self, changes: EvmState) {
        for (address, left) in changes.into_iter().filter(|(_, account)| account.is_touched()) {
            for (slot, value) in &left.storage {
                self.load(address, *slot);
                if let Some(known) = self.account(address).storage.get_mut(slot) {
                    known.present_value = value.present_value;
                }
            }
            let account = self.account(address);
            account.info = left.info;
            if left.status.contains(revm::state::AccountStatus::Created) {
                account.status |= revm::state::AccountStatus::Created;
            }
        }
    }

    /// The transaction with this hash, and the block that it is in.
    fn mined(&self, node: &RpcNode, hash: B256) -> Result<(AnyRpcTransaction, AnyRpcBlock), CheatError> {
        let missing = || format!("failed to get transaction {hash}: could not get transaction {hash}");
        let tx = node.transaction(hash)?.ok_or_else(missing)?;
        let number = match tx.block_number() {
            Some(number) => number,
            None => node.latest()?,
        };
        let block = node.block(number)?.ok_or_else(|| format!("failed to get block number: {number}"))?;
        Ok((tx, block))
    }

    /// The state of a chain right before a transaction: its block's earlier ones are run.
    fn chain_before(
        &mut self,
        node: &RpcNode,
        hash: B256,
    ) -> Result<(Arc<Chain>, BlockEnv, ForkView), CheatError> {
        let (_, block) = self.mined(node, hash)?;
        let number = block.header.number;
        let chain = self.chain(node, Some(U256::from(number.saturating_sub(1))))?;
        let env = block_env(&block, chain.id);
        let mut view = ForkView::on(&chain);
        let around = self.of_block(env.clone(), chain.id);
        let run = self.cheats.shared.run_nested;
        for earlier in block.transactions.txns().take_while(|tx| tx.tx_hash() != hash) {
            let (_, left) =
                run(&view, &around, &self.ctx.chain.limits, &mut self.cheats.clone(), known(earlier));
            view.keep(left.changes);
        }
        Ok((chain, env, view))
    }

    /// What transactions of a block are run under: it has taken them, so that nobody looks at nonces again.
    fn of_block(&self, block: BlockEnv, chain: u64) -> TransactionEnv {
        let mut around = TransactionEnv::of(self.ctx);
        around.block = block;
        around.cfg.chain_id = chain;
        around.cfg.disable_nonce_check = true;
        around
    }

    pub(super) fn create_fork_before(&mut self, name: &str, hash: B256) -> Result<U256, CheatError> {
        let node = self.node_at(name)?;
        let (chain, block, view) = self.chain_before(&node, hash)?;
        Ok(U256::from(self.cheats.forks.add_within(chain, block, view)))
    }

    fn transact_known(&mut self, id: usize, hash: B256) -> Result<(), CheatError> {
        let chain = self.cheats.forks.chain(id).ok_or("No fork active")?.clone();
        let (tx, block) = self.mined(&chain.node, hash)?;
        let around = self.of_block(block_env(&block, chain.id), self.ctx.cfg.chain_id);
        match self.transact(&around, known(&tx)) {
            NestedResult::Success(_) | NestedResult::Failed(_) => Ok(()),
            NestedResult::Invalid(error) => {
                Err(format!("backend: failed committing transaction; {error}").into())
            }
        }
    }
}

impl Cheatcode for Vm::executeTransactionCall {
    /// As in Forge, nobody pays for gas.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut tx = decoded(&self.raw)?;
        (tx.gas_price, tx.gas_priority_fee, tx.max_fee_per_blob_gas) = (0, tx.gas_priority_fee.map(|_| 0), 0);
        let mut around = TransactionEnv::of(cx.ctx);
        around.block.basefee = 0;
        tx.max_fee_per_blob_gas = around.block.blob_gasprice().unwrap_or_default();
        match cx.transact(&around, tx) {
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
        match cx.transact(&around, tx) {
            NestedResult::Success(_) | NestedResult::Failed(_) => done(),
            NestedResult::Invalid(error) => Err(error.into()),
        }
    }
}

impl Cheatcode for Vm::transact_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.cheats.forks.active().ok_or("No fork active")?;
        cx.transact_known(id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::transact_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.fork(self.id).ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        cx.transact_known(id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::createFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.create_fork_before(&self.urlOrAlias, self.hash)
    }
}

impl Cheatcode for Vm::createSelectFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.create_fork_before(&self.urlOrAlias, self.hash)?;
        cx.select_fork(id)?;
        Ok(id)
    }
}

fn roll_before(cx: &mut Cx<'_>, id: usize, hash: B256) -> Result<(), CheatError> {
    let node = cx.cheats.forks.chain(id).ok_or("No fork active")?.node.clone();
    let (chain, block, view) = cx.chain_before(&node, hash)?;
    cx.roll_to(id, chain, Some((block, view)));
    Ok(())
}

impl Cheatcode for Vm::rollFork_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.cheats.forks.active().ok_or("No fork active")?;
        roll_before(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::rollFork_3Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = cx.fork(self.id).ok_or_else(|| format!("Requested fork `{}` does not exist", self.id))?;
        roll_before(cx, id, self.hash)?;
        done()
    }
}

impl Cheatcode for Vm::getRawBlockHeaderCall {
    /// RLP of the header.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.forks.active().ok_or("no active fork")?;
        let node = cx.active_node()?;
        let number: u64 = self.number.try_into().map_err(|_| "block number must be less than 2^64")?;
        let block = node.block(number)?.ok_or_else(|| format!("block {number} not found"))?;
        let header = block.header.inner.clone().try_into_header();
        let header = header.map_err(|_| "failed to decode header: missing fields")?;
        Ok(alloy_rlp::encode(header).into())
    }
}
