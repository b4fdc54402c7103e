//! How inputs are chosen: ask for a candidate sequence, run it, tell what it showed.
//!
//! A candidate is one of
//! * a call of one function with all-zero arguments, once for each function at the start;
//! * a random walk of `depth` calls, as Forge makes them, for bugs that need many calls;
//! * a short random sequence;
//! * a mutant of a kept sequence: one that reached a path of its last call that was new, a new state,
//!   a larger value of an optimization, or that created contracts to call.
//!
//! Each prefix of a sequence counts as a sequence with a last call of its own, so that one long run may
//! leave several kept ones. There is no EVM, clock, thread or file in here: the same seed, stream and
//! observations give the same candidates.

mod corpus;
mod dictionary;
mod energy;
mod mutate;
mod rng;
mod seed;
mod senders;
pub mod shrink;
mod surface;
#[cfg(test)]
mod toy;
mod value;
mod world;

pub use dictionary::InitialDictionary;

use crate::{
    config::{HarveyConfig, InvariantConfig},
    model::{Observation, Outcome, PathId, Sequence, TargetSet},
};
use alloy_primitives::U256;
use corpus::{Corpus, News, Pick};
use mutate::Material;
use rng::Rng;
use rustc_hash::FxHasher;
use seed::{Born, Draft, Seed};
use std::{
    collections::VecDeque,
    hash::{Hash, Hasher},
    sync::Arc,
};
use surface::Swarm;
use world::World;

/// Longest of the short random sequences.
const SHORT: usize = 8;
/// Short random sequences made at the start, for each function.
const WARM_UP: usize = 4;
/// Percent of the picks that make a short random sequence instead.
const FRESH: u32 = 5;
/// Percent of the walks that start from a kept sequence.
const WALK_FROM_SEED: u32 = 40;

/// Percent of the calls in such sequences that are repeated at once.
const BURSTS: u32 = 10;
/// Most repetitions.
const BURST: usize = 8;

/// What an [`Engine`] starts from.
#[derive(Clone, Debug)]
pub struct EngineInit {
    /// What may be called, and by whom.
    pub targets: TargetSet,
    /// What the sources and the deployed code mention.
    pub dictionary: InitialDictionary,
    /// `depth`, `dictionary_weight`, `include_push_bytes` and the delays are used.
    pub invariant: InvariantConfig,
    /// `payable_value_weight` and `random_walks` are used.
    pub harvey: HarveyConfig,
    /// The campaign's seed.
    pub seed: u64,
    /// Number of the worker; workers of one seed draw from streams that do not overlap.
    pub stream: u64,
}

/// A sequence to run, with what the engine remembers about its making.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    sequence: Sequence,
    origin: &'static str,
    /// Path whose sequence it is a mutant of.
    parent: Option<PathId>,
}

impl Candidate {
    /// The calls to run. Empty only when there is nothing to call or the depth is zero.
    #[must_use]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The calls, without what the engine remembers.
    #[must_use]
    pub fn into_sequence(self) -> Sequence {
        self.sequence
    }

    /// How it was made: `zero`, `walk`, `fresh`, `trim`, or the first operator applied.
    #[cfg(test)]
    fn origin(&self) -> &'static str {
        self.origin
    }
}

/// The search: a corpus, a dictionary and the one source of randomness.
pub struct Engine {
    world: World,
    corpus: Corpus,
    rng: Rng,
    depth: usize,
    /// Percent of the calls that belong to walks.
    random_walks: u32,
    /// Sequences to hand out before anything else.
    queue: VecDeque<(Sequence, &'static str)>,
    /// Short random sequences to make before anything is mutated.
    warm_up: usize,
    /// The sequence being fuzzed.
    current: Option<Pick>,
    /// Calls handed out.
    calls: u64,
    /// Those of them that belong to walks.
    walked: u64,
    /// Calls that `vm.assume` rejected, and the others.
    rejected: u64,
    accepted: u64,
}

impl Engine {
    /// Prepares a search; the first candidates are the all-zero calls of every function.
    #[must_use]
    pub fn new(init: EngineInit) -> Self {
        let world = World::new(&init.targets, &init.dictionary, &init.invariant, &init.harvey);
        let mut rng = Rng::new(init.seed, init.stream);
        let zeros =
            world.surface.all().map(|callable| (vec![world.zero_call_of(callable, &mut rng)], "zero"));
        let queue: VecDeque<_> = zeros.collect();
        Self {
            warm_up: WARM_UP * queue.len(),
            queue,
            world,
            corpus: Corpus::new(),
            rng,
            depth: init.invariant.depth as usize,
            random_walks: init.harvey.random_walks.min(100),
            current: None,
            calls: 0,
            walked: 0,
            rejected: 0,
            accepted: 0,
        }
    }

