//! The forks of a test, of which one at most lies under its accounts.
//!
//! A fork has accounts of its own; what is persistent goes along when another one is selected. revm's journal knows nothing of
//! this: its accounts are exchanged, and what frames recorded before can no longer be undone by themselves, but only with
//! the whole transaction.

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

/// Accounts at one moment.
#[derive(Clone, Debug)]
pub(crate) struct ForkView {
    database: LayeredDb,
    state: EvmState,
}

impl ForkView {
    /// The accounts of a test.
    pub(crate) fn of(ctx: &Ctx) -> Self {
        let journal = &ctx.journaled_state;
        Self { database: journal.database.clone(), state: journal.inner.state.clone() }
    }

    /// A chain's accounts, untouched.
    pub(crate) fn on(chain: &Arc<Chain>) -> Self {
        let base_state = BaseState { fork: Some(chain.clone()), ..BaseState::default() };
        Self {
            database: LayeredDb { base_state: Arc::new(base_state), layer: None },
            state: EvmState::default(),
        }
    }

    /// The accounts with all changes in them.
    pub(crate) fn database(&self) -> LayeredDb {
        let mut database = self.database.clone();
        if !self.state.is_empty() {
            database.fold(self.state.clone());
        }
        database
    }

    /// Keeps what a transaction changed.
    pub(crate) fn keep(&mut self, changes: EvmState) {
        let mut database = self.database();
        database.fold(changes);
        *self = Self { database, state: EvmState::default() };
    }

    /// An account with all of its storage that is known.
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

    /// Puts an account in place of what is there.
    fn put(&mut self, address: Address, account: Option<StateAccount>) {
        self.state.remove(&address);
        self.database.forget(address);
        let accounts = &mut Arc::make_mut(&mut self.database.base_state).accounts;
        accounts.insert(address, account.unwrap_or(StateAccount { is_new: true, ..StateAccount::default() }));
    }

    /// Contracts that tests made, which later forks have too.
    fn made(&self) -> impl Iterator<Item = (Address, StateAccount)> + '_ {
        let all: BTreeSet<Address> = self.state.keys().copied().chain(self.database.accounts()).collect();
        let made = all.into_iter().filter_map(|address| Some((address, self.account(address)?)));
        made.filter(|(_, account)| account.is_new && account.info.code_hash != KECCAK_EMPTY)
    }
}

/// One fork.
#[derive(Clone, Debug)]
struct Fork {
    chain: Arc<Chain>,
    block: BlockEnv,
    /// Its accounts while another one is selected; none before it was selected for the first time.
    left: Option<ForkView>,
}

/// Which accounts go along.
#[derive(Clone, Debug)]
pub(crate) struct Persistence(Arc<BTreeSet<Address>>);

impl Default for Persistence {
    fn default() -> Self {
        Self(Arc::new(BTreeSet::from([CALLER, CREATE2_DEPLOYER, VM_ADDRESS])))
    }
}

impl Persistence {
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

/// All forks of a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forks {
    list: Vec<Fork>,
    active: Option<usize>,
    pub(crate) persistent: Persistence,
    /// Contracts that were made before a fork was selected.
    made: Vec<(Address, StateAccount)>,
    /// What was before the transaction that runs, once it has exchanged accounts.
    before: Option<Box<BeforeTransaction>>,
}

#[derive(Clone, Debug)]
struct BeforeTransaction {
    forks: Forks,
    view: ForkView,
}

impl Forks {
    /// None yet, for a test at this address.
    pub(crate) fn of(test: Address) -> Self {
        let mut forks = Self::default();
        forks.persistent.add(test);
        forks
    }

    /// Begins with one fork, which is selected.
    pub(crate) fn begin_on(&mut self, chain: Arc<Chain>) {
        self.active = Some(self.add(chain));
    }

    /// Adds a fork; its number.
    pub(crate) fn add(&mut self, chain: Arc<Chain>) -> usize {
        let block = chain.block.clone();
        self.list.push(Fork { chain, block, left: None });
        self.list.len() - 1
    }

    /// Adds a fork in the middle of a block; its number.
    pub(crate) fn add_within(&mut self, chain: Arc<Chain>, block: BlockEnv, replayed: ForkView) -> usize {
        self.list.push(Fork { chain, block, left: Some(replayed) });
        self.list.len() - 1
    }

    /// The number of the fork that is selected.
    pub(crate) fn active(&self) -> Option<usize> {
        self.active
    }

    /// A fork's chain.
    pub(crate) fn chain(&self, id: usize) -> Option<&Arc<Chain>> {
        self.list.get(id).map(|fork| &fork.chain)
    }

    /// All chains.
    pub(crate) fn chains(&self) -> impl Iterator<Item = &Arc<Chain>> {
        self.list.iter().map(|fork| &fork.chain)
    }

    /// A transaction begins.
    pub(crate) fn begin_tx(&mut self) {
        self.before = None;
    }

    /// Makes the fork the one under the accounts of the test. `running` are accounts whose code runs, and `undo` undoes what
    /// the journal has not recorded of the transaction.
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
                    // A fork that was never selected has what was made before any was.
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

    /// Moves a fork to another block, or into the middle of one where its accounts are known.
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
                // What was read or changed there stays.
                (Some(mut left), None) => {
                    Arc::make_mut(&mut left.database.base_state).fork = Some(fork.chain.clone());
                    Some(left)
                }
                (None, None) => None,
            };
        }
    }

    /// A fork that nobody has touched, with these contracts.
    fn fresh(&self, id: usize) -> ForkView {
        let mut view = ForkView::on(&self.list[id].chain);
        for (address, account) in &self.made {
            view.put(*address, Some(account.clone()));
        }
        view
    }

    /// Takes the accounts out of the journal.
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
        // What frames did before is not theirs to undo any more.
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

    /// Undoes what the transaction that runs did to forks and, if it exchanged accounts, to them.
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

    /// Why a node gave no answer, if one did not.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.chains().find_map(|chain| chain.take_failure())
    }
}
