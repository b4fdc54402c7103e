//! `vm.snapshotState` and `vm.revertToState`.
//!
//! A snapshot holds values. Going back writes those that differ through the journal and the undo log, so
//! that frames which are still open can revert afterwards as if nothing had been special.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    forks::select,
    vm::Vm,
};
use crate::evm::{
    base::constants::{FAILED_SLOT, VM_ADDRESS},
    state::layers::LayeredDb,
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    context::{BlockEnv, JournalTr},
    context_interface::journaled_state::account::JournaledAccountTr,
    state::{AccountInfo, AccountStatus, EvmState, TransactionId, TransientStorage},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Snapshots by number, which counts from zero and is never given twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshots {
    taken: BTreeMap<U256, Arc<Snapshot>>,
    next: u64,
    /// True if the top-level call has taken one or gone back to one: Forge deletes nothing before that.
    touched: bool,
    /// True if the failure flag was set when a snapshot was restored, which cleared it.
    failed_before_restore: bool,
}

impl Snapshots {
    /// Tells whether a failure of the next transaction is its own.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { failed_before_restore, taken: _, next: _, touched: _ } = self;
        !failed_before_restore
    }

    /// Prepares for a transaction.
    pub(super) fn begin_tx(&mut self) {
        self.touched = false;
    }

    /// Tells whether the failure flag was set when a snapshot was restored, which cleared it.
    pub(super) fn failed_before_restore(&self) -> bool {
        self.failed_before_restore
    }

    /// Deletes a snapshot. Tells whether it was there.
    fn forget(&mut self, id: U256) -> bool {
        self.touched && self.taken.remove(&id).is_some()
    }

    fn forget_all(&mut self) {
        if self.touched {
            self.taken.clear();
        }
    }
}

/// State of all accounts at one moment.
#[derive(Debug)]
struct Snapshot {
    view: SnapshotView,
    /// Number of the transaction in which it was taken.
    transaction: TransactionId,
    transient: TransientStorage,
    block: BlockEnv,
    chain_id: u64,
    block_hashes: BTreeMap<u64, B256>,
    /// Number of the selected fork.
    fork: Option<usize>,
}

#[derive(Debug)]
struct SnapshotView {
    base_state: LayeredDb,
    state: EvmState,
}

impl SnapshotView {
    fn of(cx: &Cx<'_>) -> Self {
        let journal = &cx.ctx.journaled_state;
        Self { base_state: journal.database.clone(), state: journal.inner.state.clone() }
    }

    fn info(&self, address: Address) -> AccountInfo {
        self.base_state.info_under(&self.state, address).cloned().unwrap_or_default()
    }

    fn status(&self, address: Address) -> AccountStatus {
        self.state.get(&address).map(|account| account.status).unwrap_or_default()
    }

    fn slot(&self, address: Address, slot: U256) -> U256 {
        self.base_state.word_under(&self.state, address, slot)
    }

    fn slots(&self, address: Address) -> impl Iterator<Item = U256> {
        self.base_state.slots_under(&self.state, address)
    }

    /// Accounts that may differ between two views, in a fixed order.
    fn suspects(&self, other: &Self) -> BTreeSet<Address> {
        let mut suspects: BTreeSet<Address> = self.state.keys().chain(other.state.keys()).copied().collect();
        if !self.base_state.is(&other.base_state) {
            suspects.extend(self.base_state.accounts().chain(other.base_state.accounts()));
        }
        suspects
    }
}

fn take(cx: &mut Cx<'_>) -> U256 {
    let snapshot = Snapshot {
        view: SnapshotView::of(cx),
        transaction: cx.ctx.journaled_state.inner.transaction_id,
        transient: cx.ctx.journaled_state.inner.transient_storage.clone(),
        block: cx.ctx.block.clone(),
        chain_id: cx.ctx.cfg.chain_id,
        block_hashes: cx.ctx.chain.watch.block_hashes.clone(),
        fork: cx.cheats.forks.all.active(),
    };
    let snapshots = &mut cx.cheats.snapshots;
    snapshots.touched = true;
    let id = U256::from(snapshots.next);
    snapshots.next += 1;
    snapshots.taken.insert(id, Arc::new(snapshot));
    id
}

/// Restores a snapshot. Tells whether it was there.
fn go_back(cx: &mut Cx<'_>, id: U256) -> bool {
    cx.cheats.snapshots.touched = true;
    let Some(snapshot) = cx.cheats.snapshots.taken.get(&id).cloned() else { return false };
    // The flag would be lost, and the test would seem to pass.
    cx.cheats.snapshots.failed_before_restore |= !cx.load(VM_ADDRESS, FAILED_SLOT).is_zero();
    if let Some(fork) = snapshot.fork {
        select(cx, fork);
    }
    // Accounts from before a fork was selected are on none of them.
    if snapshot.fork == cx.cheats.forks.all.active() {
        let (then, now) = (&snapshot.view, SnapshotView::of(cx));
        for address in then.suspects(&now) {
            restore(cx, address, then, &now);
        }
        restore_warmth(cx, &snapshot);
    }
    cx.ctx.journaled_state.inner.transient_storage.clone_from(&snapshot.transient);
    cx.ctx.block = snapshot.block.clone();
    cx.ctx.cfg.chain_id = snapshot.chain_id;
    cx.ctx.chain.watch.block_hashes.clone_from(&snapshot.block_hashes);
    true
}

