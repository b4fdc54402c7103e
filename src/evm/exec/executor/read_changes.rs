//! Record of the properties for which no call changed the state that they read.

use crate::evm::trace::read_set::StateRead;
use alloy_primitives::U256;
use rustc_hash::FxHashMap;

/// State that a property read: `None` once it was another one, or once it is not known.
type FirstReads = Option<Vec<(StateRead, U256)>>;

/// State that each property read when it was evaluated first, by the index of the property. Values of the block do
/// not belong to it.
#[derive(Debug, Default)]
pub(super) struct ReadChanges(FxHashMap<usize, FirstReads>);

impl ReadChanges {
    /// Notes an evaluation of a property that read this state; `None` if that is not known.
    pub(super) fn note(&mut self, property: usize, reads: Option<&[(StateRead, U256)]>) {
        let is_state = |read: &&(StateRead, U256)| !matches!(read.0, StateRead::Environment(_));
        let state = || reads.map(|reads| reads.iter().filter(is_state));
        let first = self.0.entry(property).or_insert_with(|| state().map(|reads| reads.copied().collect()));
        if let Some(known) = first
            && !state().is_some_and(|reads| reads.eq(known.iter()))
        {
            *first = None;
        }
    }

    /// Tells whether a property may have read another state than in its first evaluation.
    pub(super) fn may_have_changed(&self, property: usize) -> bool {
        !self.0.get(&property).is_some_and(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::Address;

    #[test]
    fn only_another_state_is_a_change() {
        let balance = |value: u64| (StateRead::Balance(Address::ZERO), U256::from(value));
        let time = |value: u64| (StateRead::Environment(0x42), U256::from(value));
        let mut changes = ReadChanges::default();
        changes.note(0, Some(&[time(1), balance(5)]));
        changes.note(0, Some(&[balance(5), time(2)]));
        assert!(!changes.may_have_changed(0));
        for other in [Some(&[balance(6)][..]), Some(&[][..]), None] {
            let mut changes = ReadChanges::default();
            changes.note(0, Some(&[balance(5)]));
            changes.note(0, other);
            changes.note(0, Some(&[balance(5)]));
            assert!(changes.may_have_changed(0));
        }
    }

    #[test]
    fn a_property_of_which_nothing_is_known_may_have_changed() {
        let mut changes = ReadChanges::default();
        changes.note(3, None);
        assert!(changes.may_have_changed(3) && changes.may_have_changed(4));
    }
}
