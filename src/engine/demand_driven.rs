//! Demand-driven sequences (Harvey section 5). Words of storage are replaced to learn which functions gain
//! from another state, and calls are put before calls of those functions. Calls that read written words are
//! put after the writing call.

use super::{
    WAITING,
    bounded_queue::BoundedQueue,
    candidate::{Candidate, Intent},
    demand::{can_stand, function_of},
    frontier::GoalConsumer,
    job::Job,
    search_state::SearchState,
    seed::SequenceBuilder,
    technique::Technique,
    traced_run::{RunPart, TracedRun},
};
use crate::engine::tuning::demand_driven::{
    ADAPTIVE, AGGRESSIVE, AGGRESSIVE_ON_CREDIT, ATTEMPTS, ENERGY, TRIALS,
};
use crate::{
    config::Feature,
    model::{EdgeId, Probing, Slot, Transaction},
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Demand-driven technique.
pub(super) struct DemandDriven {
    /// Job in progress.
    job: Option<Job>,
    /// Sequences that end in a call that reads what a run wrote.
    follow_ups: BoundedQueue<Candidate>,
}

impl Default for DemandDriven {
    fn default() -> Self {
        Self { job: None, follow_ups: BoundedQueue::new(WAITING) }
    }
}

impl DemandDriven {
    /// Adds a sequence that ends in a call that reads what a run wrote.
    pub(super) fn follow_up(&mut self, candidate: Candidate) {
        self.follow_ups.push(candidate);
    }

    /// Tells whether no such sequence waits.
    pub(super) fn is_idle(&self) -> bool {
        self.follow_ups.is_empty()
    }

    /// Returns the job in progress.
    pub(super) fn job_mut(&mut self) -> Option<&mut Job> {
        self.job.as_mut()
    }

    /// Makes a run in aggressive mode, or a sequence with inserted calls that write what later calls read.
    pub(super) fn demand_driven(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if state.rng.coin()
            && let Some(candidate) = self.follow_ups.pop()
        {
            return Some(candidate);
        }
        for _ in 0..ATTEMPTS {
            let Some(mut job) = self.job.take().or_else(|| self.pick_for_demand(state)) else { break };
            let candidate = self.demand_on(state, &mut job);
            self.job = Some(job).filter(|job| job.energy > 0);
            if candidate.is_some() {
                return candidate;
            }
        }
        self.follow_ups.pop()
    }

    /// Makes such a candidate only while there is a job in progress or a goal that this technique has not
    /// worked on yet.
    pub(super) fn pending_demand_driven(&mut self, state: &mut SearchState) -> Option<Candidate> {
        let has_new =
            state.frontier.has_new(GoalConsumer::DemandDriven) && state.features.has(Feature::Adaptive);
        (has_new || self.job.is_some()).then(|| self.demand_driven(state)).flatten()
    }

    fn pick_for_demand(&mut self, state: &mut SearchState) -> Option<Job> {
        let goal = state.features.has(Feature::Adaptive)
            && (state.frontier.has_new(GoalConsumer::DemandDriven) || state.rng.percent(ADAPTIVE));
        let job = goal
            .then(|| state.pick_goal(GoalConsumer::DemandDriven, ENERGY))
            .flatten()
            .or_else(|| state.corpus.pick(&mut state.rng))?;
        let is_open = self.is_of_property(&job) || state.may_lengthen(&job);
        Some(Job { energy: if is_open { ENERGY } else { TRIALS }, trims: 0, probes: 0..0, ..job })
    }

    fn is_of_property(&self, job: &Job) -> bool {
        let goal = job.base.as_ref().zip(job.goal);
        goal.is_some_and(|(base, edge)| matches!(base.subject_of(edge), Some(RunPart::Property(_))))
    }

    fn demand_on(&mut self, state: &mut SearchState, job: &mut Job) -> Option<Candidate> {
        let Some(base) = job.base.clone() else {
            let candidate = job.measure(Technique::DemandDriven);
            job.energy = if candidate.is_some() { job.energy } else { 0 };
            return candidate;
        };
        job.spend();
        let of_property = self.is_of_property(job);
        if state.features.has(Feature::DemandDriven) && !of_property {
            let function = base.seed.calls.last().and_then(function_of);
            let one_in = match function {
                Some(function) if state.demand.has_gained(function) => AGGRESSIVE,
                Some(function) if state.demand.is_marked(function) => AGGRESSIVE_ON_CREDIT,
                _ => 1,
            };
            if state.rng.below(one_in) == 0
                && let Some(candidate) = self.aggressive(state, &base)
            {
                return Some(candidate);
            }
        }
        let goal = job.goal.filter(|edge| !state.frontier.is_covered(*edge));
        self.reach(state, &base, goal, of_property)
    }

    /// Returns the sequence of `base` in aggressive mode: another value replaces a word that the last call reads.
    fn aggressive(&mut self, state: &mut SearchState, base: &Arc<TracedRun>) -> Option<Candidate> {
        let reads: Vec<(Slot, U256)> = base
            .reads(RunPart::Call)
            .filter(|(slot, _)| !slot.is_of_block() || self.may_pass(state, *slot))
            .collect();
        let (slot, value) = *state.rng.pick(&reads)?;
        let operand = base
            .branches()
            .find(|branch| branch.left == value || branch.right == value)
            .map(|branch| if branch.left == value { branch.right } else { branch.left });
        let replaced = match (operand, state.rng.below(4)) {
            (Some(operand), 0..=1) if operand != value => operand,
            (_, 2) => value.wrapping_add(U256::ONE),
            _ => state.generator.dictionary.word(&mut state.rng).unwrap_or_else(|| state.rng.magnitude(256)),
        };
        if slot.is_of_block() && replaced <= value {
            // No sequence goes back in time.
            return None;
        }
        let intent = Intent::Aggressive { base: base.clone(), slots: vec![slot] };
        let from = base.seed.calls.len() - 1;
        let candidate = Candidate::new(base.seed.calls.clone(), Technique::DemandDriven, "aggressive");
        let probing = Probing { state: vec![(slot, replaced)], ..Probing::traced() };
        Some(Candidate { probing, ..candidate.traced(from, intent) })
    }

    /// Tells whether a call or a delay can change this property of the block.
    fn may_pass(&self, state: &SearchState, slot: Slot) -> bool {
        let delay = if slot == Slot::TIMESTAMP { state.generator.max_warp } else { state.generator.max_roll };
        delay > 0 || state.demand.has_writer(slot)
    }

    /// Returns the sequence of `base` with calls inserted before its last call, or after its last call if the
    /// goal belongs to a property.
    fn reach(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        goal: Option<EdgeId>,
        of_property: bool,
    ) -> Option<Candidate> {
        let mut builder = SequenceBuilder::new(Some(&base.seed), state.depth);
        let room = builder.room();
        if room == 0 || of_property && !base.seed.extendable {
            return None;
        }
        let mut place = if of_property { builder.len() } else { builder.len() - 1 };
        if state.rng.below(4) == 0 {
            place = state.rng.below(place + 1);
        }
        let goal = goal.and_then(|edge| Some((edge, base.branch_of(edge)?.place())));
        let mut chain = Vec::new();
        if state.features.has(Feature::Dependencies)
            && let Some((edge, branch)) = goal
            && state.rng.below(8) > 0
        {
            chain = state.demand.chain(base, branch, edge, &state.generator, &mut state.rng);
        }
        if chain.is_empty() {
            chain = self.pooled(state, &builder, place);
        }
        chain.truncate(room);
        if chain.is_empty() || !can_stand(&chain, builder.born_before(place), &state.generator) {
            return None;
        }
        builder.insert(place, chain);
        let (sequence, from) = builder.finish(&state.generator.functions);
        let intent = match goal {
            Some((edge, place)) => Intent::Reach { base: base.clone(), edge, place },
            None => Intent::Explore,
        };
        Some(Candidate::new(sequence, Technique::DemandDriven, "reach").traced(from, intent))
    }

    /// Returns calls to insert, as Harvey's operators do: a random call, a call of another kept sequence, or
    /// all its calls.
    fn pooled(
        &mut self,
        state: &mut SearchState,
        builder: &SequenceBuilder,
        place: usize,
    ) -> Vec<Transaction> {
        match state.rng.below(3) {
            0 => state.generator.call(builder.born_before(place), None, &mut state.rng).into_iter().collect(),
            1 => {
                let other = state.corpus.any(&mut state.rng).filter(|other| other.extendable);
                other.and_then(|other| other.calls.last().cloned()).into_iter().collect()
            }
            _ => {
                let other = state.corpus.any(&mut state.rng).filter(|other| other.extendable);
                other.map(|other| other.calls.clone()).unwrap_or_default()
            }
        }
    }
}