    /// The next sequence to run, of at most `depth` calls.
    pub fn ask(&mut self) -> Candidate {
        let candidate = self.next();
        self.calls += candidate.sequence.len() as u64;
        candidate
    }

    fn next(&mut self) -> Candidate {
        if self.depth == 0 {
            return Candidate { sequence: Vec::new(), origin: "fresh", parent: None };
        }
        if let Some((sequence, origin)) = self.queue.pop_front() {
            return Candidate { sequence, origin, parent: None };
        }
        if self.warm_up > 0 {
            self.warm_up -= 1;
            return self.fresh();
        }
        if self.walked * 100 < u64::from(self.random_walks) * self.calls {
            let walk = self.walk();
            self.walked += walk.sequence.len() as u64;
            return walk;
        }
        self.mutant().unwrap_or_else(|| self.fresh())
    }

    /// Up to `depth` random calls, from the start or from where a kept sequence leads.
    fn walk(&mut self) -> Candidate {
        let from_seed = self.rng.percent(WALK_FROM_SEED);
        let seed = from_seed.then(|| self.corpus.start(&mut self.rng)).flatten();
        let length = self.walk_length();
        let mut draft = Draft::new(seed.as_deref(), length);
        draft.truncate(self.depth / 2);
        self.extend(draft, length, "walk")
    }

    /// Rejected calls do not count, so a walk has some to spare: as many as the rate so far suggests, up to
    /// three times the depth.
    fn walk_length(&self) -> usize {
        let spare = self.depth as u64 * self.rejected / self.accepted.max(1);
        self.depth + (spare as usize).min(3 * self.depth)
    }

    /// A few random calls.
    fn fresh(&mut self) -> Candidate {
        let length = 1 + self.rng.below(SHORT.min(self.depth));
        self.extend(Draft::new(None, self.depth), length, "fresh")
    }

    /// Appends random calls up to `length`. Half of the time the calls are of fewer kinds, and some of them
    /// come in bursts: the same call several times in a row.
    fn extend(&mut self, mut draft: Draft, length: usize, origin: &'static str) -> Candidate {
        let swarm = self.rng.coin().then(|| Swarm(self.rng.next()));
        while draft.len() < length {
            let Some(call) = self.world.call(draft.born_before(draft.len()), swarm, &mut self.rng) else {
                break;
            };
            if swarm.is_some() && self.rng.percent(BURSTS) {
                let burst = (1 + self.rng.below(BURST)).min(length - 1 - draft.len());
                (0..burst).for_each(|_| draft.push(call.clone()));
            }
            draft.push(call);
        }
        Candidate { sequence: draft.finish(&self.world.surface), origin, parent: None }
    }

    /// A mutant of the current sequence, or of the next one when its energy is spent.
    fn mutant(&mut self) -> Option<Candidate> {
        if self.current.as_ref().is_none_or(|pick| pick.energy == 0) {
            self.current = if self.rng.percent(FRESH) { None } else { self.corpus.pick(&mut self.rng) };
        }
        let pick = self.current.as_mut()?;
        pick.energy -= 1;
        let mut draft = Draft::new(Some(&pick.seed), self.depth);
        let origin = if pick.trims > 0 {
            pick.trims -= 1;
            mutate::trim(&mut draft, &mut self.rng);
            "trim"
        } else {
            let mut material = Material { world: &self.world, corpus: &self.corpus, rng: &mut self.rng };
            mutate::mutate(&mut draft, &mut material)?
        };
        let (parent, sequence) = (pick.path, draft.finish(&self.world.surface));
        (!sequence.is_empty()).then_some(Candidate { sequence, origin, parent })
    }

