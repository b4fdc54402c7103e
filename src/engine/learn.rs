//! What the engine learns from a run.

use super::{
    Engine,
    candidate::{Candidate, Intent},
    corpus::PathNovelty,
    demand::{can_stand, function_of},
    job::Job,
    predict::gap,
    prediction::NESTING,
    seed::{CreatedCallable, Seed, SequenceBuilder},
    shares::Reward,
    technique::Technique,
    traced_run::{self, TracedRun},
};
use crate::config::Feature;
use crate::model::{EdgeId, Observation, Outcome, PathId, Sequence, Slot, ValueId};
use alloy_primitives::U256;
use rustc_hash::FxHasher;
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Calls that read what a new path has written, made after it at once.
const READERS: usize = 3;

/// What a run taught that was not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    /// Nothing.
    #[default]
    None,
    /// A path, over branches that were all known.
    Path,
    /// A branch that nothing had reached, or that nothing had come so near to; a contract to call; a better value.
    Reach,
}

/// What another engine would learn from a run as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// What was new.
    pub novelty: Novelty,
    /// Number of steps up to the last that showed it.
    pub steps: usize,
}

impl Learned {
    /// Whether there was anything new.
    #[must_use]
    pub fn is_news(self) -> bool {
        self.novelty != Novelty::None
    }

    fn add(&mut self, novelty: Novelty, steps: usize) {
        self.novelty = self.novelty.max(novelty);
        self.steps = self.steps.max(steps);
    }
}

/// A run that is being learnt from.
struct LearningRun<'a> {
    candidate: &'a Candidate,
    seen: &'a Observation,
    reward: Reward,
    /// The run as a base, once it was needed.
    base: Option<Arc<TracedRun>>,
}

impl LearningRun<'_> {
    fn is_traced(&self) -> bool {
        self.seen.steps.last().is_some_and(|step| step.footprint.is_some())
    }
}

impl Engine {
    /// Learns what a candidate showed, and says what of it another engine would learn too. Candidates may be told in any
    /// order, or never.
    pub fn tell(&mut self, candidate: &Candidate, seen: &Observation) -> Learned {
        if seen.steps.is_empty() {
            return Learned::default();
        }
        self.sequences += 1;
        let mut run = LearningRun { candidate, seen, reward: Reward::default(), base: None };
        let learned = match &candidate.intent {
            Intent::Aggressive { base, slots } => {
                self.learn_gain(base, slots, seen);
                Learned::default()
            }
            _ => self.learn(&mut run),
        };
        if !candidate.is_shared() && !candidate.is_kept() {
            self.shares.charge(candidate, seen, run.reward);
        }
        learned
    }

    fn learn(&mut self, run: &mut LearningRun<'_>) -> Learned {
        let (candidate, seen) = (run.candidate, run.seen);
        let mut learned = self.learn_paths(run);
        let births = self.learn_births(candidate, seen);
        let is_better = self.learn_best(candidate, seen);
        run.reward.better += u64::from(is_better);
        let costs = self.learn_costs(run);
        if births || is_better || costs {
            learned.add(Novelty::Reach, seen.steps.len());
        }
        self.follow_up(run);
        learned
    }

