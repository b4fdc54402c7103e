//! `vm.startMappingRecording`: records the storage slots of mappings, with their keys.
//!
//! An element of a mapping at slot `p` has the slot `keccak256(key . p)`. Hashes of 64 bytes are recorded, and
//! a store to such a hash makes it an element of the mapping.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    vm::Vm,
};
use alloy_primitives::{Address, B256, U256, keccak256};
use std::collections::BTreeMap;

/// Recorded mappings of all contracts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings {
    contracts: BTreeMap<Address, ContractMappings>,
}

#[derive(Clone, Debug, Default)]
struct ContractMappings {
    /// Key and parent slot of every recorded hash.
    hashes: BTreeMap<B256, (B256, B256)>,
    /// Slots of elements by the slot of their mapping, in the order of their first write.
    children: BTreeMap<B256, Vec<B256>>,
    /// Key and parent slot of each element: of written hashes, and of the elements that contain them.
    elements: BTreeMap<B256, (B256, B256)>,
}

impl Mappings {
    /// Records that `contract` hashed `data`.
    pub(crate) fn hashed(&mut self, contract: Address, data: &[u8]) {
        if let Some((key, parent)) = data.split_at_checked(32)
            && parent.len() == 32
        {
            let hashes = &mut self.contracts.entry(contract).or_default().hashes;
            hashes.insert(keccak256(data), (B256::from_slice(key), B256::from_slice(parent)));
        }
    }

    /// Forgets what `contract` hashed and wrote.
    pub(super) fn forget(&mut self, contract: Address) {
        self.contracts.remove(&contract);
    }

    /// Returns the slot of the mapping that contains the element at `slot`, and the element's keys from the
    /// outermost mapping inwards; `None` if the slot is not the hash of a key and a slot.
    pub(super) fn origin(&self, contract: Address, slot: B256) -> Option<(B256, Vec<B256>)> {
        let hashes = &self.contracts.get(&contract)?.hashes;
        let (mut root, mut keys) = (slot, Vec::new());
        while let Some((key, parent)) = hashes.get(&root) {
            keys.push(*key);
            root = *parent;
        }
        keys.reverse();
        (!keys.is_empty()).then_some((root, keys))
    }

    /// Records that `contract` wrote to `slot`.
    pub(crate) fn stored(&mut self, contract: Address, slot: U256) {
        if let Some(contract) = self.contracts.get_mut(&contract) {
            contract.add(slot.into());
        }
    }
}

impl ContractMappings {
    /// Adds a slot as an element of its mapping. If the mapping is itself an element of a mapping, it is added
    /// as well.
    fn add(&mut self, mut slot: B256) {
        while let Some((key, parent)) = self.hashes.get(&slot).copied() {
            if self.elements.insert(slot, (key, parent)).is_some() {
                return;
            }
            self.children.entry(parent).or_default().push(slot);
            slot = parent;
        }
    }
}

/// Returns the recorded mappings of a contract.
fn mappings_of<'a>(cx: &'a mut Cx<'_>, target: Address) -> Option<&'a ContractMappings> {
    cx.note_calls();
    cx.ctx.chain.watch.mappings.as_deref()?.contracts.get(&target)
}

/// Returns the slots of the elements of a mapping.
fn children<'a>(cx: &'a mut Cx<'_>, target: Address, slot: B256) -> &'a [B256] {
    let contract = mappings_of(cx, target);
    contract.and_then(|contract| contract.children.get(&slot)).map(Vec::as_slice).unwrap_or_default()
}

impl Cheatcode for Vm::startMappingRecordingCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.mappings.get_or_insert_default();
        done()
    }
}

impl Cheatcode for Vm::stopMappingRecordingCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.mappings = None;
        done()
    }
}

impl Cheatcode for Vm::getMappingLengthCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(U256::from(children(cx, self.target, self.slot).len()))
    }
}

impl Cheatcode for Vm::getMappingSlotAtCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let children = children(cx, self.target, self.slot);
        let slot = usize::try_from(self.index).ok().and_then(|index| children.get(index));
        Ok(slot.copied().unwrap_or_default())
    }
}

impl Cheatcode for Vm::getMappingKeyAndParentOfCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let element = mappings_of(cx, self.target).and_then(|contract| {
            contract.elements.get(&self.slot).or_else(|| contract.hashes.get(&self.slot))
        });
        let (key, parent) = element.copied().unwrap_or_default();
        Ok((element.is_some(), key, parent).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: Address = Address::with_last_byte(1);

    fn word(value: u8) -> B256 {
        B256::with_last_byte(value)
    }

    fn element(key: B256, parent: B256) -> B256 {
        keccak256([key, parent].concat())
    }

    #[test]
    fn a_written_element_of_a_nested_mapping_is_an_element_on_both_levels() {
        let mut mappings = Mappings::default();
        let outer = element(word(7), word(1));
        let inner = element(word(8), outer);
        mappings.hashed(TOKEN, &[word(7), word(1)].concat());
        mappings.hashed(TOKEN, &[word(8), outer].concat());
        mappings.stored(TOKEN, inner.into());
        mappings.stored(TOKEN, inner.into());
        let contract = &mappings.contracts[&TOKEN];
        assert_eq!(contract.children[&outer], [inner]);
        assert_eq!(contract.children[&word(1)], [outer]);
        assert_eq!(contract.elements[&inner], (word(8), outer));
    }

    #[test]
    fn the_keys_of_an_element_begin_with_that_of_the_outermost_mapping() {
        let mut mappings = Mappings::default();
        let outer = element(word(7), word(1));
        let inner = element(word(8), outer);
        mappings.hashed(TOKEN, &[word(7), word(1)].concat());
        mappings.hashed(TOKEN, &[word(8), outer].concat());
        assert_eq!(mappings.origin(TOKEN, inner), Some((word(1), vec![word(7), word(8)])));
        assert_eq!(mappings.origin(TOKEN, word(1)), None);
        mappings.forget(TOKEN);
        assert_eq!(mappings.origin(TOKEN, inner), None);
    }

    #[test]
    fn a_plain_slot_belongs_to_no_mapping() {
        let mut mappings = Mappings::default();
        mappings.hashed(TOKEN, &[0; 64]);
        mappings.stored(TOKEN, U256::from(3));
        assert!(mappings.contracts[&TOKEN].children.is_empty());
    }
}
