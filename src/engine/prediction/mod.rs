//! Input prediction (Harvey section 4). A job measures a sequence and moves its elements one by one. The
//! effects on the costs predict values that flip branches.

mod root_searches;

pub(super) use root_searches::affordable;

use super::{
    WAITING,
    bounded_queue::BoundedQueue,
    bounded_set::BoundedSet,
    candidate::{Candidate, Move},
    context_targets::ContextTargets,
    failed_predictions::FailedPredictions,
    frontier::GoalConsumer,
    input::{self, InputElement},
    job::{Job, first_probes},
    predict::{Slope, int},
    search_state::SearchState,
    technique::Technique,
    traced_run::TracedRun,
    value,
};
use crate::engine::tuning::prediction::{ADAPTIVE, ATTEMPTS, CONTEXT_TARGETS, FAR_MOVES, NESTING, SENDERS};
use crate::{
    config::Feature,
    model::{EdgeId, PathId, PredictionCounts},
};
use alloy_dyn_abi::DynSolType;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Input prediction.
pub(super) struct Predictor {
    /// Candidates with predicted values, or with further values of root searches.
    predicted: BoundedQueue<Candidate>,
    /// Jobs in progress; the innermost is the last.
    jobs: Vec<Job>,
    context_targets: ContextTargets,
    failures: FailedPredictions,
    /// Elements that were moved by a unit step, by traced run.
    moved_elements: BoundedSet<(u64, InputElement)>,
    /// Slopes of the gaps of equations, by traced run and edge.
    slopes: FxHashMap<(u64, EdgeId), Vec<(InputElement, Slope)>>,
    /// Root searches that were begun, by traced run, element and edge.
    searched: BoundedSet<(u64, InputElement, EdgeId)>,
    /// Covered edges for which a root search was begun, by path.
    flips: BoundedSet<(PathId, EdgeId)>,
    statistics: PredictionCounts,
}

impl Default for Predictor {
    fn default() -> Self {
        Self {
            predicted: BoundedQueue::new(WAITING),
            jobs: Vec::new(),
            context_targets: ContextTargets::default(),
            failures: FailedPredictions::default(),
            moved_elements: BoundedSet::default(),
            slopes: FxHashMap::default(),
            searched: BoundedSet::default(),
            flips: BoundedSet::default(),
            statistics: PredictionCounts::default(),
        }
    }
}

impl Predictor {
    /// Returns the results of predictions so far.
    pub(super) fn statistics(&self) -> &PredictionCounts {
        &self.statistics
    }

    /// Returns the context-sensitive targets.
    pub(super) fn context_targets(&mut self) -> &mut ContextTargets {
        &mut self.context_targets
    }

    /// Returns the jobs in progress, the innermost first.
    pub(super) fn jobs_mut(&mut self) -> impl Iterator<Item = &mut Job> {
        self.jobs.iter_mut().rev()
    }

    /// Begins a job nested in those in progress, unless there are too many.
    pub(super) fn begin_job(&mut self, job: Job) {
        if self.may_begin_job() {
            self.jobs.push(job);
        }
    }

    /// Tells whether another nested job may begin.
    pub(super) fn may_begin_job(&self) -> bool {
        self.jobs.len() < NESTING
    }

    /// Makes a candidate with a predicted value, or one that is needed for a prediction.
    pub(super) fn prediction(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if let Some(candidate) = self.predicted.pop() {
            return Some(candidate);
        }
        for _ in 0..ATTEMPTS {
            let mut job = match self.jobs.pop() {
                Some(job) => job,
                None => self.pick_for_prediction(state)?,
            };
            let candidate = self.predict_on(state, &mut job);
            let has_more = !job.probes.is_empty() || job.energy > 0;
            if has_more && (candidate.is_some() || job.base.is_some()) {
                self.jobs.push(job);
            }
            if candidate.is_some() {
                return candidate;
            }
        }
        None
    }

    /// Makes such a candidate only while there is a prediction to try, a job in progress, or a goal that this
    /// technique has not worked on yet.
    pub(super) fn pending_prediction(&mut self, state: &mut SearchState) -> Option<Candidate> {
        let has_new =
            state.frontier.has_new(GoalConsumer::Prediction) && state.features.has(Feature::Adaptive);
        (has_new || !self.predicted.is_empty() || !self.jobs.is_empty())
            .then(|| self.prediction(state))
            .flatten()
    }