    /// Paths of all calls and properties, words, and the states on the way; says which paths were new.
    fn learn_paths(&mut self, run: &mut LearningRun<'_>) -> Learned {
        let (candidate, seen) = (run.candidate, run.seen);
        let mut learned = Learned::default();
        // Calls before the present one that a kept prefix would hold.
        let mut before = 0;
        let mut spanning = 0;
        let mut properties = seen.properties.iter().peekable();
        for (index, (tx, step)) in candidate.sequence.iter().zip(&seen.steps).enumerate() {
            self.generator.functions.record(tx, step.outcome, step.exhausted.is_some());
            if step.outcome == Outcome::Discard {
                self.rejected += 1;
                continue;
            }
            self.accepted += 1;
            let mut news =
                self.learn_path(&mut spanning, (step.path, &step.new_coverage.edges), before + 1, run, index);
            news.values += self.note_values(&step.new_coverage.values);
            before += usize::from(step.outcome == Outcome::Success);
            while let Some(property) = properties.next_if(|property| property.step <= index) {
                let seen = (property.path, &property.new_coverage.edges[..]);
                let more = self.learn_path(&mut spanning.clone(), seen, before, run, index);
                news += more;
                news.values += self.note_values(&property.new_coverage.values);
            }
            self.learn_news(news, run, index);
            if news.edges > 0 {
                learned.add(Novelty::Reach, index + 1);
            }
            if news.paths + news.values > 0 {
                learned.add(Novelty::Path, index + 1);
            }
        }
        let Reward { edges, values, .. } = run.reward;
        if edges + values > 0
            && let Some(parent) = candidate.parent
        {
            self.corpus.reward(parent, 4 * edges + values);
        }
        // Of what is not new, a sample suffices.
        if let Some(step) = self.rng.pick(&seen.steps) {
            self.generator.dictionary.absorb(&step.words, false);
        }
        let last = seen.steps.len() - 1;
        if seen.steps[last].outcome == Outcome::Success && self.corpus.states.wants(seen.state, &mut self.rng)
        {
            let seed = self.prefix(&candidate.sequence, seen, last);
            self.corpus.states.keep(seed, 0, &mut self.rng);
        }
        learned
    }

    /// Keeps what a call that showed something new did: its words, and the state after it.
    fn learn_news(&mut self, news: Reward, run: &mut LearningRun<'_>, index: usize) {
        run.reward += news;
        let Reward { edges, values, .. } = news;
        if edges + values == 0 {
            return;
        }
        let step = &run.seen.steps[index];
        self.generator.dictionary.absorb(&step.words, true);
        if step.outcome == Outcome::Success && self.features.has(Feature::Calls) {
            self.generator.calls.learn(&run.candidate.sequence[index]);
        }
        if step.outcome == Outcome::Success && self.features.has(Feature::Values) {
            let seed = self.prefix(&run.candidate.sequence, run.seen, index);
            self.corpus.states.keep(seed, 4 * edges + values, &mut self.rng);
        }
    }

    /// Notes classes of values that were read; says how many were new.
    fn note_values(&mut self, values: &[ValueId]) -> u64 {
        values.iter().filter(|value| self.values.insert(**value)).count() as u64
    }

    /// Notes that a path that was just admitted covers something for the first time.
    fn favor(&mut self, path: PathId) {
        self.favored.push(path);
        let entry = self.corpus.suite.get(path);
        self.coverage_corpus.extend(entry.map(|(entry, _)| entry.seed.clone()));
    }

    /// Notes that edges were covered; says how many of them were new.
    fn cover(&mut self, edges: &[EdgeId]) -> u64 {
        edges.iter().filter(|edge| self.frontier.cover(**edge)).count() as u64
    }

    /// Where a run wrote what just-missed branches read, calls what reads it.
    fn call_readers(&mut self, base: &Arc<TracedRun>, seen: &Observation) {
        let footprint = seen.steps.last().and_then(|step| step.footprint.as_ref());
        let Some(footprint) = footprint.filter(|_| base.seed.extendable) else { return };
        if !self.features.has(Feature::Dependencies) || footprint.writes.is_empty() {
            return;
        }
        for call in self.frontier.readers(&footprint.writes, READERS, &mut self.rng) {
            let mut builder = SequenceBuilder::new(Some(&base.seed), self.depth);
            if builder.room() == 0
                || !can_stand(
                    std::slice::from_ref(&call),
                    builder.born_before(builder.len()),
                    &self.generator,
                )
            {
                continue;
            }
            builder.push(call);
            let (sequence, from) = builder.finish(&self.generator.functions);
            let candidate = Candidate::new(sequence, Technique::DemandDriven, "follow");
            self.follow_ups.push(candidate.traced(from, Intent::Explore));
        }
    }

