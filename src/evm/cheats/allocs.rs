//! Cheatcodes on whole accounts: clone them, load them from a genesis file, and dump them to one.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    file_access::FileAccess,
    vm::Vm,
};
use crate::{
    evm::base::constants::{CALLER, CREATE2_DEPLOYER, VM_ADDRESS},
    files::read_text,
};
use alloy_primitives::{Address, B256, Bytes, U64, U256};
use revm::{bytecode::Bytecode, context_interface::journaled_state::account::JournaledAccountTr as _};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs};

/// Account of a genesis file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Alloc {
    #[serde(default, deserialize_with = "nonce")]
    nonce: U64,
    balance: U256,
    #[serde(default)]
    code: Option<Bytes>,
    #[serde(default)]
    storage: Option<BTreeMap<B256, B256>>,
}

/// Reads a nonce: a number, or a string with a hexadecimal number. Null means zero.
fn nonce<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<U64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Nonce {
        Number(u64),
        Text(U64),
        None,
    }
    Ok(match Nonce::deserialize(deserializer)? {
        Nonce::Number(number) => U64::from(number),
        Nonce::Text(number) => number,
        Nonce::None => U64::ZERO,
    })
}

type Allocs = BTreeMap<Address, Alloc>;

/// Genesis file; only its accounts are used.
#[derive(Debug, Deserialize)]
struct Genesis {
    #[serde(default)]
    alloc: Allocs,
}

/// Sets balance, nonce, code and storage slots to those of a genesis account. A revert of the calling frame undoes
/// it.
fn put_account(cx: &mut Cx<'_>, address: Address, alloc: Alloc) -> Result<(), CheatError> {
    cx.account(address);
    let journal = &mut cx.ctx.journaled_state;
    let Ok(mut account) = revm::context::JournalTr::load_account_mut(journal, address);
    account.data.set_balance(alloc.balance);
    account.data.set_nonce(alloc.nonce.to());
    if let Some(code) = alloc.code {
        let code = Bytecode::new_raw_checked(code);
        cx.set_code(address, code.map_err(|error| format!("failed to create bytecode: {error}"))?);
    }
    for (slot, value) in alloc.storage.into_iter().flatten() {
        cx.store(address, slot.into(), value.into());
    }
    Ok(())
}

/// Returns the current state of an account, with the slots that were touched.
fn alloc_of(cx: &mut Cx<'_>, address: Address) -> Alloc {
    let info = cx.account(address).info.clone();
    let touched = cx.touched(address);
    Alloc {
        nonce: U64::from(info.nonce),
        balance: info.balance,
        code: Some(info.code.map(|code| code.original_bytes()).unwrap_or_default()),
        storage: Some(touched.into_iter().map(|slot| (slot.into(), cx.load(address, slot).into())).collect()),
    }
}

impl Cheatcode for Vm::cloneAccountCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let alloc = alloc_of(cx, self.source);
        put_account(cx, self.target, alloc)?;
        done()
    }
}

impl Cheatcode for Vm::loadAllocsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let path = cx.path(&self.path, FileAccess::Read)?;
        if !path.exists() {
            return Err(format!("allocs file does not exist: {}", self.path).into());
        }
        let text = read_text(&path);
        let text = text.map_err(|error| format!("failed to read from {:?}: {error}", self.path))?;
        let allocs = serde_json::from_str::<Allocs>(&text).or_else(|_| {
            let genesis = serde_json::from_str::<Genesis>(&text);
            genesis.map(|genesis| genesis.alloc)
        });
        let allocs =
            allocs.map_err(|error| format!("failed to parse json file: {:?}: {error}", self.path))?;
        for (address, alloc) in allocs {
            put_account(cx, address, alloc)?;
        }
        done()
    }
}

impl Cheatcode for Vm::dumpStateCall {
    /// Writes the accounts that the test touched, except for those that every test has.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let own = [CALLER, CREATE2_DEPLOYER, VM_ADDRESS, cx.caller, cx.ctx.tx.caller, Address::ZERO];
        let state = &cx.ctx.journaled_state.inner.state;
        let touched: Vec<Address> = state
            .iter()
            .filter(|(address, account)| {
                !own.contains(address) && account.is_touched() && !account.info.is_empty()
            })
            .map(|(address, _)| *address)
            .collect();
        let allocs: BTreeMap<Address, Alloc> =
            touched.into_iter().map(|address| (address, alloc_of(cx, address))).collect();
        let text = serde_json::to_string(&allocs).map_err(|error| error.to_string())?;
        let path = if self.path.is_empty() { "".into() } else { cx.writable(&self.path)? };
        fs::write(path, text).map_err(|error| format!("failed to create file {:?}: {error}", self.path))?;
        done()
    }
}

/// Implements cheatcodes on access lists as no-ops: only transactions of scripts have access lists, calls of
/// tests do not.
macro_rules! for_scripts {
    ($($call:ident)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
                done()
            }
        }
    )*};
}

for_scripts! { accessListCall noAccessListCall }
