//! Turns what the search found into a counterexample that holds on its own: cleaned of calls that
//! changed nothing, shrunk, and replayed from a fresh deployment.

use super::CancellationToken;
use crate::{
    engine::shrink::{ShrinkHints, shrink},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        AssertionFailure, Counterexample, Executor, Exhausted, Observation, Outcome, Probing, Sequence,
        SequenceCall, Trace, TraceKind, executor::Checks,
    },
    oracle::{self, Detectors},
};
use alloy_primitives::U256;
use std::sync::Arc;

/// What attempts at shrinking may cost together in which a call used all of its gas or time, and what each costs: it takes as
/// long as thousands of others.
const MOST_EXHAUSTED: u32 = 32;
const OUT_OF_GAS: u32 = 2;
const OUT_OF_TIME: u32 = 16;

/// What must still be true of a sequence for it to show the same failure.
#[derive(Clone, Debug)]
pub(super) enum FailurePredicate {
    /// The property is broken after the last call.
    Broken {
        /// Index into the stage's properties.
        property: usize,
        /// Whether a revert is what breaks it (`fail_on_revert`).
        by_revert: bool,
        /// Whether `afterInvariant` is what breaks it.
        after_invariant: bool,
    },
    /// The last call shows the finding with this key.
    Finding(oracle::Key),
    /// The property returns at least this value after the last call.
    Value(usize, alloy_primitives::I256),
}

/// A counterexample that was confirmed from a fresh deployment, unless the run ended.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub(super) sequence: Sequence,
    pub(super) counterexample: Counterexample,
    pub(super) reason: String,
    /// The failing assertion, for an assertion claim.
    pub(super) assertion: Option<AssertionFailure>,
    /// Whether its last call reverts.
    pub(super) reverts: bool,
    pub(super) traces: Vec<(TraceKind, Trace)>,
    pub(super) logs: Vec<String>,
    /// False where the end of the run came before the replay.
    pub(super) is_replayed: bool,
}

/// Judges on its own executor, so that the search's is left alone.
pub(super) struct Confirmer<'a> {
    /// The oracles of the campaign.
    pub(super) detectors: Detectors,
    /// Ends shrinking early, with the best so far.
    pub(super) cancellation: CancellationToken,
    /// Deploys the suite again.
    pub(super) redeploy: &'a dyn Fn() -> Option<Arc<TestEnv>>,
    /// Most executions for one shrink.
    pub(super) shrink_limit: u32,
    /// Longest sequence that Forge replays.
    pub(super) depth: u32,
    /// Top-level transactions run for all of this.
    pub(super) executions: u64,
}

impl Confirmer<'_> {
    /// Confirms and shrinks; `None` when the failure does not show again, or cannot within `depth` calls.
    pub(super) fn confirm(
        &mut self,
        test_env: &Arc<TestEnv>,
        found: &Sequence,
        observed: &Observation,
        predicate: &FailurePredicate,
    ) -> Option<Confirmed> {
        let mut executor = EvmExecutor::new(test_env.clone());
        let mut exhausted = 0;
        let mut holds = |sequence: &Sequence| {
            if exhausted >= MOST_EXHAUSTED {
                return None;
            }
            let observation = executor.run(sequence, &predicate.checks(), &Probing::default());
            exhausted += match observation.exhausted {
                Some(Exhausted::Gas) => OUT_OF_GAS,
                Some(Exhausted::Time | Exhausted::Memory) => OUT_OF_TIME,
                None => 0,
            };
            Some(predicate.holds(&self.detectors, sequence, &observation))
        };
        let shrunk = self.shrink(test_env, found, observed, predicate, &mut holds);
        self.executions += executor.executions();
        // A persisted assertion may be from under a larger depth; it fails all the same.
        let depth =
            if matches!(predicate, FailurePredicate::Finding(_)) { usize::MAX } else { self.depth as usize };
        let shrunk = shrunk.filter(|shrunk| shrunk.len() <= depth);
        let replayed = shrunk.and_then(|shrunk| self.replay(&(self.redeploy)()?, &shrunk, predicate));
        match replayed {
            Some(mut confirmed) => {
                confirmed.counterexample.original_len = observed.steps.len();
                Some(confirmed)
            }
            // Replays are ended with the run: that one did not end says nothing.
            None if self.cancellation.is_overdue() => self.as_found(test_env, found, observed, predicate),
            None => None,
        }
    }

    /// The shortest and simplest sequence for which `holds` is true, as far as it says so; `None` if it is not for the one found.
    fn shrink(
        &self,
        test_env: &TestEnv,
        found: &Sequence,
        observed: &Observation,
        predicate: &FailurePredicate,
        holds: &mut dyn FnMut(&Sequence) -> Option<bool>,
    ) -> Option<Sequence> {
        let cleaned = clean(found, observed, predicate.ends_in_revert());
        let start = if holds(&cleaned) == Some(true) {
            cleaned
        } else if holds(found) == Some(true) {
            found.clone()
        } else {
            return None;
        };
        let hints = ShrinkHints { senders: test_env.targets.senders.clone() };
        let mut still_holds =
            |sequence: &Sequence| if self.cancellation.is_requested() { None } else { holds(sequence) };
        Some(shrink(start, &hints, self.shrink_limit, &mut still_holds))
    }

    /// The failure as the search saw it, without a replay.
    fn as_found(
        &self,
        test_env: &Arc<TestEnv>,
        found: &Sequence,
        observed: &Observation,
        predicate: &FailurePredicate,
    ) -> Option<Confirmed> {
        predicate
            .holds(&self.detectors, found, observed)
            .then(|| Confirmed { is_replayed: false, ..self.confirmed(test_env, found, observed, predicate) })
    }

    /// Replays on `test_env` with everything recorded.
    pub(super) fn replay(
        &mut self,
        test_env: &Arc<TestEnv>,
        sequence: &Sequence,
        predicate: &FailurePredicate,
    ) -> Option<Confirmed> {
        let mut executor = EvmExecutor::new(test_env.clone());
        let replay = executor.replay(sequence, &predicate.checks());
        self.executions += executor.executions();
        if !predicate.holds(&self.detectors, sequence, &replay.observation) {
            return None;
        }
        let traces =
            replay.traces.into_iter().map(|trace| (TraceKind::Execution, test_env.decode(trace))).collect();
        let logs = replay.logs;
        Some(Confirmed { traces, logs, ..self.confirmed(test_env, sequence, &replay.observation, predicate) })
    }

    /// The failure as an execution shows it.
    fn confirmed(
        &self,
        test_env: &TestEnv,
        sequence: &Sequence,
        observation: &Observation,
        predicate: &FailurePredicate,
    ) -> Confirmed {
        let assertion = match predicate {
            FailurePredicate::Finding(key) => self.detectors.shows(key, sequence, &observation.steps),
            _ => None,
        };
        let reason = match (&assertion, predicate) {
            (Some(assertion), _) => assertion.reason.clone(),
            (None, FailurePredicate::Broken { property, .. }) => {
                let broken = observation.broken.iter().find(|broken| broken.property == *property);
                broken.map(|broken| broken.reason.clone()).unwrap_or_default()
            }
            (None, _) => String::new(),
        };
        Confirmed {
            counterexample: counterexample(test_env, sequence, observation),
            sequence: sequence.clone(),
            reason,
            assertion,
            reverts: observation.steps.last().is_some_and(|step| step.outcome == Outcome::Revert),
            traces: Vec::new(),
            logs: Vec::new(),
            is_replayed: true,
        }
    }
}

