//! Recorded state changes, formatted as text and as JSON.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx},
    vm::Vm,
};
use crate::project::StorageEncoding;
use alloy_primitives::{Address, B256, U256, keccak256};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write as _};

/// Changes of an account, with the field names of Forge's JSON.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountDiff {
    label: Option<String>,
    contract: Option<String>,
    balance_diff: Option<ValueChange<U256>>,
    nonce_diff: Option<ValueChange<u64>>,
    state_diff: BTreeMap<B256, ValueChange<B256>>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ValueChange<T> {
    previous_value: T,
    new_value: T,
}

impl<T: Copy + PartialEq> ValueChange<T> {
    /// Adds a change. The previous value remains that of the first change.
    fn note(change: &mut Option<Self>, previous_value: T, new_value: T) {
        match change {
            Some(change) => change.new_value = new_value,
            None => *change = Some(Self { previous_value, new_value }),
        }
    }
}

/// Returns the recorded changes by account.
fn changes(cx: &mut Cx<'_>) -> BTreeMap<Address, AccountDiff> {
    cx.note_calls();
    let mut accounts: BTreeMap<Address, AccountDiff> = BTreeMap::new();
    for access in cx.ctx.chain.watch.diffs.iter().flat_map(|diffs| diffs.all()) {
        if access.oldBalance != access.newBalance && !access.reverted {
            let account = accounts.entry(access.account).or_default();
            ValueChange::note(&mut account.balance_diff, access.oldBalance, access.newBalance);
        }
        if access.oldNonce != access.newNonce && !access.reverted {
            let account = accounts.entry(access.account).or_default();
            ValueChange::note(&mut account.nonce_diff, access.oldNonce, access.newNonce);
        }
        let written = access.storageAccesses.iter().filter(|slot| slot.isWrite && !slot.reverted);
        for Vm::StorageAccess { account, slot, previousValue, newValue, .. } in written {
            let slots = &mut accounts.entry(*account).or_default().state_diff;
            let change = ValueChange { previous_value: *previousValue, new_value: *newValue };
            slots.entry(*slot).and_modify(|known| known.new_value = *newValue).or_insert(change);
        }
    }
    for (address, account) in &mut accounts {
        account.label = cx.cheats.utilities.labels.get(address).cloned();
        account.contract = cx.contract_at(*address).map(|contract| contract.id.to_string());
    }
    accounts
}

impl Cheatcode for Vm::getStateDiffCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mut text = String::new();
        for (address, account) in changes(cx) {
            let _ = write!(text, "{address}\n{}\n", account.text());
        }
        Ok(text)
    }
}

impl AccountDiff {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in [("label", &self.label), ("contract", &self.contract)] {
            text.extend(value.iter().map(|value| format!("{name}: {value}\n")));
        }
        if let Some(ValueChange { previous_value, new_value }) = self.balance_diff
            && previous_value != new_value
        {
            let _ = writeln!(text, "- balance diff: {previous_value} → {new_value}");
        }
        if let Some(ValueChange { previous_value, new_value }) = self.nonce_diff
            && previous_value != new_value
        {
            let _ = writeln!(text, "- nonce diff: {previous_value} → {new_value}");
        }
        if !self.state_diff.is_empty() {
            text.push_str("- state diff:\n");
        }
        for (slot, ValueChange { previous_value, new_value }) in &self.state_diff {
            let _ = writeln!(text, "@ {slot}: {previous_value} → {new_value}");
        }
        text
    }
}

impl Cheatcode for Vm::getStateDiffJsonCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(serde_json::to_string(&changes(cx)).map_err(|error| error.to_string())?)
    }
}

impl Cheatcode for Vm::getStorageSlotsCall {
    /// Returns the slots of a variable, found in the storage layout of the contract whose code the account has.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let Self { target, variableName: name } = self;
        let layout = cx.contract_at(target).and_then(|contract| contract.layout.clone());
        let layout = layout.ok_or_else(|| {
            format!(
                "Storage layout not available for contract at {target}. \
                 Try compiling contracts with `--extra-output storageLayout`"
            )
        })?;
        let found = layout.variable(&name).cloned();
        let variable = found.ok_or_else(|| format!("variable '{name}' not found in storage layout"))?;
        let count = match variable.encoding {
            StorageEncoding::InPlace => variable.slots,
            StorageEncoding::Bytes => 1,
            StorageEncoding::Mapping | StorageEncoding::DynamicArray => {
                let text = "cannot get storage slots for variables with mapping or dynamic array types";
                return Err(text.into());
            }
        };
        let mut slots: Vec<U256> = (0..count).map(|place| variable.slot + U256::from(place)).collect();
        if variable.encoding == StorageEncoding::Bytes {
            let head = cx.load(target, variable.slot);
            if head.bit(0) {
                let words: usize = (head >> 1_usize).saturating_to::<usize>().div_ceil(32);
                let first: U256 = keccak256(variable.slot.to_be_bytes::<32>()).into();
                slots.extend((0..words).map(|place| first.wrapping_add(U256::from(place))));
            }
        }
        Ok(slots)
    }
}
