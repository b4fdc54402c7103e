//! Access to accounts between calls: commit, discard, layers, and reads.

use super::evm::Evm;
use crate::{
    evm::InnerEvm,
    evm::state::layers::{BaseState, StateLayer, info, stored},
    model::Slot,
};
use alloy_primitives::{Address, Bytes, U256};
use revm::{context::JournalTr, state::AccountInfo};
use std::sync::Arc;

impl Evm {
    /// Sets a word of storage, in a transaction of its own, or sets the block's time or number.
    pub(crate) fn set_storage(&mut self, slot: Slot, value: U256) {
        match slot {
            Slot::TIMESTAMP => return self.vm.ctx.block.timestamp = value,
            Slot::BLOCK_NUMBER => return self.vm.ctx.block.number = value,
            _ => {}
        }
        let journal = &mut self.vm.ctx.journaled_state;
        let Ok(_) = journal.inner.load_account(&mut journal.database, slot.address);
        journal.inner.touch(slot.address);
        let stored = journal.inner.sstore(&mut journal.database, slot.address, slot.slot, value, false);
        debug_assert!(stored.is_ok(), "the base state cannot fail and cold loads are not skipped");
        self.commit();
    }

    /// Clears an account, so that a contract can be created at its address.
    pub(crate) fn vacate(&mut self, address: Address) {
        let journal = &mut self.vm.ctx.journaled_state;
        let Ok(_) = journal.inner.load_account(&mut journal.database, address);
        if let Some(account) = journal.inner.state.get_mut(&address) {
            account.info = AccountInfo::default();
            account.storage.clear();
        }
    }

    /// Ends the pending transaction and keeps its effects in the journal.
    pub(crate) fn commit(&mut self) {
        self.vm.ctx.journaled_state.commit_tx();
    }

    /// Ends the pending transaction and undoes its effects.
    pub(crate) fn discard(&mut self) {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.cheats.undo_tx(ctx);
        ctx.chain.limits.undo_call();
        self.vm.ctx.journaled_state.discard_tx();
    }

    /// Discards all transactions, and restarts on `layer` over the base state.
    pub(crate) fn begin_over(&mut self, layer: Option<Arc<StateLayer>>) {
        self.vm.ctx.journaled_state.finalize();
        let database = &mut self.vm.ctx.journaled_state.database;
        // A call may have selected another fork.
        if !Arc::ptr_eq(&database.base_state, &self.base) {
            database.base_state = self.base.clone();
        }
        database.layer = layer;
    }

    /// Tells whether the EVM still runs on the base state. A call may have selected another fork.
    pub(crate) fn is_on_base(&self) -> bool {
        Arc::ptr_eq(&self.vm.ctx.journaled_state.database.base_state, &self.base)
    }

    /// Moves all committed transactions out of the journal into a layer over the base state. Other EVMs may
    /// start from that layer.
    pub(crate) fn fold(&mut self) -> Option<Arc<StateLayer>> {
        let changes = self.vm.ctx.journaled_state.finalize();
        let database = &mut self.vm.ctx.journaled_state.database;
        database.fold(changes);
        database.layer.clone()
    }

    /// Writes all committed transactions into the base state. No other EVM may share it.
    pub(crate) fn settle(&mut self) {
        let changes = self.vm.ctx.journaled_state.finalize();
        debug_assert!(self.vm.ctx.journaled_state.database.layer.is_none(), "nothing was folded");
        Arc::make_mut(&mut self.vm.ctx.journaled_state.database.base_state).commit(changes);
    }

    /// Returns a hash of the storage, which distinguishes states over the same base state.
    pub(crate) fn digest(&self) -> u64 {
        let journal = &self.vm.ctx.journaled_state;
        journal.database.digest(&journal.state)
    }

    /// Returns the base state under the journal.
    pub(crate) fn base_state(&mut self) -> &mut Arc<BaseState> {
        &mut self.vm.ctx.journaled_state.database.base_state
    }

    /// Returns the current value of a storage word, pending changes included.
    pub(crate) fn storage(&self, address: Address, slot: U256) -> U256 {
        stored(&self.vm.ctx, address, slot)
    }

    /// Returns the current balance of an account in wei.
    pub(crate) fn balance(&self, address: Address) -> U256 {
        info(&self.vm.ctx, address).map_or(U256::ZERO, |info| info.balance)
    }

    /// Returns the current runtime code of an account.
    pub(crate) fn code(&self, address: Address) -> Bytes {
        let info = info(&self.vm.ctx, address);
        info.and_then(|info| info.code.as_ref()).map(|code| code.original_bytes()).unwrap_or_default()
    }
}
