//! Sequences to build on, by what made them worth keeping.

mod coverage;
mod creations;
mod states;

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

/// Energy of a job on a sequence that belongs to no path, and percent of the jobs that are on such.
const PATHLESS_ENERGY: u32 = 8;
const PATHLESS: u32 = 20;
/// How many candidates of a job on the best sequence of an optimization try to shorten it.
const BEST_TRIMS: u32 = 2;
/// Percent of the prefixes that are best inputs of optimizations, of the others that are creations of contracts, where there are
/// such, and of the others again that are kept states; the rest are sequences of the test suite.
const FROM_BEST: u32 = 30;
const FROM_CREATIONS: u32 = 10;
const FROM_STATES: u32 = 40;

/// Everything kept.
#[derive(Default)]
pub(super) struct Corpus {
    /// The coverage pool: sequences for each path of a last call.
    pub(super) suite: CoverageCorpus,
    /// The pool of new states.
    pub(super) states: States,
    /// Sequences that create contracts.
    pub(super) creations: Creations,
    /// The best sequence for each optimization.
    best: BTreeMap<usize, (I256, Arc<Seed>)>,
}

impl Corpus {
    /// A job on a sequence of the coverage pool, or now and then on one kept for something else; `None` while nothing is kept.
    pub(super) fn pick(&mut self, rng: &mut Rng) -> Option<Job> {
        if rng.percent(PATHLESS)
            && let Some(seed) = self.creations.pick(rng).or_else(|| self.any_best(rng))
        {
            return Some(Job::on(seed, PATHLESS_ENERGY));
        }
        let (entry, frequency) = self.suite.pick(rng)?;
        Some(Self::job(entry, frequency))
    }

    /// A job on the sequence kept for a path.
    pub(super) fn pick_path(&mut self, path: PathId) -> Option<Job> {
        let (entry, frequency) = self.suite.get(path)?;
        Some(Self::job(entry, frequency))
    }

    /// A job on the best sequence of an optimization.
    pub(super) fn pick_best(&self, rng: &mut Rng) -> Option<Job> {
        self.any_best(rng).map(|seed| Job { trims: BEST_TRIMS, ..Job::on(seed, PATHLESS_ENERGY) })
    }

    fn job(entry: &mut PathEntry, frequency: u32) -> Job {
        let length = entry.seed.calls.len();
        let energy = energy(entry.picks, frequency, length, entry.seed.extendable);
        // As often as its length can be halved, once.
        let trims = if entry.picks == 0 { (length as u32).ilog2() } else { 0 };
        entry.picks += 1;
        let job = Job::on(entry.seed.clone(), energy + trims);
        Job { base: entry.base.clone(), path: Some(entry.path), trims, ..job }
    }

    /// Takes over a shorter sequence that was found for the path of a job since.
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

    /// A sequence to go on from with random calls.
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

    /// Any kept sequence, as material for operators.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Seed> {
        let of_state = rng.below(3) == 0;
        let state = of_state.then(|| self.states.any(rng)).flatten();
        match state {
            Some(state) => Some(state),
            None => self.suite.any(rng).map(|entry| &**entry.either(rng)),
        }
    }

    /// The best value of an optimization so far.
    pub(super) fn best(&self, property: usize) -> Option<I256> {
        self.best.get(&property).map(|(value, _)| *value)
    }

    /// Whether a sequence of so many calls has a larger value than the best so far, or the same and is shorter: what adds nothing
    /// takes the place of what would.
    pub(super) fn wants_best(&self, property: usize, value: I256, length: usize) -> bool {
        self.best
            .get(&property)
            .is_none_or(|(best, seed)| value > *best || value == *best && length < seed.calls.len())
    }

    pub(super) fn keep_best(&mut self, property: usize, value: I256, seed: Arc<Seed>) {
        self.best.insert(property, (value, seed));
    }

    /// Rewards a kept sequence: a candidate made of it has shown something new.
    pub(super) fn reward(&mut self, parent: Parent, votes: u64) {
        match parent {
            Parent::Path(path) => self.suite.reward(path),
            Parent::State(number) => self.states.vote(number, votes),
        }
    }
}