impl FailurePredicate {
    /// Whether the last call may be one that reverts, and must be kept all the same.
    fn ends_in_revert(&self) -> bool {
        matches!(self, Self::Finding(_) | Self::Broken { by_revert: true, .. })
    }

    pub(super) fn checks(&self) -> Checks {
        let (properties, fail_on_revert, after) = match self {
            Self::Broken { property, by_revert, after_invariant } => {
                (vec![*property], *by_revert, *after_invariant)
            }
            Self::Value(property, _) => (vec![*property], false, false),
            Self::Finding(_) => (Vec::new(), false, false),
        };
        Checks { fail_on_revert, after_invariant: after, ..Checks::at_the_end(properties) }
    }

    /// Whether an execution shows the failure and obeys Forge's replay rules: no call before the last
    /// one fails an assertion, and a run that a revert ends, ends with its last call.
    pub(super) fn holds(
        &self,
        detectors: &Detectors,
        sequence: &Sequence,
        observation: &Observation,
    ) -> bool {
        if observation.steps.len() != sequence.len() {
            return false;
        }
        let (last, before) = match observation.steps.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        if before.iter().any(|step| step.assertion.is_some()) {
            return false;
        }
        match self {
            Self::Broken { property, by_revert, after_invariant } => {
                let reverted = last.is_some_and(|step| step.outcome == Outcome::Revert);
                let asserted = last.is_some_and(|step| step.assertion.is_some());
                let broken = |broken: &crate::model::Broken| {
                    broken.property == *property && broken.after_invariant == *after_invariant
                };
                // Behind a plain revert Forge evaluates the property all the same when it replays.
                let ends_well = if *by_revert { reverted } else { !asserted };
                ends_well && observation.broken.iter().any(broken)
            }
            Self::Finding(key) => {
                let Some(tx) = sequence.last() else { return false };
                let function = tx.input.function().map_or("", |function| function.signature());
                function == key.function && detectors.shows(key, sequence, &observation.steps).is_some()
            }
            Self::Value(property, value) => {
                observation.best.iter().any(|best| best.0 == *property && best.1 >= *value)
            }
        }
    }
}

/// Drops calls that left nothing behind, and hands their time to the next call.
fn clean(sequence: &Sequence, observation: &Observation, ends_in_revert: bool) -> Sequence {
    let (mut warp, mut roll) = (U256::ZERO, U256::ZERO);
    let mut cleaned = Sequence::new();
    let last = observation.steps.len().saturating_sub(1);
    for (index, (tx, step)) in sequence.iter().zip(&observation.steps).enumerate() {
        let failing_end = ends_in_revert && index == last && step.outcome == Outcome::Revert;
        if step.outcome == Outcome::Discard || (tx.is_only_ours() && !failing_end) {
            // Neither leaves anything behind, not even its time.
            continue;
        }
        warp = warp.saturating_add(tx.warp);
        roll = roll.saturating_add(tx.roll);
        if failing_end || step.outcome == Outcome::Success {
            let mut tx = tx.clone();
            (tx.warp, tx.roll) = (std::mem::take(&mut warp), std::mem::take(&mut roll));
            cleaned.push(tx);
        }
    }
    cleaned
}

fn counterexample(test_env: &TestEnv, sequence: &Sequence, observation: &Observation) -> Counterexample {
    let identifier = |target| {
        let created = observation.created.iter().find(|created| created.address == target);
        test_env.identifier(target).or_else(|| created.map(|created| &*created.identifier)).map(str::to_owned)
    };
    let mut calls: Vec<_> =
        sequence.iter().map(|tx| SequenceCall::new(tx.clone(), identifier(tx.target))).collect();
    for (call, step) in calls.iter_mut().zip(&observation.steps) {
        let reentered = step.taint.as_ref().and_then(|taint| taint.reentered.as_ref());
        call.called_back_by = reentered.map(|reentered| reentered.by);
    }
    Counterexample { original_len: sequence.len(), calls }
}
