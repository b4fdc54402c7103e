//! Sequences that create contracts. Calls to these contracts can follow them.

use crate::engine::tuning::corpus_creations::CAPACITY;
use crate::engine::{rng::Rng, seed::Seed};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Shortest sequence known for each family. A family is a list of created contracts, identified by a hash of
/// their names.
#[derive(Default)]
pub(in crate::engine) struct Creations {
    seeds: Vec<Arc<Seed>>,
    places: FxHashMap<u64, usize>,
}

impl Creations {
    /// Tells whether a sequence of `length` calls that creates `family` should be kept.
    pub(in crate::engine) fn wants(&self, family: u64, length: usize) -> bool {
        match self.places.get(&family) {
            Some(place) => length < self.seeds[*place].calls.len(),
            None => self.seeds.len() < CAPACITY,
        }
    }

    pub(in crate::engine) fn keep(&mut self, family: u64, seed: Arc<Seed>) {
        match self.places.get(&family) {
            Some(place) => self.seeds[*place] = seed,
            None => {
                self.places.insert(family, self.seeds.len());
                self.seeds.push(seed);
            }
        }
    }

    pub(in crate::engine) fn pick(&self, rng: &mut Rng) -> Option<Arc<Seed>> {
        rng.pick(&self.seeds).cloned()
    }
}