fn restore(cx: &mut Cx<'_>, address: Address, then: &SnapshotView, now: &SnapshotView) {
    let (before, after) = (then.info(address), now.info(address));
    let slots: BTreeSet<U256> = then.slots(address).chain(now.slots(address)).collect();
    for slot in slots {
        let value = then.slot(address, slot);
        if value != now.slot(address, slot) {
            cx.store(address, slot, value);
        }
    }
    if before.balance != after.balance {
        cx.deal(address, before.balance);
    }
    if before.code_hash != after.code_hash {
        cx.set_code(address, before.code.unwrap_or_default());
    }
    if before.nonce != after.nonce {
        cx.account(address);
        let journal = &mut cx.ctx.journaled_state;
        let Ok(mut account) = journal.load_account_mut(address);
        account.data.set_nonce(before.nonce);
    }
    if then.status(address) != now.status(address) {
        cx.set_destroyed(address, then.status(address));
    }
}

/// Warms the accounts and words that were warm when the snapshot was taken, in whichever transaction that was, and
/// cools all others, as in Forge. The cost of a write depends on the values that words had before that transaction.
fn restore_warmth(cx: &mut Cx<'_>, snapshot: &Snapshot) {
    let Snapshot { view, transaction: then, .. } = snapshot;
    let is_warm = |address: &Address| {
        view.state.get(address).is_some_and(|account| !account.is_cold_transaction_id(*then))
    };
    let warm_word = |address: &Address, slot: &U256| {
        let word = view.state.get(address)?.storage.get(slot)?;
        (!word.is_cold_transaction_id(*then)).then_some(word)
    };
    for (address, account) in view.state.iter().filter(|(address, _)| is_warm(address)) {
        cx.account(*address);
        for slot in account.storage.keys().filter(|slot| warm_word(address, slot).is_some()) {
            cx.load(*address, *slot);
        }
    }
    cx.ctx.chain.watch.bypasses_journal = true;
    for (address, account) in &mut cx.ctx.journaled_state.inner.state {
        if !is_warm(address) {
            account.mark_cold();
        }
        for (slot, word) in &mut account.storage {
            match warm_word(address, slot) {
                Some(then) => word.original_value = then.original_value,
                None => word.mark_cold(),
            }
        }
    }
}

/// Implements cheatcodes that have two names each, the older ones deprecated by Forge.
macro_rules! snapshots {
    ($($call:ident($self:ident, $cx:ident => $result:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, $cx: &mut Cx<'_>) -> CheatResult<Self> {
                Ok($result)
            }
        }
    )*};
}

snapshots! {
    snapshotStateCall(self, cx => take(cx));
    snapshotCall(self, cx => take(cx));
    revertToStateCall(self, cx => go_back(cx, self.id));
    revertToCall(self, cx => go_back(cx, self.id));
    revertToStateAndDeleteCall(self, cx => go_back(cx, self.id) && cx.cheats.snapshots.forget(self.id));
    revertToAndDeleteCall(self, cx => go_back(cx, self.id) && cx.cheats.snapshots.forget(self.id));
    deleteStateSnapshotCall(self, cx => cx.cheats.snapshots.forget(self.id));
    deleteSnapshotCall(self, cx => cx.cheats.snapshots.forget(self.id));
}

impl Cheatcode for Vm::deleteStateSnapshotsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.snapshots.forget_all();
        done()
    }
}

impl Cheatcode for Vm::deleteSnapshotsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.snapshots.forget_all();
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, Program};

    const INNER: Address = Address::repeat_byte(1);

    fn keep(program: Program, value: u8) -> Program {
        program.must(KEEPER, U256::from(value).to_be_bytes::<32>())
    }

    fn back() -> Vm::revertToStateCall {
        Vm::revertToStateCall { id: U256::ZERO }
    }

    #[test]
    fn going_back_restores_storage_balances_and_the_block() {
        let mut lab = Lab::new();
        let taken = keep(Program::new(), 1).vm(&Vm::snapshotStateCall {});
        let changed = keep(taken, 2)
            .vm(&Vm::dealCall { account: ALICE, balance: U256::from(5) })
            .vm(&Vm::warpCall { timestamp: U256::from(99) });
        assert!(lab.run(&changed.vm(&back())).is_success());
        assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ONE);
        assert_eq!(lab.info(ALICE).balance, U256::ZERO);
        assert_eq!(lab.evm.vm.ctx.block.timestamp, U256::ONE);
    }

    #[test]
    fn a_snapshot_outlives_its_transaction() {
        let mut lab = Lab::new();
        lab.run(&keep(Program::new(), 1).vm(&Vm::snapshotStateCall {}));
        lab.run(&keep(Program::new(), 2));
        lab.run(&Program::new().vm(&back()));
        assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ONE);
    }

    #[test]
    fn a_frame_may_revert_after_going_back() {
        let mut lab = Lab::new();
        let inner = keep(keep(Program::new().vm(&Vm::snapshotStateCall {}), 3).create(&[]).vm(&back()), 4);
        lab.put(INNER, &inner.fail(b"").assemble());
        assert!(lab.run(&keep(Program::new(), 1).call(INNER, [])).is_success());
        assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ONE);
        assert_eq!(lab.info(INNER).nonce, 1);
    }

    #[test]
    fn an_unknown_snapshot_is_false() {
        let output = Lab::new().run(&Program::new().vm(&back()).give());
        assert_eq!(output.output[..], [0; 32]);
    }
}
