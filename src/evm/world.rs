//! The state under all executions: accounts, code and storage as `setUp` left them.

use super::Ctx;
use alloy_primitives::{Address, B256, U256, keccak256};
use revm::{
    Database,
    primitives::{HashMap, KECCAK_EMPTY},
    state::{AccountInfo, Bytecode, EvmState},
};
use std::{convert::Infallible, sync::Arc};

/// One account; its code is always inline.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldAccount {
    pub(crate) info: AccountInfo,
    pub(crate) storage: HashMap<U256, U256>,
}

/// Accounts by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) accounts: HashMap<Address, WorldAccount>,
}

impl World {
    /// Keeps what a finished transaction left behind (revm's `finalize`).
    pub(crate) fn commit(&mut self, changes: EvmState) {
        for (address, account) in changes {
            if account.is_selfdestructed() {
                self.accounts.remove(&address);
                continue;
            }
            if account.info.is_empty() && account.storage.is_empty() {
                continue;
            }
            let entry = self.accounts.entry(address).or_default();
            if account.is_created() {
                entry.storage.clear();
            }
            let code = account.info.code.or_else(|| entry.info.code.take());
            entry.info = AccountInfo { code, ..account.info };
            for (slot, value) in account.storage {
                if value.present_value().is_zero() {
                    entry.storage.remove(&slot);
                } else {
                    entry.storage.insert(slot, value.present_value());
                }
            }
        }
    }

    /// Sets an account's balance, creating it when needed.
    pub(crate) fn set_balance(&mut self, address: Address, balance: U256) {
        self.accounts.entry(address).or_default().info.balance = balance;
    }

    /// Sets an account's code, creating it when needed.
    pub(crate) fn set_code(&mut self, address: Address, code: Bytecode) {
        let info = &mut self.accounts.entry(address).or_default().info;
        info.code_hash = code.hash_slow();
        info.code = Some(code);
    }
}

/// A storage word as it stands: in the journal if the slot was touched, else in the world.
pub(crate) fn stored(ctx: &Ctx, address: Address, slot: U256) -> U256 {
    let journal = &ctx.journaled_state;
    let touched = journal.state.get(&address).and_then(|account| account.storage.get(&slot));
    let created = journal.state.get(&address).is_some_and(|account| account.is_created());
    touched.map_or_else(
        || {
            if created {
                return U256::ZERO;
            }
            let account = journal.database.world.accounts.get(&address);
            account.and_then(|account| account.storage.get(&slot)).copied().unwrap_or_default()
        },
        |value| value.present_value(),
    )
}

/// A shared, read-only [`World`] as revm's database.
#[derive(Clone, Debug)]
pub(crate) struct WorldDb {
    pub(crate) world: Arc<World>,
}

impl Database for WorldDb {
    type Error = Infallible;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Infallible> {
        Ok(self.world.accounts.get(&address).map(|account| account.info.clone()))
    }

    fn code_by_hash(&mut self, code_hash: B256) -> Result<Bytecode, Infallible> {
        // Code is inline in every account, so only the empty hash is ever asked for.
        debug_assert_eq!(code_hash, KECCAK_EMPTY, "code is kept inline");
        Ok(Bytecode::default())
    }

    fn storage(&mut self, address: Address, index: U256) -> Result<U256, Infallible> {
        let account = self.world.accounts.get(&address);
        Ok(account.and_then(|account| account.storage.get(&index)).copied().unwrap_or_default())
    }

    /// As Forge's empty backend: the hash of the block number's decimal digits.
    fn block_hash(&mut self, number: u64) -> Result<B256, Infallible> {
        Ok(keccak256(number.to_string().as_bytes()))
    }
}