    /// Learns what a candidate showed. Candidates may be told in any order, or never.
    pub fn tell(&mut self, candidate: &Candidate, seen: &Observation) {
        let Some(last) = seen.steps.len().checked_sub(1) else { return };
        let mut news = false;
        // Calls before the present one that a kept prefix would hold.
        let mut before = 0;
        for (index, (tx, step)) in candidate.sequence.iter().zip(&seen.steps).enumerate() {
            self.world.surface.record(tx, step.outcome);
            if step.outcome == Outcome::Discard {
                self.rejected += 1;
                continue;
            }
            self.accepted += 1;
            let verdict = self.corpus.suite.visit(step.path, before + 1);
            if verdict != News::Known {
                let seed = self.prefix(&candidate.sequence, seen, index);
                self.corpus.suite.admit(step.path, seed, &mut self.rng);
            }
            if verdict == News::New {
                self.world.dictionary.absorb(&step.words, true);
                news = true;
            }
            before += usize::from(step.outcome == Outcome::Success);
        }
        if news && let Some(parent) = candidate.parent {
            self.corpus.suite.reward(parent);
        }
        // Of what is not new, a sample suffices.
        if let Some(step) = self.rng.pick(&seen.steps) {
            self.world.dictionary.absorb(&step.words, false);
        }
        self.learn_births(candidate, seen);
        self.learn_values(candidate, seen);
        if seen.steps[last].outcome == Outcome::Success
            && self.corpus.wants_state(seen.state, before, &mut self.rng)
        {
            let seed = self.prefix(&candidate.sequence, seen, last);
            self.corpus.keep_state(seed, &mut self.rng);
        }
    }

    /// Keeps the prefix that creates contracts, for each list of them.
    fn learn_births(&mut self, candidate: &Candidate, seen: &Observation) {
        if !self.world.surface.dynamic {
            return;
        }
        let mut family = FxHasher::default();
        for (index, created) in seen.created.iter().enumerate() {
            self.world.dictionary.absorb_address(created.address);
            created.identifier.hash(&mut family);
            let siblings_follow = seen.created.get(index + 1).is_some_and(|next| next.step == created.step);
            let steps = &seen.steps[..created.step];
            let length = steps.iter().filter(|step| step.outcome == Outcome::Success).count() + 1;
            if !siblings_follow && self.corpus.nursery.wants(family.finish(), length) {
                let seed = self.prefix(&candidate.sequence, seen, created.step);
                self.corpus.nursery.keep(family.finish(), seed);
            }
        }
    }

    /// Keeps the sequence of the largest value of each optimization.
    fn learn_values(&mut self, candidate: &Candidate, seen: &Observation) {
        for (property, value, steps) in &seen.best {
            if *steps > 0 && self.corpus.best(*property).is_none_or(|best| *value > best) {
                let seed = self.prefix(&candidate.sequence, seen, steps - 1);
                self.corpus.keep_champion(*property, *value, seed);
            }
        }
    }

    /// The calls up to the one at `last`, without those before it that reverted or were rejected. What a
    /// reverted call leaves behind (cheatcode state) may not be relied upon, for Forge's replay drops it too;
    /// only the time that it let pass goes to the next call.
    fn prefix(&self, sequence: &Sequence, seen: &Observation, last: usize) -> Arc<Seed> {
        let mut calls: Sequence = Vec::new();
        let mut born = Vec::new();
        let (mut warp, mut roll) = (U256::ZERO, U256::ZERO);
        let mut created = seen.created.iter().peekable();
        for (index, (tx, step)) in sequence.iter().zip(&seen.steps).enumerate().take(last + 1) {
            let kept = index == last || step.outcome == Outcome::Success;
            while let Some(created) = created.next_if(|created| created.step <= index) {
                let callables = if kept { self.world.surface.born(created) } else { Vec::new() };
                born.extend(callables.into_iter().map(|callable| Born { step: calls.len(), callable }));
            }
            if kept {
                let mut tx = tx.clone();
                tx.warp += std::mem::take(&mut warp);
                tx.roll += std::mem::take(&mut roll);
                calls.push(tx);
            } else if step.outcome == Outcome::Revert {
                warp += tx.warp;
                roll += tx.roll;
            }
        }
        let extendable = seen.steps[last].outcome == Outcome::Success;
        Arc::new(Seed { calls, born: born.into(), extendable })
    }
}

#[cfg(test)]
mod tests;