    /// The path of the last transaction; without demand-driven sequences it spans those before it as well.
    fn path(&self, path: PathId, spanning: &mut PathId) -> PathId {
        if self.features.has(Feature::DemandDriven) {
            return path;
        }
        let mut hasher = FxHasher::default();
        (*spanning, path).hash(&mut hasher);
        *spanning = hasher.finish();
        *spanning
    }

    /// The path and the edges of a call or of a property after it.
    fn learn_path(
        &mut self,
        spanning: &mut PathId,
        (path, edges): (PathId, &[EdgeId]),
        length: usize,
        run: &mut LearningRun<'_>,
        index: usize,
    ) -> Reward {
        let edges = self.cover(edges);
        let path = self.path(path, spanning);
        let verdict = self.corpus.suite.visit(path, length);
        match verdict {
            PathNovelty::Known => {}
            PathNovelty::Longer => {
                let seed = self.prefix(&run.candidate.sequence, run.seen, index);
                self.corpus.suite.admit_longest(path, seed);
            }
            PathNovelty::New | PathNovelty::Shorter => {
                let base = (run.is_traced() && index + 1 == run.seen.steps.len()).then(|| self.base(run));
                let seed = match &base {
                    Some(base) => base.seed.clone(),
                    None => self.prefix(&run.candidate.sequence, run.seen, index),
                };
                self.corpus.suite.admit(path, seed, base, &mut self.rng);
            }
        }
        let is_new = verdict == PathNovelty::New;
        if is_new && edges > 0 {
            self.favor(path);
        }
        Reward { edges, paths: is_new.into(), ..Reward::default() }
    }

    /// Keeps the prefix that creates contracts, for each list of them; says whether one was kept.
    fn learn_births(&mut self, candidate: &Candidate, seen: &Observation) -> bool {
        if !self.generator.functions.dynamic {
            return false;
        }
        let mut is_kept = false;
        let mut family = FxHasher::default();
        for (index, created) in seen.created.iter().enumerate() {
            self.generator.dictionary.absorb_address(created.address);
            created.identifier.hash(&mut family);
            let siblings_follow = seen.created.get(index + 1).is_some_and(|next| next.step == created.step);
            let steps = &seen.steps[..created.step];
            let length = steps.iter().filter(|step| step.outcome == Outcome::Success).count() + 1;
            if !siblings_follow && self.corpus.creations.wants(family.finish(), length) {
                let seed = self.prefix(&candidate.sequence, seen, created.step);
                self.corpus.creations.keep(family.finish(), seed);
                is_kept = true;
            }
        }
        is_kept
    }

    /// Keeps the sequence of the largest value of each optimization; says whether there is one.
    fn learn_best(&mut self, candidate: &Candidate, seen: &Observation) -> bool {
        let mut is_kept = false;
        for (property, value, steps) in &seen.best {
            if *steps == 0 {
                continue;
            }
            // The last call is kept whatever came of it.
            let before = &seen.steps[..steps - 1];
            let length = 1 + before.iter().filter(|step| step.outcome == Outcome::Success).count();
            if self.corpus.wants_best(*property, *value, length) {
                is_kept |= self.corpus.best(*property).is_none_or(|best| *value > best);
                let seed = self.prefix(&candidate.sequence, seen, steps - 1);
                self.corpus.keep_best(*property, *value, seed);
            }
        }
        is_kept
    }

