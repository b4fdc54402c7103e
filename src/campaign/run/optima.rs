//! Largest values that optimizations returned.

use super::{super::confirmer::FailurePredicate, Campaign};
use crate::model::{Observation, Sequence, TestKind, TestReport};
use alloy_primitives::I256;
use rustc_hash::FxHashMap;

/// Best value of an optimization, with the run that showed it.
struct BestValue {
    value: I256,
    sequence: Sequence,
    observation: Observation,
}

/// Best values of optimizations, by their indices into the suite's properties.
#[derive(Default)]
pub(super) struct Optima {
    best: FxHashMap<usize, BestValue>,
    /// Values in the state after `setUp`. As in Forge, they count only if no call leads to a value.
    at_start: FxHashMap<usize, I256>,
}

impl Optima {
    /// Records the value in the state after `setUp`.
    pub(super) fn start_with(&mut self, index: usize, value: I256) {
        self.at_start.insert(index, value);
    }

    /// Tells whether an execution shows a larger value than all executions before.
    pub(super) fn is_better(&self, observation: &Observation) -> bool {
        observation.best.iter().any(|(index, value, _)| self.improves(*index, *value))
    }

    fn improves(&self, index: usize, value: I256) -> bool {
        self.best.get(&index).is_none_or(|known| known.value < value)
    }

    /// Keeps the values of an execution that are larger than the best so far.
    pub(super) fn keep(&mut self, sequence: &Sequence, observation: &Observation) {
        for &(index, value, steps) in &observation.best {
            if self.improves(index, value) {
                let sequence = sequence[..steps].to_vec();
                let mut observation = observation.clone();
                observation.steps.truncate(steps);
                self.best.insert(index, BestValue { value, sequence, observation });
            }
        }
    }
}

/// Adds the best value of a property to its report. Returns true if calls led to it.
pub(super) fn add_optimum(campaign: &mut Campaign<'_>, index: usize, report: &mut TestReport) -> bool {
    let best = campaign.results.optima.best.remove(&index);
    let value = best
        .as_ref()
        .map(|best| best.value)
        .or_else(|| campaign.results.optima.at_start.get(&index).copied());
    if let TestKind::Invariant { best: shown, .. } = &mut report.kind {
        *shown = value;
    }
    let Some(best) = best else { return false };
    let predicate = FailurePredicate::Value(index, best.value);
    if let Some(confirmed) =
        campaign.confirmer.confirm(&campaign.test_env, &best.sequence, &best.observation, &predicate)
    {
        report.counterexample = Some(confirmed.counterexample);
        report.evidence.traces = confirmed.evidence.traces;
        report.evidence.logs = confirmed.evidence.logs;
    }
    true
}
