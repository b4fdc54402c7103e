//! Choice of the senders of calls.

use crate::engine::tuning::senders::{CIRCLE, CIRCLE_BITS};
use crate::{
    engine::{dictionary::Dictionary, functions::Swarm, rng::Rng},
    model::TargetSet,
};
use alloy_primitives::{Address, address};
use rustc_hash::FxHashSet;

/// Plain accounts that are frequent senders if there are no `targetSenders`. As they are few, an account that was
/// paid or approved is likely to call again.
const ACTORS: [Address; 3] = [
    address!("0000000000000000000000000000000000010000"),
    address!("0000000000000000000000000000000000020000"),
    address!("0000000000000000000000000000000000030000"),
];

/// Senders by Forge's rules. If there are `targetSenders`, one of them is drawn uniformly. Otherwise the
/// sender is an address of the dictionary in `dictionary_weight` percent of the draws, and else a random one.
/// Excluded senders are never drawn.
pub(super) struct Senders {
    targeted: Vec<Address>,
    excluded: FxHashSet<Address>,
    dictionary_weight: u32,
    actors: Vec<Address>,
}

impl Senders {
    pub(super) fn new(targets: &TargetSet, dictionary_weight: u32) -> Self {
        let excluded: FxHashSet<Address> = targets.excluded_senders.iter().copied().collect();
        let allowed = |addresses: &[Address]| -> Vec<Address> {
            addresses.iter().copied().filter(|address| !excluded.contains(address)).collect()
        };
        let targeted = allowed(&targets.senders);
        let actors = if targeted.is_empty() { allowed(&ACTORS) } else { targeted.clone() };
        Self { targeted, actors, dictionary_weight, excluded }
    }

    /// Tells whether `sender` may send calls.
    pub(super) fn allows(&self, sender: Address) -> bool {
        !self.excluded.contains(&sender) && (self.targeted.is_empty() || self.targeted.contains(&sender))
    }

    /// Draws a sender.
    pub(super) fn pick(&self, dictionary: &Dictionary, rng: &mut Rng) -> Address {
        if let Some(sender) = rng.pick(&self.targeted) {
            return *sender;
        }
        loop {
            let known = rng.percent(self.dictionary_weight);
            let sender = known.then(|| self.known(dictionary, rng)).flatten();
            let sender = sender.unwrap_or_else(|| rng.address());
            if !self.excluded.contains(&sender) {
                return sender;
            }
            if known && self.actors.is_empty() {
                // The dictionary may hold nothing but excluded addresses.
                return std::iter::repeat_with(|| rng.address())
                    .find(|address| !self.excluded.contains(address))
                    .unwrap_or_default();
            }
        }
    }

    fn known(&self, dictionary: &Dictionary, rng: &mut Rng) -> Option<Address> {
        if rng.below(4) > 0 {
            return self.actor(rng);
        }
        dictionary.address(rng).or_else(|| self.actor(rng))
    }

    /// Returns the first sender, which owns the target contracts if senders play roles.
    pub(super) fn owner(&self) -> Option<Address> {
        self.targeted.first().copied()
    }

    /// Draws one of the few senders that take part in the sequences of a swarm.
    pub(super) fn of_circle(&self, Swarm(number): Swarm, rng: &mut Rng) -> Option<Address> {
        let place = (number >> (CIRCLE_BITS * rng.below(CIRCLE))) as usize;
        self.targeted.get(place.checked_rem(self.targeted.len())?).copied()
    }

    /// Draws a frequent sender.
    pub(super) fn actor(&self, rng: &mut Rng) -> Option<Address> {
        rng.pick(&self.actors).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::dictionary::InitialDictionary;

    const OWNER: Address = Address::repeat_byte(0x11);
    const VM: Address = Address::repeat_byte(0x71);

    fn draws(targets: &TargetSet, weight: u32) -> Vec<Address> {
        let initial = InitialDictionary { addresses: vec![OWNER, VM], ..Default::default() };
        let dictionary = Dictionary::new(&initial, true);
        let senders = Senders::new(targets, weight);
        let mut rng = Rng::new(5, 0);
        (0..2_000).map(|_| senders.pick(&dictionary, &mut rng)).collect()
    }

    #[test]
    fn targeted_senders_are_the_only_ones() {
        let targets = TargetSet { senders: vec![OWNER, OWNER, VM], ..Default::default() };
        let drawn = draws(&targets, 80);
        let owner = drawn.iter().filter(|sender| **sender == OWNER).count();
        assert!(drawn.iter().all(|sender| [OWNER, VM].contains(sender)));
        assert!((1_200..1_460).contains(&owner), "duplicates count: {owner}");
    }

    #[test]
    fn excluded_senders_never_call() {
        let targets = TargetSet { excluded_senders: vec![VM, ACTORS[0]], ..Default::default() };
        for weight in [0, 80, 100] {
            let drawn = draws(&targets, weight);
            assert!(!drawn.contains(&VM) && !drawn.contains(&ACTORS[0]));
        }
    }

    #[test]
    fn the_dictionary_weight_decides_how_often_a_sender_is_known() {
        let known = |weight| {
            let drawn = draws(&TargetSet::default(), weight);
            drawn
                .iter()
                .filter(|sender| ACTORS.contains(sender) || **sender == OWNER || **sender == VM)
                .count()
        };
        assert_eq!(known(0), 0);
        assert!((1_500..1_700).contains(&known(80)));
        assert_eq!(known(100), 2_000);
    }

    #[test]
    fn a_dictionary_of_excluded_addresses_ends_in_a_random_sender() {
        let excluded_senders = [ACTORS.as_slice(), &[OWNER, VM]].concat();
        let drawn =
            draws(&TargetSet { excluded_senders: excluded_senders.clone(), ..Default::default() }, 100);
        assert!(drawn.iter().all(|sender| !excluded_senders.contains(sender)));
    }
}