    /// What a tracked run covered, just missed, read and wrote; says whether it came nearer to anything.
    fn learn_costs(&mut self, run: &mut LearningRun<'_>) -> bool {
        let (candidate, seen) = (run.candidate, run.seen);
        let last = seen.steps.len() - 1;
        let footprint = seen.steps[last].footprint.as_ref();
        if let (Some(footprint), Some(tx)) = (footprint, candidate.sequence.get(last)) {
            self.demand.learn(tx, footprint);
        }
        // What was rejected reached nothing.
        let counts = seen.steps[last].outcome != Outcome::Discard;
        let (mut wanted, mut covered) = (false, 0);
        for (_, branch) in traced_run::branches(seen) {
            for outcome in [0, 1] {
                if counts && branch.taken[outcome] {
                    covered += u64::from(self.frontier.cover(branch.edges[outcome]));
                }
            }
            if let Some(missed) = traced_run::missed(branch) {
                wanted |= self.frontier.wants(branch, missed);
                self.generator.dictionary.absorb_operands(branch.left, branch.right);
            }
        }
        if !counts {
            return false;
        }
        run.reward.edges += covered;
        self.learn_detours(run);
        if wanted {
            self.learn_nearness(run);
        }
        let is_progress = run.reward.edges + run.reward.nearer > 0;
        // Where loops make thousands of paths, these must not crowd out what covered something.
        let is_idle = run.reward.paths > 0 && self.follow_ups.is_empty();
        if (is_progress || is_idle) && run.is_traced() && !candidate.is_shared() {
            let base = self.base(run);
            self.call_readers(&base, seen);
        }
        wanted || covered > 0
    }

    /// Offers a run to the goals that it came nearest to.
    fn learn_nearness(&mut self, run: &mut LearningRun<'_>) {
        let base = self.base(run);
        for branch in base.branches() {
            if let Some(missed) = traced_run::missed(branch) {
                run.reward.nearer += u64::from(self.frontier.offer(branch, missed, &base));
            }
        }
        // Where a replacement leads nowhere, another one might follow the operand for ever.
        let is_replaced = run.candidate.technique == Technique::Replacement;
        let is_progress = run.reward.edges + run.reward.nearer > 0;
        if !run.candidate.is_shared() && is_progress && (!is_replaced || run.reward.paths > 0) {
            self.replaceable.push(base);
        }
    }

    /// Covered branches that a tracked run missed by less than any before it on the same paths.
    fn learn_detours(&mut self, run: &mut LearningRun<'_>) {
        if !self.features.has(Feature::ContextTargets)
            || !self.features.has(Feature::Prediction)
            || !run.is_traced()
        {
            return;
        }
        if let Some(cost) = self.context_targets.news(run.seen, &self.frontier) {
            let base = self.base(run);
            self.context_targets.admit(cost, base, &mut self.rng);
        }
    }

    /// The run as a base, made once.
    fn base(&mut self, run: &mut LearningRun<'_>) -> Arc<TracedRun> {
        let base = run.base.take().unwrap_or_else(|| {
            let seed = self.prefix(&run.candidate.sequence, run.seen, run.seen.steps.len() - 1);
            self.new_base(seed, run.seen)
        });
        run.base = Some(base.clone());
        base
    }

    /// What `seen` showed of the last step of `seed`.
    pub(super) fn new_base(&mut self, seed: Arc<Seed>, seen: &Observation) -> Arc<TracedRun> {
        self.bases += 1;
        Arc::new(TracedRun::new(self.bases, seed, seen, &self.generator))
    }

    /// What the candidate was made for.
    fn follow_up(&mut self, run: &mut LearningRun<'_>) {
        let (candidate, seen) = (run.candidate, run.seen);
        match &candidate.intent {
            Intent::Explore | Intent::Aggressive { .. } => {}
            Intent::Measure(seed) => {
                let base = self.base(run);
                let jobs = self.predicting.iter_mut().rev().map(|job| (job, base.elements.len()));
                let mut jobs = jobs.chain(self.demanding.iter_mut().map(|job| (job, 0)));
                if let Some((job, probes)) = jobs.find(|(job, _)| Arc::ptr_eq(&job.seed, seed)) {
                    job.probes = 0..probes;
                    job.base = Some(base.clone());
                    if let Some(path) = job.path {
                        self.corpus.suite.measured(path, &base);
                    }
                }
            }
            Intent::Probe { base, element, by } => self.predict(candidate, base, *element, by, seen),
            Intent::RootSearch(prediction) => self.follow(prediction, seen),
            Intent::Reach { base, edge, place } => self.learn_reach(run, base, *edge, *place),
        }
    }

