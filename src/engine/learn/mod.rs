//! Learning from a run: paths, values, states, created contracts and best values of optimizations.

mod costs;

use super::{
    Techniques,
    candidate::{Candidate, Intent},
    corpus::PathNovelty,
    search_state::SearchState,
    seed::Seed,
    shares::Reward,
    traced_run::TracedRun,
};
use crate::config::Feature;
use crate::model::{EdgeId, Observation, Outcome, PathId, ValueId};
use rustc_hash::{FxHashSet, FxHasher};
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Kind of new information in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    /// Nothing.
    #[default]
    None,
    /// A new path over known branches.
    Path,
    /// A branch that was never reached before, or never missed by so little; new contracts to call; or a
    /// better value of an optimization.
    Reach,
}

/// Part of a run that another engine would learn from, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Kind of new information.
    pub novelty: Novelty,
    /// Number of steps up to the last one with new information.
    pub steps: usize,
}

impl Learned {
    /// Tells whether there was new information.
    #[must_use]
    pub fn is_new(self) -> bool {
        self.novelty != Novelty::None
    }

    fn add(&mut self, novelty: Novelty, steps: usize) {
        self.novelty = self.novelty.max(novelty);
        self.steps = self.steps.max(steps);
    }
}

/// Knowledge that is used only for learning.
#[derive(Default)]
pub(super) struct Learner {
    /// Classes of values that were read in any run.
    values: FxHashSet<ValueId>,
    /// Sequences that covered something for the first time, in order of their discovery.
    first_coverers: Vec<Arc<Seed>>,
}

impl Learner {
    /// Returns the number of classes of values that were read in any run.
    pub(super) fn values(&self) -> usize {
        self.values.len()
    }

    /// Returns the sequences that covered something for the first time, in order of their discovery.
    pub(super) fn first_coverers(&self) -> &[Arc<Seed>] {
        &self.first_coverers
    }
}

/// A run, with references to everything that learns from it.
pub(super) struct Learning<'a> {
    pub(super) learner: &'a mut Learner,
    pub(super) state: &'a mut SearchState,
    pub(super) techniques: &'a mut Techniques,
    candidate: &'a Candidate,
    seen: &'a Observation,
    reward: Reward,
    /// Traced run of the candidate, once it was needed.
    base: Option<Arc<TracedRun>>,
}

impl<'a> Learning<'a> {
    pub(super) fn new(
        learner: &'a mut Learner,
        state: &'a mut SearchState,
        techniques: &'a mut Techniques,
        candidate: &'a Candidate,
        seen: &'a Observation,
    ) -> Self {
        Self { learner, state, techniques, candidate, seen, reward: Reward::default(), base: None }
    }

    /// Learns from the run. Returns the part that another engine would learn, too, and the reward.
    pub(super) fn run(mut self) -> (Learned, Reward) {
        let learned = match &self.candidate.intent {
            Intent::Aggressive { base, slots } => {
                self.learn_gain(base, slots);
                Learned::default()
            }
            Intent::Fitness => Learned::default(),
            _ => self.learn(),
        };
        (learned, self.reward)
    }

    fn is_traced(&self) -> bool {
        self.seen.steps.last().is_some_and(|step| step.footprint.is_some())
    }

    fn learn(&mut self) -> Learned {
        let seen = self.seen;
        let mut learned = self.learn_paths();
        let births = self.learn_births();
        let is_better = self.learn_best();
        self.reward.better += u64::from(is_better);
        let costs = self.learn_costs();
        if births || is_better || costs {
            learned.add(Novelty::Reach, seen.steps.len());
        }
        self.follow_up();
        learned
    }

    /// Learns the paths of all calls and properties, the words, and the state at the end. Returns the new information.
    fn learn_paths(&mut self) -> Learned {
        let (candidate, seen) = (self.candidate, self.seen);
        let mut learned = Learned::default();
        // Number of calls before the current one that a kept prefix would contain.
        let mut before = 0;
        let mut spanning = 0;
        let mut properties = seen.properties.iter().peekable();
        for (index, (tx, step)) in candidate.sequence.iter().zip(&seen.steps).enumerate() {
            let exhausted = step.exhausted.is_some();
            self.state.generator.functions.record(tx, step.outcome, exhausted, step.gas.used);
            if step.outcome == Outcome::Discard {
                self.techniques.random.note_call(true);
                continue;
            }
            self.techniques.random.note_call(false);
            let mut gained =
                self.learn_path(&mut spanning, (step.path, &step.new_coverage.edges), before + 1, index);
            gained.values += self.note_values(&step.new_coverage.values);
            before += usize::from(step.outcome == Outcome::Success);
            while let Some(property) = properties.next_if(|property| property.step <= index) {
                let seen = (property.path, &property.new_coverage.edges[..]);
                let more = self.learn_path(&mut spanning.clone(), seen, before, index);
                gained += more;
                gained.values += self.note_values(&property.new_coverage.values);
            }
            self.learn_reward(gained, index);
            self.learn_handovers(index);
            if gained.edges > 0 {
                learned.add(Novelty::Reach, index + 1);
            }
            if gained.paths + gained.values > 0 {
                learned.add(Novelty::Path, index + 1);
            }
        }
        let Reward { edges, values, .. } = self.reward;
        if edges + values > 0
            && let Some(parent) = candidate.parent
        {
            self.state.corpus.reward(parent, 4 * edges + values);
        }
        // A sample is enough of the words that were not new.
        if let Some(step) = self.state.rng.pick(&seen.steps) {
            self.state.generator.dictionary.absorb(&step.words, false);
        }
        let last = seen.steps.len() - 1;
        if seen.steps[last].outcome == Outcome::Success
            && self.state.corpus.states.wants(seen.state, &mut self.state.rng)
        {
            let seed = self.state.prefix(&candidate.sequence, seen, last);
            self.state.corpus.states.keep(seed, 0, &mut self.state.rng);
        }
        learned
    }

