//! State of accounts in layers: the base state after `setUp`, and the changes of transactions over it.

use super::fork::Chain;
use crate::evm::{Ctx, base::hash::mix};
use alloy_primitives::{Address, B256, U256, keccak256};
use revm::{
    Database,
    primitives::{HashMap, KECCAK_EMPTY},
    state::{Account, AccountInfo, Bytecode, EvmState},
};
use rustc_hash::FxHasher;
use std::{
    convert::Infallible,
    hash::{Hash as _, Hasher as _},
    sync::Arc,
};

/// An account of the base state. Its code is always inline.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateAccount {
    pub(crate) info: AccountInfo,
    pub(crate) storage: HashMap<U256, U256>,
    /// True if storage words without an entry are zero: the account was created or destroyed since the fork.
    pub(crate) is_new: bool,
}

/// Accounts by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct BaseState {
    pub(crate) accounts: HashMap<Address, StateAccount>,
    /// Forked chain that provides all other accounts, if there is one.
    pub(crate) fork: Option<Arc<Chain>>,
}

impl BaseState {
    /// Applies the changes of a finished transaction (revm's `finalize`).
    pub(crate) fn commit(&mut self, changes: EvmState) {
        for (address, account) in changes {
            if account.is_selfdestructed() {
                self.accounts.remove(&address);
                if self.fork.is_some() {
                    self.accounts.insert(address, StateAccount { is_new: true, ..StateAccount::default() });
                }
                continue;
            }
            if account.info.is_empty() && account.storage.is_empty() && self.fork.is_none() {
                continue;
            }
            let forked = self.fork.is_some();
            let entry = self.account(address);
            if account.is_created() {
                entry.storage.clear();
                entry.is_new = true;
            }
            let code = account.info.code.or_else(|| entry.info.code.take());
            entry.info = AccountInfo { code, ..account.info };
            for (slot, value) in account.storage {
                if value.present_value().is_zero() && (entry.is_new || !forked) {
                    entry.storage.remove(&slot);
                } else {
                    entry.storage.insert(slot, value.present_value());
                }
            }
        }
    }

    /// Returns an account, if it exists.
    fn info(&self, address: Address) -> Option<&AccountInfo> {
        match self.accounts.get(&address) {
            Some(account) => Some(&account.info),
            None => self.fork.as_ref()?.info(address),
        }
    }

    /// Returns a word of storage.
    fn word(&self, address: Address, slot: U256) -> U256 {
        let account = self.accounts.get(&address);
        if let Some(value) = account.and_then(|account| account.storage.get(&slot)) {
            return *value;
        }
        match &self.fork {
            Some(fork) if !account.is_some_and(|account| account.is_new) => fork.word(address, slot),
            _ => U256::ZERO,
        }
    }

    /// Returns an account for modification. It is first copied from the fork, or created empty, if it has no
    /// entry yet.
    pub(crate) fn account(&mut self, address: Address) -> &mut StateAccount {
        let fork = &self.fork;
        self.accounts.entry(address).or_insert_with(|| {
            let info = fork.as_ref().and_then(|fork| fork.info(address)).cloned();
            StateAccount { info: info.unwrap_or_default(), ..StateAccount::default() }
        })
    }

    /// Sets an account's balance, creating it when needed.
    pub(crate) fn set_balance(&mut self, address: Address, balance: U256) {
        self.account(address).info.balance = balance;
    }

    /// Sets an account's code, creating it when needed.
    pub(crate) fn set_code(&mut self, address: Address, code: Bytecode) {
        let info = &mut self.account(address).info;
        info.code_hash = code.hash_slow();
        info.code = Some(code);
    }
}

/// Changes of transactions over a [`BaseState`]: the state after a prefix of calls that many sequences share.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateLayer {
    accounts: HashMap<Address, ChangedAccount>,
    digest: u64,
}

