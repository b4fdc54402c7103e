//! Calls of a unit test's `setUp`, made again with the contracts and accounts of the handler.

use super::HandlerSetting;
use crate::{
    campaign::unit_tests::UnitTestCall,
    model::{Copied, Transaction, is_view},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::Address;
use std::collections::BTreeMap;

/// Maximum number of calls that are made again.
const MOST: usize = 64;

/// Accounts of the handler that stand for those of a unit test.
struct Counterparts<'a> {
    known: BTreeMap<Address, Address>,
    accounts: &'a [Address],
    /// Number of accounts that have a counterpart.
    taken: usize,
}

impl HandlerSetting {
    /// Returns the calls that the unit test made whose deployment was copied.
    pub(super) fn set_up_calls(&self) -> Vec<Transaction> {
        let Copied { group, accounts } = &self.scene.copied;
        let Some(set_up) = group.and_then(|group| self.used.set_ups.get(group)) else { return Vec::new() };
        let plain = self.accounts.len() - usize::from(self.holder.is_some());
        let mut counterparts =
            Counterparts { known: accounts.clone(), accounts: &self.accounts[..plain], taken: 0 };
        counterparts.known.insert(set_up.test, self.accounts[0]);
        let changing = set_up.calls.iter().filter(|call| !is_view(&call.function));
        let calls = changing.take(MOST).filter_map(|call| {
            let target = *accounts.get(&call.target)?;
            let UnitTestCall { function, value, .. } = call;
            let args = call.args.iter().map(|arg| counterparts.of_value(arg)).collect();
            let sender = counterparts.of(call.sender);
            Some(Transaction { value: *value, ..Transaction::plain(sender, target, function, args) })
        });
        calls.collect()
    }
}

impl Counterparts<'_> {
    /// Returns the account that stands for one of the test.
    fn of(&mut self, address: Address) -> Address {
        if Copied::is_fixed(address) {
            return address;
        }
        *self.known.entry(address).or_insert_with(|| {
            self.taken += 1;
            self.accounts[self.taken % self.accounts.len()]
        })
    }

    fn of_value(&mut self, value: &DynSolValue) -> DynSolValue {
        let mut all = |items: &[DynSolValue]| items.iter().map(|item| self.of_value(item)).collect();
        match value {
            DynSolValue::Address(address) => DynSolValue::Address(self.of(*address)),
            DynSolValue::Array(items) => DynSolValue::Array(all(items)),
            DynSolValue::FixedArray(items) => DynSolValue::FixedArray(all(items)),
            DynSolValue::Tuple(items) | DynSolValue::CustomStruct { tuple: items, .. } => {
                DynSolValue::Tuple(all(items))
            }
            other => other.clone(),
        }
    }
}