    fn pick_for_prediction(&mut self, state: &mut SearchState) -> Option<Job> {
        if state.features.has(Feature::Adaptive)
            && (state.frontier.has_new(GoalConsumer::Prediction) || state.rng.percent(ADAPTIVE))
            && let Some(job) = state.pick_goal(GoalConsumer::Prediction, FAR_MOVES)
        {
            return Some(job);
        }
        if state.features.has(Feature::ContextTargets)
            && state.rng.percent(CONTEXT_TARGETS)
            && let Some(base) = self.context_targets.pick(&mut state.rng)
        {
            let probes = first_probes(&base);
            return Some(Job::of_base(base, None, FAR_MOVES, probes));
        }
        let job = state.corpus.pick(&mut state.rng)?;
        let job = Job { energy: FAR_MOVES, trims: 0, ..job };
        Some(match job.base.clone() {
            Some(base) => {
                let probes = 0..base.elements.len();
                Job { measured: true, probes, ..job }
            }
            None => job,
        })
    }

    fn predict_on(&mut self, state: &mut SearchState, job: &mut Job) -> Option<Candidate> {
        let Some(base) = job.base.clone() else { return job.measure(Technique::Prediction) };
        if let Some(element) = self.next_to_move(state, job, &base) {
            return state.unit_step(&base, element);
        }
        job.spend().then(|| self.far_move(state, &base)).flatten()
    }

    /// Returns the next element of a job that is worth moving and was not moved yet.
    fn next_to_move(
        &mut self,
        state: &mut SearchState,
        job: &mut Job,
        base: &TracedRun,
    ) -> Option<InputElement> {
        let goal = job.goal;
        job.probes.by_ref().map(|index| base.elements[index]).find(|element| {
            (self.context_targets.is_at_work(base) || self.is_worth_moving(state, base, *element, goal))
                && self.moved_elements.is_new((base.id, *element))
        })
    }

    fn is_worth_moving(
        &self,
        state: &SearchState,
        base: &TracedRun,
        element: InputElement,
        goal: Option<EdgeId>,
    ) -> bool {
        let edge = goal.unwrap_or_default();
        self.failures.is_due(base, element, edge, base.branch_of(edge), state.sequences)
    }

    /// Moves a random element to a random value.
    fn far_move(&mut self, state: &mut SearchState, base: &Arc<TracedRun>) -> Option<Candidate> {
        let is_sender = |element: &&InputElement| element.part == input::InputPart::Sender;
        let numbers: Vec<&InputElement> =
            base.elements.iter().filter(|element| !is_sender(element)).collect();
        // The sender seldom matters. If it does, it is usually compared with an account.
        let element = match state.rng.pick(&numbers) {
            Some(element) if state.rng.below(SENDERS) > 0 => **element,
            _ if state.rng.below(SENDERS) == 0 => *base.elements.iter().find(is_sender)?,
            _ => return None,
        };
        let tx = &base.seed.calls[element.step];
        let domain = input::domain(tx, element.part, &state.generator)?;
        let value = match element.part {
            input::InputPart::Sender => int(state.generator.sender(&mut state.rng).into_word().into(), false),
            input::InputPart::Value => int(state.generator.amount(&mut state.rng), false),
            input::InputPart::Warp => int(state.generator.warp(&mut state.rng), false),
            input::InputPart::Roll => int(state.generator.roll(&mut state.rng), false),
            _ => {
                let ty =
                    if domain.signed { DynSolType::Int(domain.bits) } else { DynSolType::Uint(domain.bits) };
                let fresh = value::value(&ty, &state.generator, &mut state.rng);
                match fresh {
                    alloy_dyn_abi::DynSolValue::Int(value, _) => int(value.into_raw(), true),
                    alloy_dyn_abi::DynSolValue::Uint(value, _) => int(value, false),
                    _ => return None,
                }
            }
        };
        state.moved(base, element, value, Move::Far)
    }
}
