//! Which elements of the input vector matter: moving some never changes what an uncovered branch compares.

use super::{
    base::Base,
    input::{Element, Part},
    rng::Rng,
};
use alloy_primitives::{Address, Selector};
use rustc_hash::FxHashMap;

/// Moves that are made of every kind of element, whatever came of them.
const TRIALS: u32 = 8;
/// Kinds of elements remembered; then all are forgotten.
const KINDS: usize = 1 << 16;
/// Moves that one useful one pays for.
const WORTH: u32 = 16;

/// A kind of element: a part of the calls of one function, in the last call of a sequence or before it, where the same
/// edges are just missed.
type Kind = (Address, Selector, Part, bool, u64);

/// What came of moving elements, by their kind.
#[derive(Debug, Default)]
pub(super) struct Sensitivity {
    /// Moves made, and those that brought a branch nearer that nothing had covered, or away from it.
    moves: FxHashMap<Kind, (u32, u32)>,
}

impl Sensitivity {
    /// Whether an element shall be moved: the seldomer, the less came of others of its kind.
    pub(super) fn is_worth(&self, base: &Base, element: Element, rng: &mut Rng) -> bool {
        let (made, useful) =
            kind(base, element).and_then(|kind| self.moves.get(&kind)).copied().unwrap_or_default();
        let paid = TRIALS.saturating_add(useful.saturating_mul(WORTH));
        made < paid || rng.below(made as usize) < paid as usize
    }

    /// Learns what came of moving an element.
    pub(super) fn learn(&mut self, base: &Base, element: Element, is_useful: bool) {
        let Some(kind) = kind(base, element) else { return };
        if self.moves.len() >= KINDS {
            self.moves.clear();
        }
        let (made, useful) = self.moves.entry(kind).or_default();
        *made += 1;
        *useful += u32::from(is_useful);
    }
}

fn kind(base: &Base, element: Element) -> Option<Kind> {
    let tx = base.seed.calls.get(element.step)?;
    let selector = tx.input.function()?.selector();
    let part = match element.part {
        // The words of a byte string are of one kind.
        Part::Word(node, _) => Part::Word(node, 0),
        part => part,
    };
    Some((tx.target, selector, part, element.step + 1 == base.seed.calls.len(), base.open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy},
        model::Observation,
    };
    use std::sync::Arc;

    #[test]
    fn what_never_matters_is_moved_seldom_and_what_mattered_often() {
        let seed = Seed { calls: vec![toy::call("add", &[1]); 2], born: Arc::default(), extendable: true };
        let base = Base::new(1, Arc::new(seed), &Observation::default(), &toy::world());
        let [first, last] = [0, 1].map(|step| Element { step, part: Part::Scalar(0) });
        let (mut sensitivity, mut rng) = (Sensitivity::default(), Rng::new(1, 0));
        for round in 0..400 {
            sensitivity.learn(&base, first, false);
            sensitivity.learn(&base, last, round % 10 == 0);
        }
        let mut moved =
            |element| (0..1000).filter(|_| sensitivity.is_worth(&base, element, &mut rng)).count();
        assert!((5..60).contains(&moved(first)));
        assert_eq!(moved(last), 1000);
        let mut elsewhere = base;
        elsewhere.open = 7;
        assert!(sensitivity.is_worth(&elsewhere, first, &mut rng), "another branch may depend on it");
    }
}
