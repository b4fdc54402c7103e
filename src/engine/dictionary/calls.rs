//! Pool of whole calls that showed something new. The arguments of such calls belong together.

use crate::engine::tuning::dictionary_calls::{FUNCTIONS, OF_FUNCTION};
use crate::{
    engine::{demand::function_of, rng::Rng},
    model::Transaction,
};
use alloy_primitives::{Address, Selector};
use rustc_hash::FxHashMap;

/// Ring buffer of the calls of one function, with the index of the oldest.
#[derive(Default)]
struct Ring {
    calls: Vec<Transaction>,
    oldest: usize,
}

/// Calls that succeeded and showed something new, by function.
#[derive(Default)]
pub(in crate::engine) struct CallPool {
    of_function: FxHashMap<(Address, Selector), Ring>,
}

impl CallPool {
    /// Remembers a call.
    pub(in crate::engine) fn learn(&mut self, call: &Transaction) {
        let Some(function) = function_of(call) else { return };
        if self.of_function.len() >= FUNCTIONS && !self.of_function.contains_key(&function) {
            return;
        }
        let ring = self.of_function.entry(function).or_default();
        if ring.calls.len() < OF_FUNCTION {
            ring.calls.push(call.clone());
        } else {
            ring.calls[ring.oldest] = call.clone();
            ring.oldest = (ring.oldest + 1) % OF_FUNCTION;
        }
    }

    /// Returns a random remembered call of a function.
    pub(in crate::engine) fn pick(
        &self,
        function: (Address, Selector),
        rng: &mut Rng,
    ) -> Option<&Transaction> {
        rng.pick(&self.of_function.get(&function)?.calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    #[test]
    fn the_newest_calls_of_a_function_are_remembered() {
        let (mut calls, mut rng) = (CallPool::default(), Rng::new(1, 0));
        (0..3 * OF_FUNCTION as u64).for_each(|n| calls.learn(&toy::call("enter", &[n])));
        let function = function_of(&toy::call("enter", &[0])).expect("typed");
        let old = toy::call("enter", &[OF_FUNCTION as u64]);
        let drawn: Vec<_> = (0..200).filter_map(|_| calls.pick(function, &mut rng)).collect();
        assert!(drawn.len() == 200 && !drawn.contains(&&old));
        assert!(drawn.contains(&&toy::call("enter", &[3 * OF_FUNCTION as u64 - 1])));
        let other = function_of(&toy::call("inc", &[])).expect("typed");
        assert!(calls.pick(other, &mut rng).is_none());
    }
}
