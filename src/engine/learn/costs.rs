//! Learning from the costs of branches: goals that came nearer, readers of written words, and the results for
//! the candidate's purpose.

use super::Learning;
use crate::engine::tuning::{
    learn_costs::READERS,
    traced_run::{MEASURED_BYTES, MOST_BYTES},
};
use crate::{
    config::Feature,
    engine::{
        Techniques,
        candidate::{Candidate, Intent},
        demand::{can_stand, function_of},
        job::Job,
        predict::gap,
        search_state::SearchState,
        seed::SequenceBuilder,
        technique::Technique,
        traced_run::{self, TracedRun},
    },
    model::{EdgeId, Outcome, Slot},
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Learning<'_> {
    /// Makes sequences that call readers of the words that the run wrote, if just-missed branches depend on
    /// these words.
    fn call_readers(&mut self, base: &Arc<TracedRun>) {
        let seen = self.seen;
        let footprint = seen.steps.last().and_then(|step| step.footprint.as_ref());
        let Some(footprint) = footprint.filter(|_| base.seed.extendable) else { return };
        if !self.state.features.has(Feature::Dependencies) || footprint.writes.is_empty() {
            return;
        }
        for call in self.state.frontier.readers(&footprint.writes, READERS, &mut self.state.rng) {
            let mut builder = SequenceBuilder::new(Some(&base.seed), self.state.depth);
            if builder.room() == 0
                || !can_stand(
                    std::slice::from_ref(&call),
                    builder.born_before(builder.len()),
                    &self.state.generator,
                )
            {
                continue;
            }
            builder.push(call);
            let (sequence, from) = builder.finish(&self.state.generator.functions);
            let candidate = Candidate::new(sequence, Technique::DemandDriven, "follow");
            self.techniques.demand_driven.follow_up(candidate.traced(from, Intent::Explore));
        }
    }

    /// Learns the edges that a traced run covered or just missed, and its reads and writes. Returns true if
    /// it covered something new or came nearer to a goal.
    pub(super) fn learn_costs(&mut self) -> bool {
        let (candidate, seen) = (self.candidate, self.seen);
        let last = seen.steps.len() - 1;
        let footprint = seen.steps[last].footprint.as_ref();
        if let (Some(footprint), Some(tx)) = (footprint, candidate.sequence.get(last)) {
            self.state.demand.learn(tx, footprint);
        }
        // A rejected call reached nothing.
        let counts = seen.steps[last].outcome != Outcome::Discard;
        let (mut wanted, mut covered) = (false, 0);
        for (_, branch) in traced_run::branches(seen) {
            for outcome in [0, 1] {
                if counts && branch.taken[outcome] {
                    covered += u64::from(self.state.frontier.cover(branch.edges[outcome]));
                }
            }
            if let Some(missed) = traced_run::missed(branch) {
                wanted |= self.state.frontier.wants(branch, missed);
                self.state.generator.dictionary.absorb_operands(branch.left, branch.right);
            }
        }
        if !counts {
            return false;
        }
        self.reward.edges += covered;
        self.learn_context_targets();
        if wanted {
            self.learn_nearness();
        }
        let is_progress = self.reward.edges + self.reward.nearer > 0;
        // Loops may lead to thousands of paths. Their sequences must not displace those that covered something.
        let is_idle = self.reward.paths > 0 && self.techniques.demand_driven.is_idle();
        if (is_progress || is_idle) && self.is_traced() && !candidate.is_shared() {
            let base = self.base();
            if self.reward.edges > 0 {
                self.techniques.branch_solver.discovered(&base);
            }
            self.call_readers(&base);
        }
        wanted || covered > 0
    }

    /// Offers the run to the goals that it came nearest to.
    fn learn_nearness(&mut self) {
        let base = self.base();
        for branch in base.branches() {
            if let Some(missed) = traced_run::missed(branch) {
                self.reward.nearer += u64::from(self.state.frontier.offer(branch, missed, &base));
            }
        }
        // A replacement without a new path is not examined again: otherwise, one replacement could follow the
        // other forever.
        let is_replaced = self.candidate.technique == Technique::Replacement;
        let is_progress = self.reward.edges + self.reward.nearer > 0;
        if !self.candidate.is_shared() && is_progress && (!is_replaced || self.reward.paths > 0) {
            self.techniques.replacer.add(base);
        }
    }

    /// Learns context-sensitive targets: covered branches that the run missed by less than any before it in
    /// the same context.
    fn learn_context_targets(&mut self) {
        if !self.state.features.has(Feature::ContextTargets)
            || !self.state.features.has(Feature::Prediction)
            || !self.is_traced()
        {
            return;
        }
        if let Some(cost) =
            self.techniques.predictor.context_targets().improvement(self.seen, &self.state.frontier)
        {
            let base = self.base();
            self.techniques.predictor.context_targets().admit(cost, base, &mut self.state.rng);
        }
    }

    /// Returns the traced run of the candidate. It is created once.
    pub(super) fn base(&mut self) -> Arc<TracedRun> {
        let base = self.base.take().unwrap_or_else(|| {
            let seed = self.state.prefix(&self.candidate.sequence, self.seen, self.seen.steps.len() - 1);
            if self.state.unmeasured > MEASURED_BYTES {
                self.state.unmeasured = 0;
                self.forget_traced_runs();
            }
            self.state.traced_run(seed, self.seen)
        });
        self.base = Some(base.clone());
        base
    }

    /// If the traced runs that are kept take too many bytes, forgets runs until they take at most half as many. Runs of
    /// kept sequences are made again when they are needed, and goals return when they are just missed again.
    fn forget_traced_runs(&mut self) {
        let steps: [fn(&mut Self); 4] = [
            |learning| {
                learning.techniques.replacer.forget_waiting();
                learning.techniques.branch_solver.forget_waiting();
            },
            |learning| learning.state.corpus.suite.forget_bases(),
            |learning| learning.techniques.predictor.context_targets().forget_half(),
            |learning| learning.state.frontier.forget_half(),
        ];
        if self.traced_size() <= MOST_BYTES {
            return;
        }
        for forget in steps {
            forget(self);
            if self.traced_size() <= MOST_BYTES / 2 {
                return;
            }
        }
    }

    /// Returns the size of the traced runs that are kept, in bytes. What several of them share counts once.
    fn traced_size(&mut self) -> usize {
        let SearchState { corpus, frontier, .. } = &*self.state;
        let Techniques { predictor, replacer, branch_solver, .. } = &mut *self.techniques;
        let waiting = replacer.waiting().chain(branch_solver.waiting());
        let waiting = waiting.chain(predictor.context_targets().waiting());
        let kept = corpus.suite.bases().chain(frontier.executions()).chain(waiting);
        let (mut runs, mut footprints) = (FxHashSet::default(), FxHashSet::default());
        let mut size = 0;
        for run in kept.filter(|run| runs.insert(run.id)) {
            let new = run.footprints().filter(|footprint| footprints.insert(Arc::as_ptr(footprint)));
            size += run.size() + new.map(|footprint| footprint.size()).sum::<usize>();
        }
        size
    }

    /// Learns the result for the purpose of the candidate.
    pub(super) fn follow_up(&mut self) {
        let (candidate, seen) = (self.candidate, self.seen);
        match &candidate.intent {
            Intent::Explore | Intent::Fitness | Intent::Aggressive { .. } => {}
            Intent::Measure(seed) => {
                let base = self.base();
                let Techniques { predictor, demand_driven, .. } = &mut *self.techniques;
                let jobs = predictor.jobs_mut().map(|job| (job, base.elements.len()));
                let mut jobs = jobs.chain(demand_driven.job_mut().map(|job| (job, 0)));
                if let Some((job, probes)) = jobs.find(|(job, _)| Arc::ptr_eq(&job.seed, seed)) {
                    job.probes = 0..probes;
                    job.base = Some(base.clone());
                    if let Some(path) = job.path {
                        self.state.corpus.suite.measured(path, &base);
                    }
                }
            }
            Intent::Missed => {
                let base = self.base();
                self.techniques.branch_solver.discovered(&base);
            }
            Intent::Probe { base, element, by } => {
                self.techniques.predictor.predict(self.state, candidate, base, *element, by, seen);
            }
            Intent::RootSearch(prediction) => self.techniques.predictor.follow(self.state, prediction, seen),
            Intent::Path { base, edge, round } => {
                if let Some(path) = &seen.symbolic {
                    self.techniques.branch_solver.learn(self.state, (base, *edge, *round), path);
                }
            }
            Intent::Solved { edge, round } => {
                if !self.state.frontier.is_covered(*edge) {
                    let base = self.base();
                    self.techniques.branch_solver.continue_from(base, *edge, *round);
                }
            }
            Intent::Reach { base, edge, place } => self.learn_reach(base, *edge, *place),
        }
    }

    /// Begins a prediction job if inserted calls changed the operands of a branch: the elements of these
    /// calls are then input of the branch.
    fn learn_reach(&mut self, base: &TracedRun, edge: EdgeId, place: EdgeId) {
        let (candidate, seen) = (self.candidate, self.seen);
        if self.state.frontier.is_covered(edge) || !self.techniques.predictor.may_begin_job() {
            return;
        }
        let after = traced_run::branch_at(seen, place);
        let (Some(before), Some(after)) = (base.at(place), after) else { return };
        if before.relation == after.relation && gap(before) == gap(after) {
            return;
        }
        let here = self.base();
        let steps = candidate.from
            ..candidate.from + (here.seed.calls.len() - base.seed.calls.len().min(here.seed.calls.len()));
        let moved: Vec<usize> =
            (0..here.elements.len()).filter(|index| steps.contains(&here.elements[*index].step)).collect();
        let (Some(first), Some(last)) = (moved.first(), moved.last()) else { return };
        let probes = *first..last + 1;
        let energy = 2 * probes.len() as u32;
        self.techniques.predictor.begin_job(Job::of_base(here, Some(edge), energy, probes));
    }

    /// Learns from a run in aggressive mode which uncovered branches it covered or brought nearer.
    pub(super) fn learn_gain(&mut self, base: &TracedRun, slots: &[Slot]) {
        let seen = self.seen;
        let Some(function) = base.seed.calls.last().and_then(function_of) else { return };
        let mut gained = Vec::new();
        for (_, branch) in traced_run::branches(seen) {
            let before = base.same(branch);
            // Only half the distance counts, since a random word is often a little nearer by chance.
            let is_closer = |missed: traced_run::Missed| {
                before.is_some_and(|before| {
                    traced_run::misses(before, missed.edge) && branch.cost() <= before.cost() >> 1
                })
            };
            let closer =
                traced_run::missed(branch).filter(|missed| is_closer(*missed)).map(|missed| missed.edge);
            let flipped = branch.edges.into_iter().filter(|edge| branch.took(*edge));
            gained.extend(
                closer.into_iter().chain(flipped).filter(|edge| !self.state.frontier.is_covered(*edge)),
            );
        }
        let fails = !seen.broken.is_empty() || seen.steps.iter().any(|step| step.assertion.is_some());
        self.state.demand.record_aggressive(function, slots, &gained, fails);
    }
}