/// Changed account of a layer.
#[derive(Clone, Debug, Default)]
struct ChangedAccount {
    /// Balance, nonce and code; `None` if the account was destroyed.
    info: Option<AccountInfo>,
    /// Changed words, zeros included.
    storage: HashMap<U256, U256>,
    /// True if the storage of the base state no longer applies: the account was created or destroyed since.
    is_new: bool,
}

impl StateLayer {
    /// Approximate size in bytes.
    pub(crate) fn size(&self) -> usize {
        let slots: usize = self.accounts.values().map(|account| account.storage.capacity()).sum();
        self.accounts.capacity() * size_of::<(Address, ChangedAccount)>() + slots * size_of::<(U256, U256)>()
    }
}

/// Shared, read-only [`BaseState`] as revm's database, with or without a layer over it.
#[derive(Clone, Debug)]
pub(crate) struct LayeredDb {
    pub(crate) base_state: Arc<BaseState>,
    pub(crate) layer: Option<Arc<StateLayer>>,
}

impl LayeredDb {
    fn changed(&self, address: Address) -> Option<&ChangedAccount> {
        self.layer.as_ref()?.accounts.get(&address)
    }

    /// Returns an account, if it exists.
    pub(crate) fn info(&self, address: Address) -> Option<&AccountInfo> {
        match self.changed(address) {
            Some(changed) => changed.info.as_ref(),
            None => self.base_state.info(address),
        }
    }

    /// Returns a word of storage.
    pub(crate) fn word(&self, address: Address, slot: U256) -> U256 {
        if let Some(changed) = self.changed(address) {
            if let Some(value) = changed.storage.get(&slot) {
                return *value;
            }
            if changed.is_new {
                return U256::ZERO;
            }
        }
        self.base_state.word(address, slot)
    }

    /// Returns an account after transactions whose pending changes are `state`.
    pub(crate) fn info_under<'a>(&'a self, state: &'a EvmState, address: Address) -> Option<&'a AccountInfo> {
        match state.get(&address) {
            Some(account) => Some(&account.info),
            None => self.info(address),
        }
    }

    /// Returns a word of storage after transactions whose pending changes are `state`.
    pub(crate) fn word_under(&self, state: &EvmState, address: Address, slot: U256) -> U256 {
        let account = state.get(&address);
        match account.and_then(|account| account.storage.get(&slot)) {
            Some(value) => value.present_value(),
            None if account.is_some_and(Account::is_created) => U256::ZERO,
            None => self.word(address, slot),
        }
    }

