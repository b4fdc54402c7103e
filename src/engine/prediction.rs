//! Jobs of input prediction: a sequence is measured, its elements are moved one by one, and what that does to costs
//! predicts values that flip branches (Harvey section 4).

use super::{
    Engine,
    candidate::{Candidate, Intent, Move},
    frontier::GoalConsumer,
    input::{self, InputElement},
    job::{Job, first_probes, most_probes},
    predict::{Int, int},
    seed::{Seed, SequenceBuilder},
    technique::Technique,
    traced_run::TracedRun,
    value,
};
use crate::{config::Feature, model::EdgeId};
use alloy_dyn_abi::DynSolType;
use std::sync::Arc;

/// Percent of the jobs on the nearest execution of a just-missed branch.
const ADAPTIVE: u32 = 40;
/// Percent of the others on executions that just missed covered branches, while there are such.
const DETOURS: u32 = 60;
/// Random values tried in a job, beside moving its elements by one.
const FAR_MOVES: u32 = 3;
/// Width of an account.
const ADDRESS: usize = 160;
/// One in this many random values goes to the sender.
const SENDERS: usize = 8;
/// Jobs within jobs.
pub(super) const NESTING: usize = 4;
/// Jobs begun for one candidate at most: most of what they would do may be remembered as futile.
const ATTEMPTS: usize = 4;

impl Engine {
    /// A value that was predicted, or what is needed to predict one.
    pub(super) fn prediction(&mut self) -> Option<Candidate> {
        if let Some(candidate) = self.predicted.pop() {
            return Some(candidate);
        }
        for _ in 0..ATTEMPTS {
            let mut job = match self.predicting.pop() {
                Some(job) => job,
                None => self.pick_for_prediction()?,
            };
            let candidate = self.predict_on(&mut job);
            let has_more = !job.probes.is_empty() || job.energy > 0;
            if has_more && (candidate.is_some() || job.base.is_some()) {
                self.predicting.push(job);
            }
            if candidate.is_some() {
                return candidate;
            }
        }
        None
    }

    /// The same, but only while there are predictions to try, a job to end or a goal that it did not work on yet.
    pub(super) fn pending_prediction(&mut self) -> Option<Candidate> {
        let has_new = self.frontier.has_new(GoalConsumer::Prediction) && self.features.has(Feature::Adaptive);
        (has_new || !self.predicted.is_empty() || !self.predicting.is_empty())
            .then(|| self.prediction())
            .flatten()
    }

    fn pick_for_prediction(&mut self) -> Option<Job> {
        if self.features.has(Feature::Adaptive)
            && (self.frontier.has_new(GoalConsumer::Prediction) || self.rng.percent(ADAPTIVE))
            && let Some(job) = self.pick_goal(GoalConsumer::Prediction, FAR_MOVES)
        {
            return Some(job);
        }
        if self.features.has(Feature::ContextTargets)
            && self.rng.percent(DETOURS)
            && let Some(base) = self.context_targets.pick(&mut self.rng)
        {
            let probes = first_probes(&base);
            return Some(Job::of_base(base, None, FAR_MOVES, probes));
        }
        let job = self.corpus.pick(&mut self.rng)?;
        let job = Job { energy: FAR_MOVES, trims: 0, ..job };
        Some(match job.base.clone() {
            Some(base) => {
                let probes = 0..base.elements.len();
                Job { measured: true, probes, ..job }
            }
            None => job,
        })
    }

