//! Search state that all techniques share.

use super::{
    EngineInit,
    call_generator::CallGenerator,
    candidate::{Candidate, Intent, Move},
    corpus::Corpus,
    demand::{Demand, function_of},
    dictionary::InitialDictionary,
    frontier::{Frontier, GoalConsumer},
    input::{self, InputElement},
    job::{Job, first_probes, most_probes},
    predict::Int,
    rng::Rng,
    seed::{CreatedCallable, Seed, SequenceBuilder},
    technique::Technique,
    traced_run::TracedRun,
};
use crate::{
    config::{Feature, Features},
    model::{Observation, Outcome, Sequence},
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Width of an address, in bits.
const ADDRESS: usize = 160;

/// Knowledge and random numbers shared by all techniques.
pub(super) struct SearchState {
    pub(super) generator: CallGenerator,
    pub(super) corpus: Corpus,
    pub(super) frontier: Frontier,
    pub(super) demand: Demand,
    pub(super) features: Features,
    pub(super) rng: Rng,
    /// Maximum number of calls in a sequence that count.
    pub(super) depth: usize,
    /// Minimum number of calls in a long random sequence, if their numbers are drawn at random.
    pub(super) min_depth: Option<usize>,
    /// Number of sequences whose runs were learned from.
    pub(super) sequences: u64,
    /// Number of traced runs made.
    pub(super) runs: u64,
    /// Bytes of the traced runs made since the size of those that are kept was measured.
    pub(super) unmeasured: usize,
}

/// Returns the known accounts alone.
fn accounts_of(dictionary: &InitialDictionary) -> InitialDictionary {
    InitialDictionary { addresses: dictionary.addresses.clone(), ..InitialDictionary::default() }
}

impl SearchState {
    /// Returns the state before the first run.
    pub(super) fn new(init: &EngineInit) -> Self {
        let features = init.harvey.features();
        let has_values = features.has(Feature::Dictionary);
        let accounts = (!has_values).then(|| accounts_of(&init.dictionary));
        let dictionary = accounts.as_ref().unwrap_or(&init.dictionary);
        let mut generator = CallGenerator::new(&init.targets, dictionary, &init.invariant);
        if !has_values {
            generator.dictionary.close();
        }
        Self {
            generator,
            corpus: Corpus::default(),
            frontier: Frontier::default(),
            demand: Demand::default(),
            features,
            rng: Rng::new(init.seed, init.stream),
            depth: init.invariant.depth as usize,
            min_depth: init.invariant.min_depth.map(|least| least.max(1) as usize),
            sequences: 0,
            runs: 0,
            unmeasured: 0,
        }
    }

    /// Creates a traced run from the last step of `seed` and the properties after it, as observed in `seen`.
    pub(super) fn traced_run(&mut self, seed: Arc<Seed>, seen: &Observation) -> Arc<TracedRun> {
        self.runs += 1;
        let run = TracedRun::new(self.runs, seed, seen, &self.generator);
        let recorded = seen.properties.iter().filter(|run| !run.recalled).map(|run| &run.footprint);
        let new = seen.steps.last().map(|step| &step.footprint).into_iter().chain(recorded).flatten();
        self.unmeasured += run.size() + new.map(|footprint| footprint.size()).sum::<usize>();
        Arc::new(run)
    }

    /// Returns the calls up to index `last` as a seed, without those before it that reverted or were
    /// rejected. The effects of a reverted call (cheatcode state) may not be relied on, because Forge's
    /// replay drops them, too. Only its delay is kept, and added to that of the next call.
    pub(super) fn prefix(&mut self, sequence: &Sequence, seen: &Observation, last: usize) -> Arc<Seed> {
        let mut calls = Sequence::with_capacity(last + 1);
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

    /// Tells whether the sequence of a job may get longer: the function of its last call must be marked
    /// (Harvey section 5).
    pub(super) fn may_lengthen(&self, job: &Job) -> bool {
        let function = job.seed.calls.last().and_then(function_of);
        !self.features.has(Feature::DemandDriven)
            || function.is_none_or(|function| self.demand.is_marked(function))
    }

    /// Picks a goal, and returns a job on its nearest execution or on another one that reached its branch.
    pub(super) fn pick_goal(&mut self, worker: GoalConsumer, energy: u32) -> Option<Job> {
        let other = self.rng.below(3);
        let goal = self.frontier.pick(worker, &mut self.rng)?;
        let edge = goal.edge;
        let others = [&goal.base, &goal.shortest, goal.richest.as_ref().map_or(&goal.base, |(_, base)| base)];
        let base = others[if goal.tries > 0 { other } else { 0 }].clone();
        let probes = match worker {
            GoalConsumer::DemandDriven => 0..0,
            GoalConsumer::Prediction if base.id != goal.base.id => first_probes(&base),
            // Successive jobs go through the elements in turns.
            GoalConsumer::Prediction => {
                let elements = base.elements.len();
                let start = if goal.cursor >= elements { 0 } else { goal.cursor };
                goal.cursor = elements.min(start + most_probes(&base));
                start..goal.cursor
            }
        };
        let calls = (energy + probes.len() as u32) * base.seed.calls.len() as u32;
        goal.tries = goal.tries.saturating_add(calls);
        Some(Job::of_base(base, Some(edge), energy, probes))
    }

    /// Moves one element by one, so that the difference of the costs is the slope.
    pub(super) fn unit_step(&mut self, base: &Arc<TracedRun>, element: InputElement) -> Option<Candidate> {
        let tx = &base.seed.calls[element.step];
        let (value, domain) =
            (input::get(tx, element.part)?, input::domain(tx, element.part, &self.generator)?);
        if domain.bits == ADDRESS {
            // The next address is no meaningful account. Addresses in comparisons are replaced directly instead.
            return None;
        }
        let up = value < domain.max();
        let moved = if up { value + Int::ONE } else { value - Int::ONE };
        self.moved(base, element, moved, Move::One)
    }

    /// Returns a candidate that is the sequence of `base` with another value of one element.
    pub(super) fn moved(
        &self,
        base: &Arc<TracedRun>,
        element: InputElement,
        value: Int,
        by: Move,
    ) -> Option<Candidate> {
        let mut builder = SequenceBuilder::new(Some(&base.seed), self.depth);
        let tx = builder.calls().get(element.step)?;
        if input::get(tx, element.part) == Some(value)
            || !input::set(builder.edit(element.step), element.part, value, &self.generator)
        {
            return None;
        }
        let (sequence, from) = builder.finish(&self.generator.functions);
        if sequence.len() != base.seed.calls.len() {
            return None;
        }
        let intent = Intent::Probe { base: base.clone(), element, by };
        Some(Candidate::new(sequence, Technique::Prediction, "probe").traced(from, intent))
    }

    pub(super) fn moved_both(
        &self,
        base: &Arc<TracedRun>,
        first: (InputElement, Int),
        second: (InputElement, Int),
    ) -> Option<Candidate> {
        let mut builder = SequenceBuilder::new(Some(&base.seed), self.depth);
        for (element, value) in [first, second] {
            if !input::set(builder.edit(element.step), element.part, value, &self.generator) {
                return None;
            }
        }
        let (sequence, from) = builder.finish(&self.generator.functions);
        Some(Candidate::new(sequence, Technique::Prediction, "pair").traced(from, Intent::Explore))
    }
}
