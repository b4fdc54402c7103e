//! The largest values that optimizations returned.

use super::{super::confirmer::FailurePredicate, Campaign};
use crate::model::{Observation, Sequence, TestKind, TestReport};
use alloy_primitives::I256;
use rustc_hash::FxHashMap;

/// The best value of an optimization, and what it took.
struct BestValue {
    value: I256,
    sequence: Sequence,
    observation: Observation,
}

/// Optimizations by their indices into the stage's properties.
#[derive(Default)]
pub(super) struct Optima {
    best: FxHashMap<usize, BestValue>,
    /// Values on the state after `setUp`: as in Forge they count only where no call gives a value.
    at_start: FxHashMap<usize, I256>,
}

impl Optima {
    /// Notes the value on the state after `setUp`.
    pub(super) fn start_with(&mut self, index: usize, value: I256) {
        self.at_start.insert(index, value);
    }

    /// Whether an execution gives a larger value than any before.
    pub(super) fn is_better(&self, observation: &Observation) -> bool {
        observation.best.iter().any(|(index, value, _)| self.improves(*index, *value))
    }

    fn improves(&self, index: usize, value: I256) -> bool {
        self.best.get(&index).is_none_or(|known| known.value < value)
    }

    /// Keeps what gives larger values.
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

impl Campaign<'_> {
    /// Adds the best value of a property to its report; says whether calls led to it.
    pub(super) fn add_optimum(&mut self, index: usize, report: &mut TestReport) -> bool {
        let best = self.optima.best.remove(&index);
        let value =
            best.as_ref().map(|best| best.value).or_else(|| self.optima.at_start.get(&index).copied());
        if let TestKind::Invariant { best: shown, .. } = &mut report.kind {
            *shown = value;
        }
        let Some(best) = best else { return false };
        let predicate = FailurePredicate::Value(index, best.value);
        if let Some(confirmed) =
            self.confirmer.confirm(&self.test_env, &best.sequence, &best.observation, &predicate)
        {
            report.counterexample = Some(confirmed.counterexample);
            report.evidence.traces = confirmed.traces;
            report.evidence.logs = confirmed.logs;
        }
        true
    }
}
