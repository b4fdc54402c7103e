//! Forks of a test. At most one of them is selected, and lies under the accounts of the test.
//!
//! Each fork has its own accounts; persistent accounts are carried over when another fork is selected. revm's
//! journal does not know about forks: selecting one replaces its accounts. Changes that frames recorded
//! before can then be undone only with the whole transaction.

use super::Chain;
use crate::evm::{
    Ctx,
    base::constants::{CALLER, CREATE2_DEPLOYER, VM_ADDRESS},
    state::layers::{BaseState, LayeredDb, StateAccount},
};
use alloy_primitives::{Address, U256};
use revm::{
    JournalEntry,
    context::{BlockEnv, JournalTr as _},
    primitives::KECCAK_EMPTY,
    state::{Account, EvmState},
};
use std::{collections::BTreeSet, sync::Arc};

/// Snapshot of all accounts.
#[derive(Clone, Debug)]
pub(crate) struct ForkView {
    database: LayeredDb,
    state: EvmState,
}

impl ForkView {
    /// Takes a snapshot of the current accounts.
    pub(crate) fn of(ctx: &Ctx) -> Self {
        let journal = &ctx.journaled_state;
        Self { database: journal.database.clone(), state: journal.inner.state.clone() }
    }

    /// Creates a view of a chain's accounts without changes.
    pub(crate) fn on(chain: &Arc<Chain>) -> Self {
        let base_state = BaseState { fork: Some(chain.clone()), ..BaseState::default() };
        Self {
            database: LayeredDb { base_state: Arc::new(base_state), layer: None },
            state: EvmState::default(),
        }
    }

    /// Returns the accounts with all pending changes applied.
    pub(crate) fn database(&self) -> LayeredDb {
        let mut database = self.database.clone();
        if !self.state.is_empty() {
            database.fold(self.state.clone());
        }
        database
    }

    /// Applies the changes of a transaction.
    pub(crate) fn keep(&mut self, changes: EvmState) {
        let mut database = self.database();
        database.fold(changes);
        *self = Self { database, state: EvmState::default() };
    }

    /// Returns an account with all of its known storage.
    fn account(&self, address: Address) -> Option<StateAccount> {
        let info = self.database.info_under(&self.state, address)?.clone();
        let slots: BTreeSet<U256> = self.database.slots_under(&self.state, address).collect();
        let word = |slot| (slot, self.database.word_under(&self.state, address, slot));
        let created = self.state.get(&address).is_some_and(Account::is_created);
        Some(StateAccount {
            info,
            storage: slots.into_iter().map(word).collect(),
            is_new: created || self.database.is_new(address),
        })
    }

    /// Replaces the account at an address.
    fn put(&mut self, address: Address, account: Option<StateAccount>) {
        self.state.remove(&address);
        self.database.forget(address);
        let accounts = &mut Arc::make_mut(&mut self.database.base_state).accounts;
        accounts.insert(address, account.unwrap_or(StateAccount { is_new: true, ..StateAccount::default() }));
    }

    /// Returns the contracts created by the test, which are carried over to other forks.
    fn made(&self) -> impl Iterator<Item = (Address, StateAccount)> + '_ {
        let all: BTreeSet<Address> = self.state.keys().copied().chain(self.database.accounts()).collect();
        let made = all.into_iter().filter_map(|address| Some((address, self.account(address)?)));
        made.filter(|(_, account)| account.is_new && account.info.code_hash != KECCAK_EMPTY)
    }
}

/// Fork of a chain at a block.
#[derive(Clone, Debug)]
struct Fork {
    chain: Arc<Chain>,
    block: BlockEnv,
    /// Accounts of the fork while another one is selected. `None` before it is selected for the first time.
    left: Option<ForkView>,
}

/// Addresses of persistent accounts, which are carried over when another fork is selected.
#[derive(Clone, Debug)]
pub(crate) struct PersistentAccounts(Arc<BTreeSet<Address>>);