    /// Returns all known slots of an account: those in the base state, in the layer and in the pending
    /// changes `state`. Some occur twice.
    pub(crate) fn slots_under<'a>(
        &'a self,
        state: &'a EvmState,
        address: Address,
    ) -> impl Iterator<Item = U256> + 'a {
        let touched = state.get(&address).into_iter().flat_map(|account| account.storage.keys());
        let changed = self.changed(address).into_iter().flat_map(|account| account.storage.keys());
        let known =
            self.base_state.accounts.get(&address).into_iter().flat_map(|account| account.storage.keys());
        touched.chain(changed).chain(known).copied()
    }

    /// Returns the addresses of all known accounts. Some occur twice.
    pub(crate) fn accounts(&self) -> impl Iterator<Item = Address> + '_ {
        let changed = self.layer.iter().flat_map(|layer| layer.accounts.keys());
        changed.chain(self.base_state.accounts.keys()).copied()
    }

    /// Returns true if both are certainly the same state: they share base state and layer.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let layer = |db: &Self| db.layer.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.base_state, &other.base_state) && layer(self) == layer(other)
    }

    /// Returns true if storage words of the account without an entry are zero.
    pub(crate) fn is_new(&self, address: Address) -> bool {
        self.base_state.fork.is_none()
            || self.changed(address).is_some_and(|account| account.is_new)
            || self.base_state.accounts.get(&address).is_some_and(|account| account.is_new)
    }

    /// Removes the changes of an account from the layer.
    pub(crate) fn forget(&mut self, address: Address) {
        if let Some(layer) = self.layer.as_mut().filter(|layer| layer.accounts.contains_key(&address)) {
            Arc::make_mut(layer).accounts.remove(&address);
        }
    }

    /// Adds the changes of transactions to the layer.
    pub(crate) fn fold(&mut self, changes: EvmState) {
        let digest = self.digest(&changes);
        let mut layer = self.layer.as_deref().cloned().unwrap_or_default();
        layer.digest = digest;
        for (address, account) in changes {
            if account.is_selfdestructed() {
                layer.accounts.insert(address, ChangedAccount { is_new: true, ..ChangedAccount::default() });
                continue;
            }
            let is_new = account.is_created();
            let words = account.storage.iter().map(|(slot, value)| (*slot, value.present_value()));
            let words = words.filter(|(slot, value)| is_new || self.word(address, *slot) != *value);
            let words: Vec<_> = words.collect();
            let is_same = match self.info(address) {
                Some(before) => *before == account.info,
                None => account.info.is_empty(),
            };
            if !is_new && is_same && words.is_empty() {
                continue;
            }
            let changed = layer.accounts.entry(address).or_default();
            if is_new {
                changed.storage.clear();
                changed.is_new = true;
            }
            let code = account.info.code.or_else(|| self.info(address)?.code.clone());
            changed.info = Some(AccountInfo { code, ..account.info });
            changed.storage.extend(words);
        }
        self.layer = Some(Arc::new(layer));
    }

    /// Returns a hash of the storage after `changes`, which distinguishes states over the same base state. It
    /// is a sum over all words that differ from the base state's.
    pub(crate) fn digest(&self, changes: &EvmState) -> u64 {
        let mut digest = self.layer.as_ref().map_or(0, |layer| layer.digest);
        for (address, account) in changes {
            for (slot, value) in &account.storage {
                let (before, after) = (self.word(*address, *slot), value.present_value());
                if before == after {
                    continue;
                }
                let base_value = self.base_state.word(*address, *slot);
                let share = |value| if value == base_value { 0 } else { hash_word(*address, *slot, value) };
                digest = digest.wrapping_sub(share(before)).wrapping_add(share(after));
            }
        }
        digest
    }
}

fn hash_word(address: Address, slot: U256, value: U256) -> u64 {
    let mut hasher = FxHasher::default();
    (address, slot, value).hash(&mut hasher);
    mix(hasher.finish())
}

/// Returns the current value of a storage word, pending changes included.
pub(crate) fn stored(ctx: &Ctx, address: Address, slot: U256) -> U256 {
    let journal = &ctx.journaled_state;
    journal.database.word_under(&journal.state, address, slot)
}

/// Returns the current account, pending changes included.
pub(crate) fn info(ctx: &Ctx, address: Address) -> Option<&AccountInfo> {
    let journal = &ctx.journaled_state;
    journal.database.info_under(&journal.state, address)
}

impl Database for LayeredDb {
    type Error = Infallible;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Infallible> {
        Ok(self.info(address).cloned())
    }

    fn code_by_hash(&mut self, code_hash: B256) -> Result<Bytecode, Infallible> {
        // Code is inline in every account, so only the empty hash is looked up.
        debug_assert_eq!(code_hash, KECCAK_EMPTY, "code is kept inline");
        Ok(Bytecode::default())
    }

    fn storage(&mut self, address: Address, index: U256) -> Result<U256, Infallible> {
        Ok(self.word(address, index))
    }

    /// Returns the fork's block hash. Without a fork, it is the hash of the block number's decimal digits, as
    /// in Forge.
    fn block_hash(&mut self, number: u64) -> Result<B256, Infallible> {
        Ok(match &self.base_state.fork {
            Some(fork) => fork.block_hash(number),
            None => keccak256(number.to_string().as_bytes()),
        })
    }
}

#[cfg(test)]
mod tests;