    /// Calls put before the last one changed what a branch compares: their elements are input of it.
    fn learn_reach(&mut self, run: &mut LearningRun<'_>, base: &TracedRun, edge: EdgeId, place: EdgeId) {
        let (candidate, seen) = (run.candidate, run.seen);
        if self.frontier.is_covered(edge) || self.predicting.len() >= NESTING {
            return;
        }
        let after = traced_run::branch_at(seen, place);
        let (Some(before), Some(after)) = (base.at(place), after) else { return };
        if before.relation == after.relation && gap(before) == gap(after) {
            return;
        }
        let here = self.base(run);
        let steps = candidate.from
            ..candidate.from + (here.seed.calls.len() - base.seed.calls.len().min(here.seed.calls.len()));
        let moved: Vec<usize> =
            (0..here.elements.len()).filter(|index| steps.contains(&here.elements[*index].step)).collect();
        let (Some(first), Some(last)) = (moved.first(), moved.last()) else { return };
        let probes = *first..last + 1;
        let energy = 2 * probes.len() as u32;
        self.predicting.push(Job::of_base(here, Some(edge), energy, probes));
    }

    /// What tampering with the state did to the branches that nothing covered.
    fn learn_gain(&mut self, base: &TracedRun, slots: &[Slot], seen: &Observation) {
        let Some(function) = base.seed.calls.last().and_then(function_of) else { return };
        let mut gained = Vec::new();
        for (_, branch) in traced_run::branches(seen) {
            let before = base.same(branch);
            // Half the distance: a random word is a little nearer as often as not.
            let is_closer = |missed: traced_run::Missed| {
                before.is_some_and(|before| {
                    traced_run::misses(before, missed.edge) && branch.cost() <= before.cost() >> 1
                })
            };
            let closer =
                traced_run::missed(branch).filter(|missed| is_closer(*missed)).map(|missed| missed.edge);
            let flipped = branch.edges.into_iter().filter(|edge| branch.took(*edge));
            gained.extend(closer.into_iter().chain(flipped).filter(|edge| !self.frontier.is_covered(*edge)));
        }
        let fails = !seen.broken.is_empty() || seen.steps.iter().any(|step| step.assertion.is_some());
        self.demand.judge(function, slots, &gained, fails);
    }

    /// The calls up to the one at `last`, without those before it that reverted or were rejected. What a
    /// reverted call leaves behind (cheatcode state) may not be relied upon, for Forge's replay drops it too;
    /// only the time that it let pass goes to the next call.
    pub(super) fn prefix(&self, sequence: &Sequence, seen: &Observation, last: usize) -> Arc<Seed> {
        let mut calls: Sequence = Vec::new();
        let mut born = Vec::new();
        let (mut warp, mut roll) = (U256::ZERO, U256::ZERO);
        let mut created = seen.created.iter().peekable();
        for (index, (tx, step)) in sequence.iter().zip(&seen.steps).enumerate().take(last + 1) {
            let kept = index == last || step.outcome == Outcome::Success;
            while let Some(created) = created.next_if(|created| created.step <= index) {
                let callables = if kept { self.generator.functions.born(created) } else { Vec::new() };
                born.extend(
                    callables.into_iter().map(|callable| CreatedCallable { step: calls.len(), callable }),
                );
            }
            if kept {
                let mut tx = tx.clone();
                tx.warp += std::mem::take(&mut warp);
                tx.roll += std::mem::take(&mut roll);
                calls.push(tx);
            } else if step.outcome == Outcome::Revert && !tx.is_only_ours() {
                warp += tx.warp;
                roll += tx.roll;
            }
        }
        let extendable = seen.steps[last].outcome == Outcome::Success;
        Arc::new(Seed { calls, born: born.into(), extendable })
    }
}