impl Default for PersistentAccounts {
    fn default() -> Self {
        Self(Arc::new(BTreeSet::from([CALLER, CREATE2_DEPLOYER, VM_ADDRESS])))
    }
}

impl PersistentAccounts {
    pub(crate) fn add(&mut self, address: Address) {
        Arc::make_mut(&mut self.0).insert(address);
    }

    pub(crate) fn remove(&mut self, address: Address) {
        Arc::make_mut(&mut self.0).remove(&address);
    }

    pub(crate) fn has(&self, address: Address) -> bool {
        self.0.contains(&address)
    }
}

/// All forks of a test, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forks {
    list: Vec<Fork>,
    active: Option<usize>,
    pub(crate) persistent: PersistentAccounts,
    /// Contracts created before any fork was selected.
    made: Vec<(Address, StateAccount)>,
    /// State before the current transaction, if it has selected or rolled a fork.
    before: Option<Box<BeforeTransaction>>,
}

#[derive(Clone, Debug)]
struct BeforeTransaction {
    forks: Forks,
    view: ForkView,
}

impl Forks {
    /// Creates an empty set of forks for the test contract at this address.
    pub(crate) fn of(test: Address) -> Self {
        let mut forks = Self::default();
        forks.persistent.add(test);
        forks
    }

    /// Adds a first fork and selects it.
    pub(crate) fn begin_on(&mut self, chain: Arc<Chain>) {
        self.active = Some(self.add(chain));
    }

    /// Adds a fork and returns its number.
    pub(crate) fn add(&mut self, chain: Arc<Chain>) -> usize {
        let block = chain.block.clone();
        self.list.push(Fork { chain, block, left: None });
        self.list.len() - 1
    }

    /// Adds a fork in the middle of a block and returns its number. `replayed` is the state after the block's
    /// first transactions.
    pub(crate) fn add_within(&mut self, chain: Arc<Chain>, block: BlockEnv, replayed: ForkView) -> usize {
        self.list.push(Fork { chain, block, left: Some(replayed) });
        self.list.len() - 1
    }

    /// Returns the number of the selected fork.
    pub(crate) fn active(&self) -> Option<usize> {
        self.active
    }

    /// Returns the chain of a fork.
    pub(crate) fn chain(&self, id: usize) -> Option<&Arc<Chain>> {
        self.list.get(id).map(|fork| &fork.chain)
    }

    /// Returns the chains of all forks.
    pub(crate) fn chains(&self) -> impl Iterator<Item = &Arc<Chain>> {
        self.list.iter().map(|fork| &fork.chain)
    }

    /// Prepares for a new transaction.
    pub(crate) fn begin_tx(&mut self) {
        self.before = None;
    }

    /// Selects a fork. `running` are the accounts whose code runs, and `undo` reverts the changes of the
    /// transaction that the journal has not recorded.
    pub(crate) fn select(
        &mut self,
        ctx: &mut Ctx,
        id: usize,
        running: impl Iterator<Item = Address>,
        undo: impl FnOnce(&mut Ctx),
    ) {
        if self.active != Some(id) {
            let leaving = self.leave(ctx, undo);
            let entering = match self.list[id].left.take() {
                Some(mut view) => {
                    // A fork that was never selected gets the contracts created before any fork was selected.
                    for (address, account) in &self.made {
                        if view.account(*address).is_none() {
                            view.put(*address, Some(account.clone()));
                        }
                    }
                    view
                }
                None => self.fresh(id),
            };
            self.enter(ctx, id, &leaving, entering, running);
        }
    }

