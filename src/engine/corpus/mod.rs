//! Sequences to build on, by what made them worth keeping.

mod nursery;
mod suite;

use suite::Entry;
pub(super) use suite::{News, Suite};

use crate::{
    engine::{base::Base, energy::energy, rng::Rng, seed::Seed, work::Pick},
    model::PathId,
};
use alloy_primitives::I256;
use nursery::Nursery;
use rustc_hash::FxHashSet;
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Sequences kept for the state that they lead to; each new one takes a random one's place.
const STATES: usize = 256;
/// Longest of these: they are run very often.
const STATE_LENGTH: usize = 32;
/// One in this many sequences that lead to a new state is kept.
const STATE_SHARE: usize = 4;
/// States remembered as seen; then all are forgotten.
const STATES_SEEN: usize = 1 << 18;
/// Energy of a pick that belongs to no path.
const PATHLESS_ENERGY: u32 = 8;

/// Everything kept.
pub(super) struct Corpus {
    /// The test suite: a sequence for each path of its last call.
    pub(super) suite: Suite,
    /// Sequences that create contracts.
    pub(super) nursery: Nursery,
    /// A sample of the sequences that led to a state not seen before (Harvey's sequence pool).
    states: Vec<Arc<Seed>>,
    states_seen: FxHashSet<u64>,
    /// The best sequence for each optimization.
    champions: BTreeMap<usize, (I256, Arc<Seed>)>,
}

impl Corpus {
    pub(super) fn new() -> Self {
        Self {
            suite: Suite::default(),
            nursery: Nursery::default(),
            states: Vec::new(),
            states_seen: FxHashSet::default(),
            champions: BTreeMap::new(),
        }
    }

    /// Picks a sequence to be fuzzed next and assigns its energy; `None` while nothing is kept.
    pub(super) fn pick(&mut self, rng: &mut Rng) -> Option<Pick> {
        if let Some(seed) = self.pick_pathless(rng) {
            return Some(pick(seed, None, None, PATHLESS_ENERGY, 0));
        }
        let (entry, frequency) = self.suite.pick(rng)?;
        Some(Self::pick_entry(entry, frequency))
    }

    /// The sequence kept for a path, to be fuzzed next.
    pub(super) fn pick_path(&mut self, path: PathId) -> Option<Pick> {
        let (entry, frequency) = self.suite.get(path)?;
        Some(Self::pick_entry(entry, frequency))
    }

    /// Takes over what was learnt of a picked sequence since: a shorter one for its path.
    pub(super) fn refresh(&mut self, pick: &mut Pick) {
        let Some((entry, _)) = pick.path.and_then(|path| self.suite.get(path)) else { return };
        if entry.seed.calls.len() < pick.seed.calls.len() {
            (pick.seed, pick.base) = (entry.seed.clone(), entry.base.clone());
            pick.probes = all_elements(pick.base.as_deref());
            pick.measured = false;
        }
    }

    fn pick_entry(entry: &mut Entry, frequency: u32) -> Pick {
        let length = entry.seed.calls.len();
        let energy = energy(entry.picks, frequency, length, entry.seed.extendable);
        // Twice the halvings of its length, once.
        let trims = if entry.picks == 0 { 2 * (length as u32).ilog2() } else { 0 };
        entry.picks += 1;
        pick(entry.seed.clone(), entry.base.clone(), Some(entry.path), energy + trims, trims)
    }

    /// The best sequence of an optimization, to be fuzzed next.
    pub(super) fn pick_champion(&self, rng: &mut Rng) -> Option<Pick> {
        self.champion(rng).map(|seed| pick(seed, None, None, PATHLESS_ENERGY, 0))
    }

    fn champion(&self, rng: &mut Rng) -> Option<Arc<Seed>> {
        let nth = rng.below(self.champions.len());
        self.champions.values().nth(nth).map(|(_, seed)| seed.clone())
    }

    fn pick_pathless(&self, rng: &mut Rng) -> Option<Arc<Seed>> {
        match rng.below(10) {
            0..=1 => rng.pick(&self.states).cloned(),
            2 => self.nursery.pick(rng),
            3 => self.champion(rng),
            _ => None,
        }
    }

    /// Any kept sequence, for a walk to start from; energy is not touched.
    pub(super) fn start(&self, rng: &mut Rng) -> Option<Arc<Seed>> {
        self.pick_pathless(rng).or_else(|| self.suite.any(rng).cloned())
    }

    /// Any kept sequence, as material for operators.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Seed> {
        let of_state = rng.below(3) == 0;
        let state = of_state.then(|| rng.pick(&self.states)).flatten();
        state.or_else(|| self.suite.any(rng)).map(Arc::as_ref)
    }

    /// Whether a sequence that led to `state` should be offered to [`Self::keep_state`].
    pub(super) fn wants_state(&mut self, state: u64, length: usize, rng: &mut Rng) -> bool {
        if self.states_seen.len() >= STATES_SEEN {
            self.states_seen.clear();
        }
        self.states_seen.insert(state) && length <= STATE_LENGTH && rng.below(STATE_SHARE) == 0
    }

    pub(super) fn keep_state(&mut self, seed: Arc<Seed>, rng: &mut Rng) {
        if self.states.len() < STATES {
            self.states.push(seed);
        } else {
            self.states[rng.below(STATES)] = seed;
        }
    }

    /// The best value of an optimization so far.
    pub(super) fn best(&self, property: usize) -> Option<I256> {
        self.champions.get(&property).map(|(value, _)| *value)
    }

    pub(super) fn keep_champion(&mut self, property: usize, value: I256, seed: Arc<Seed>) {
        self.champions.insert(property, (value, seed));
    }
}

fn pick(seed: Arc<Seed>, base: Option<Arc<Base>>, path: Option<PathId>, energy: u32, trims: u32) -> Pick {
    let probes = all_elements(base.as_deref());
    Pick { seed, base, measured: false, path, goal: None, energy, trims, probes }
}

fn all_elements(base: Option<&Base>) -> Range<usize> {
    0..base.map_or(0, |base| base.elements.len())
}
