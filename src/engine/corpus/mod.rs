//! Corpus: kept sequences to build on, grouped by the reason for which they were kept.

mod coverage;
mod creations;
mod states;

use crate::engine::tuning::corpus::{
    BEST_TRIMS, FROM_BEST, FROM_CREATIONS, FROM_STATES, PATHLESS, PATHLESS_ENERGY,
};
use coverage::PathEntry;
pub(super) use coverage::{CoverageCorpus, PathNovelty};

use crate::{
    engine::{candidate::Parent, energy::energy, job::Job, rng::Rng, seed::Seed},
    model::PathId,
};
use alloy_primitives::I256;
use creations::Creations;
use states::States;
use std::{collections::BTreeMap, sync::Arc};

/// All kept sequences.
#[derive(Default)]
pub(super) struct Corpus {
    /// Coverage corpus: sequences for each path of a last call.
    pub(super) suite: CoverageCorpus,
    /// Corpus of states: sequences kept for the state that they lead to.
    pub(super) states: States,
    /// Sequences that create contracts.
    pub(super) creations: Creations,
    /// Best value and sequence of each optimization.
    best: BTreeMap<usize, (I256, Arc<Seed>)>,
}

impl Corpus {
    /// Picks a job on a sequence of the coverage corpus, or sometimes on another kept sequence; `None` if
    /// nothing is kept.
    pub(super) fn pick(&mut self, rng: &mut Rng) -> Option<Job> {
        if rng.percent(PATHLESS)
            && let Some(seed) = self.creations.pick(rng).or_else(|| self.any_best(rng))
        {
            return Some(Job::on(seed, PATHLESS_ENERGY));
        }
        let (entry, frequency) = self.suite.pick(rng)?;
        Some(Self::job(entry, frequency))
    }

    /// Returns a job on the sequence kept for a path.
    pub(super) fn pick_path(&mut self, path: PathId) -> Option<Job> {
        let (entry, frequency) = self.suite.get(path)?;
        Some(Self::job(entry, frequency))
    }

    /// Returns a job on the best sequence of a random optimization.
    pub(super) fn pick_best(&self, rng: &mut Rng) -> Option<Job> {
        self.any_best(rng).map(|seed| Job { trims: BEST_TRIMS, ..Job::on(seed, PATHLESS_ENERGY) })
    }

    fn job(entry: &mut PathEntry, frequency: u32) -> Job {
        let length = entry.seed.calls.len();
        let energy = energy(entry.picks, frequency, length, entry.seed.extendable);
        // At the first pick, there is one trim for each time that the length can be halved.
        let trims = if entry.picks == 0 { (length as u32).ilog2() } else { 0 };
        entry.picks += 1;
        let job = Job::on(entry.seed.clone(), energy + trims);
        Job { base: entry.base.clone(), path: Some(entry.path), trims, ..job }
    }

    /// Replaces the sequence of a job by a shorter one that was found for its path in the meantime.
    pub(super) fn refresh(&mut self, job: &mut Job) {
        let Some((entry, _)) = job.path.and_then(|path| self.suite.get(path)) else { return };
        if entry.seed.calls.len() < job.seed.calls.len() {
            (job.seed, job.base) = (entry.seed.clone(), entry.base.clone());
        }
    }

    fn any_best(&self, rng: &mut Rng) -> Option<Arc<Seed>> {
        let nth = rng.below(self.best.len());
        self.best.values().nth(nth).map(|(_, seed)| seed.clone())
    }

    /// Returns a sequence to continue with random calls, and its parent.
    pub(super) fn prefix(&mut self, rng: &mut Rng) -> Option<(Arc<Seed>, Option<Parent>)> {
        if rng.percent(FROM_BEST)
            && let Some(best) = self.any_best(rng)
        {
            return Some((best, None));
        }
        if rng.percent(FROM_CREATIONS)
            && let Some(seed) = self.creations.pick(rng)
        {
            return Some((seed, None));
        }
        if rng.percent(FROM_STATES)
            && let Some((number, seed)) = self.states.pick(rng)
        {
            return Some((seed, Some(Parent::State(number))));
        }
        let entry = self.suite.any(rng)?;
        let seed = entry.either(rng).clone();
        Some((seed, Some(Parent::Path(entry.path))))
    }

    /// Returns a random kept sequence, as material for mutation operators.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Seed> {
        let of_state = rng.below(3) == 0;
        let state = of_state.then(|| self.states.any(rng)).flatten();
        match state {
            Some(state) => Some(state),
            None => self.suite.any(rng).map(|entry| &**entry.either(rng)),
        }
    }

    /// Returns the best value of an optimization so far.
    pub(super) fn best(&self, property: usize) -> Option<I256> {
        self.best.get(&property).map(|(value, _)| *value)
    }

    /// Tells whether a sequence of `length` calls has a larger value than the best so far, or the same value
    /// with fewer calls. Calls that add nothing would use up the depth.
    pub(super) fn wants_best(&self, property: usize, value: I256, length: usize) -> bool {
        self.best
            .get(&property)
            .is_none_or(|(best, seed)| value > *best || value == *best && length < seed.calls.len())
    }

    pub(super) fn keep_best(&mut self, property: usize, value: I256, seed: Arc<Seed>) {
        self.best.insert(property, (value, seed));
    }

    /// Rewards a kept sequence because a candidate made from it showed something new.
    pub(super) fn reward(&mut self, parent: Parent, votes: u64) {
        match parent {
            Parent::Path(path) => self.suite.reward(path),
            Parent::State(number) => self.states.vote(number, votes),
        }
    }
}