    /// Moves a fork to another block, or into the middle of a block if the accounts there are given.
    pub(crate) fn roll(
        &mut self,
        ctx: &mut Ctx,
        id: usize,
        (chain, within): (Arc<Chain>, Option<(BlockEnv, ForkView)>),
        running: impl Iterator<Item = Address>,
        undo: impl FnOnce(&mut Ctx),
    ) {
        let (block, accounts) = within.unzip();
        let block = block.unwrap_or_else(|| chain.block.clone());
        self.list[id].chain = chain;
        if self.active == Some(id) {
            let leaving = self.leave(ctx, undo);
            let mut entering = accounts.unwrap_or_else(|| ForkView::on(&self.list[id].chain));
            for (address, account) in leaving.made() {
                entering.put(address, Some(account));
            }
            self.list[id].block = block;
            self.enter(ctx, id, &leaving, entering, running);
        } else {
            let fork = &mut self.list[id];
            fork.block = block;
            fork.left = match (fork.left.take(), accounts) {
                (_, Some(accounts)) => Some(accounts),
                // Values read or changed on the fork are kept.
                (Some(mut left), None) => {
                    Arc::make_mut(&mut left.database.base_state).fork = Some(fork.chain.clone());
                    Some(left)
                }
                (None, None) => None,
            };
        }
    }

    /// Returns the initial accounts of a fork: those of its chain, and the contracts created before.
    fn fresh(&self, id: usize) -> ForkView {
        let mut view = ForkView::on(&self.list[id].chain);
        for (address, account) in &self.made {
            view.put(*address, Some(account.clone()));
        }
        view
    }

    /// Takes the accounts of the selected fork out of the journal.
    fn leave(&mut self, ctx: &mut Ctx, undo: impl FnOnce(&mut Ctx)) -> ForkView {
        let leaving = ForkView::of(ctx);
        if self.before.is_none() {
            undo(ctx);
            let journal = &mut ctx.journaled_state;
            let mut undone = journal.inner.clone();
            undone.discard_tx();
            let view = ForkView { database: journal.database.clone(), state: undone.state };
            self.before =
                Some(Box::new(BeforeTransaction { forks: Self { before: None, ..self.clone() }, view }));
        }
        ctx.journaled_state.inner.state = EvmState::default();
        match self.active {
            Some(active) => {
                let fork = &mut self.list[active];
                (fork.block.number, fork.block.timestamp) = (ctx.block.number, ctx.block.timestamp);
                fork.left = Some(leaving.clone());
            }
            None => self.made = leaving.made().collect(),
        }
        leaving
    }

    fn enter(
        &mut self,
        ctx: &mut Ctx,
        id: usize,
        leaving: &ForkView,
        mut entering: ForkView,
        running: impl Iterator<Item = Address>,
    ) {
        for address in self.persistent.0.iter() {
            entering.put(*address, leaving.account(*address));
        }
        let journal = &mut ctx.journaled_state;
        journal.inner.state = entering.state;
        journal.database = entering.database;
        // Frames can no longer undo earlier changes on their own.
        let nothing = JournalEntry::TransientStorageChange {
            key: U256::MAX,
            had_value: U256::ZERO,
            address: Address::ZERO,
        };
        journal.inner.journal.fill(nothing);
        for address in running {
            let Ok(_) = journal.load_account_with_code(address);
        }
        ctx.block.clone_from(&self.list[id].block);
        ctx.cfg.chain_id = self.list[id].chain.id;
        ctx.chain.watch.fork = Some(id as u64);
        self.active = Some(id);
    }

    /// Undoes the current transaction's changes to forks and, if it replaced the accounts, restores them.
    pub(crate) fn undo_tx(&mut self, ctx: &mut Ctx) {
        if let Some(before) = self.before.take() {
            let BeforeTransaction { forks, view } = *before;
            *self = forks;
            let journal = &mut ctx.journaled_state;
            journal.inner.journal.clear();
            journal.inner.state = view.state;
            journal.database = view.database;
            ctx.chain.watch.fork = self.active.map(|active| active as u64);
        }
    }

    /// Returns and clears the first error of a node, if there is one.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.chains().find_map(|chain| chain.take_failure())
    }
}