    /// The nearest execution of a just-missed branch, or another one that reached it.
    pub(super) fn pick_goal(&mut self, worker: GoalConsumer, energy: u32) -> Option<Job> {
        let other = self.rng.below(3);
        let goal = self.frontier.pick(worker, &mut self.rng)?;
        let edge = goal.edge;
        let others = [&goal.base, &goal.shortest, goal.richest.as_ref().map_or(&goal.base, |(_, base)| base)];
        let base = others[if goal.tries > 0 { other } else { 0 }].clone();
        let probes = match worker {
            GoalConsumer::DemandDriven => 0..0,
            GoalConsumer::Prediction if base.id != goal.base.id => first_probes(&base),
            // The elements are gone through in turns, one job after the other.
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

    fn predict_on(&mut self, job: &mut Job) -> Option<Candidate> {
        let Some(base) = job.base.clone() else { return self.measure(job, Technique::Prediction) };
        if let Some(element) = self.next_to_move(job, &base) {
            return self.unit_step(&base, element);
        }
        job.spend().then(|| self.far_move(&base)).flatten()
    }

    /// The sequence of a job as it is, tracked, unless that was asked for before.
    pub(super) fn measure(&mut self, job: &mut Job, technique: Technique) -> Option<Candidate> {
        if std::mem::replace(&mut job.measured, true) {
            return None;
        }
        let Seed { calls, .. } = &*job.seed;
        let candidate = Candidate::new(calls.clone(), technique, "measure");
        Some(candidate.traced(calls.len() - 1, Intent::Measure(job.seed.clone())))
    }

    /// The next element of a job that is worth moving and was not moved yet.
    fn next_to_move(&mut self, job: &mut Job, base: &TracedRun) -> Option<InputElement> {
        let goal = job.goal;
        job.probes.by_ref().map(|index| base.elements[index]).find(|element| {
            (self.context_targets.is_at_work(base) || self.is_worth_moving(base, *element, goal))
                && self.moved.is_new((base.id, *element))
        })
    }

    fn is_worth_moving(&self, base: &TracedRun, element: InputElement, goal: Option<EdgeId>) -> bool {
        let edge = goal.unwrap_or_default();
        self.failures.is_due(base, element, edge, base.branch_of(edge), self.sequences)
    }

    /// Moves one element by one, so that the difference of the costs is their slope.
    pub(super) fn unit_step(&mut self, base: &Arc<TracedRun>, element: InputElement) -> Option<Candidate> {
        let tx = &base.seed.calls[element.step];
        let (value, domain) =
            (input::get(tx, element.part)?, input::domain(tx, element.part, &self.generator)?);
        if domain.bits == ADDRESS {
            // The account after an account is no one; those that are compared are replaced in place.
            return None;
        }
        let up = value < domain.max();
        let moved = if up { value + Int::ONE } else { value - Int::ONE };
        self.moved(base, element, moved, Move::One)
    }

    /// Moves a random element to a random value.
    fn far_move(&mut self, base: &Arc<TracedRun>) -> Option<Candidate> {
        let is_sender = |element: &&InputElement| element.part == input::InputPart::Sender;
        let numbers: Vec<&InputElement> =
            base.elements.iter().filter(|element| !is_sender(element)).collect();
        // Who calls matters seldom, and then it is mostly an account that something is compared with.
        let element = match self.rng.pick(&numbers) {
            Some(element) if self.rng.below(SENDERS) > 0 => **element,
            _ if self.rng.below(SENDERS) == 0 => *base.elements.iter().find(is_sender)?,
            _ => return None,
        };
        let tx = &base.seed.calls[element.step];
        let domain = input::domain(tx, element.part, &self.generator)?;
        let value = match element.part {
            input::InputPart::Sender => int(self.generator.sender(&mut self.rng).into_word().into(), false),
            input::InputPart::Value => int(self.generator.amount(&mut self.rng), false),
            input::InputPart::Warp => int(self.generator.warp(&mut self.rng), false),
            input::InputPart::Roll => int(self.generator.roll(&mut self.rng), false),
            _ => {
                let ty =
                    if domain.signed { DynSolType::Int(domain.bits) } else { DynSolType::Uint(domain.bits) };
                let fresh = value::value(&ty, &self.generator, &mut self.rng);
                match fresh {
                    alloy_dyn_abi::DynSolValue::Int(value, _) => int(value.into_raw(), true),
                    alloy_dyn_abi::DynSolValue::Uint(value, _) => int(value, false),
                    _ => return None,
                }
            }
        };
        self.moved(base, element, value, Move::Far)
    }

    /// The base with another value of one element.
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
}