    /// Makes reentrant calls from a call that handed control to an actor before the contract wrote storage.
    fn learn_handovers(&mut self, index: usize) {
        let step = &self.seen.steps[index];
        let hands_over = step.taint.as_ref().is_some_and(|taint| !taint.handovers.is_empty());
        if hands_over && step.outcome == Outcome::Success {
            let seed = self.state.prefix(&self.candidate.sequence, self.seen, index);
            self.techniques.reentrant_calls.learn(self.state, &seed, step);
        }
    }

    /// Keeps the words of a call that showed something new, the call itself, and the state after it.
    fn learn_reward(&mut self, gained: Reward, index: usize) {
        self.reward += gained;
        let Reward { edges, values, .. } = gained;
        if edges + values == 0 {
            return;
        }
        let step = &self.seen.steps[index];
        self.state.generator.dictionary.absorb(&step.words, true);
        if step.outcome == Outcome::Success && self.state.features.has(Feature::Calls) {
            self.state.generator.calls.learn(&self.candidate.sequence[index]);
        }
        if step.outcome == Outcome::Success && self.state.features.has(Feature::Values) {
            let seed = self.state.prefix(&self.candidate.sequence, self.seen, index);
            self.state.corpus.states.keep(seed, 4 * edges + values, &mut self.state.rng);
        }
    }

    /// Records the classes of values that were read, and returns the number of new ones.
    fn note_values(&mut self, values: &[ValueId]) -> u64 {
        values.iter().filter(|value| self.learner.values.insert(**value)).count() as u64
    }

    /// Favors a path that was just admitted, because it covers something for the first time.
    fn favor(&mut self, path: PathId) {
        self.techniques.mutator.favor(path);
        let entry = self.state.corpus.suite.get(path);
        self.learner.first_coverers.extend(entry.map(|(entry, _)| entry.seed.clone()));
    }

    /// Records that edges were covered, and returns the number of new ones.
    fn cover(&mut self, edges: &[EdgeId]) -> u64 {
        edges.iter().filter(|edge| self.state.frontier.cover(**edge)).count() as u64
    }

    /// Returns the path of a transaction. Without demand-driven sequences, it includes the transactions before it.
    fn path(&self, path: PathId, spanning: &mut PathId) -> PathId {
        if self.state.features.has(Feature::DemandDriven) {
            return path;
        }
        let mut hasher = FxHasher::default();
        (*spanning, path).hash(&mut hasher);
        *spanning = hasher.finish();
        *spanning
    }

    /// Learns the path and the edges of a call or of a property after it.
    fn learn_path(
        &mut self,
        spanning: &mut PathId,
        (path, edges): (PathId, &[EdgeId]),
        length: usize,
        index: usize,
    ) -> Reward {
        let edges = self.cover(edges);
        let path = self.path(path, spanning);
        let verdict = self.state.corpus.suite.visit(path, length);
        match verdict {
            PathNovelty::Known => {}
            PathNovelty::Longer => {
                let seed = self.state.prefix(&self.candidate.sequence, self.seen, index);
                self.state.corpus.suite.admit_longest(path, seed);
            }
            PathNovelty::New | PathNovelty::Shorter => {
                let base = (self.is_traced() && index + 1 == self.seen.steps.len()).then(|| self.base());
                let seed = match &base {
                    Some(base) => base.seed.clone(),
                    None => self.state.prefix(&self.candidate.sequence, self.seen, index),
                };
                self.state.corpus.suite.admit(path, seed, base, &mut self.state.rng);
            }
        }
        let is_new = verdict == PathNovelty::New;
        if is_new && edges > 0 {
            self.favor(path);
        }
        Reward { edges, paths: is_new.into(), ..Reward::default() }
    }

    /// Keeps the shortest prefix for each list of created contracts. Returns true if one was kept.
    fn learn_births(&mut self) -> bool {
        let (candidate, seen) = (self.candidate, self.seen);
        if !self.state.generator.functions.dynamic {
            return false;
        }
        let mut is_kept = false;
        let mut family = FxHasher::default();
        for (index, created) in seen.created.iter().enumerate() {
            self.state.generator.dictionary.absorb_address(created.address);
            created.identifier.hash(&mut family);
            let siblings_follow = seen.created.get(index + 1).is_some_and(|next| next.step == created.step);
            let steps = &seen.steps[..created.step];
            let length = steps.iter().filter(|step| step.outcome == Outcome::Success).count() + 1;
            if !siblings_follow && self.state.corpus.creations.wants(family.finish(), length) {
                let seed = self.state.prefix(&candidate.sequence, seen, created.step);
                self.state.corpus.creations.keep(family.finish(), seed);
                is_kept = true;
            }
        }
        is_kept
    }

    /// Keeps the sequence with the largest value of each optimization. Returns true if a value is larger than before.
    fn learn_best(&mut self) -> bool {
        let (candidate, seen) = (self.candidate, self.seen);
        let mut is_kept = false;
        for (property, value, steps) in &seen.best {
            if *steps == 0 {
                continue;
            }
            // The last call is kept regardless of its outcome.
            let before = &seen.steps[..steps - 1];
            let length = 1 + before.iter().filter(|step| step.outcome == Outcome::Success).count();
            if self.state.corpus.wants_best(*property, *value, length) {
                is_kept |= self.state.corpus.best(*property).is_none_or(|best| *value > best);
                let seed = self.state.prefix(&candidate.sequence, seen, steps - 1);
                self.state.corpus.keep_best(*property, *value, seed);
            }
        }
        is_kept
    }
}
