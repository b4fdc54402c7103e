//! Confirmation of failures that the search found. The sequence is freed of calls without effect, shrunk, and
//! replayed from a fresh deployment. The result is a counterexample that does not depend on the search.

use super::CancellationToken;
use crate::{
    engine::shrink::{ShrinkHints, shrink},
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        AssertionFailure, Counterexample, Evidence, Executor, Exhausted, Observation, Outcome, Probing,
        Sequence, SequenceCall, TraceKind, executor::Checks,
    },
    oracle::{self, Detectors},
};
use alloy_primitives::U256;
use std::sync::Arc;

/// Maximum cost of attempts at shrinking in which a call exhausts its gas, its time or the memory, and the
/// cost of one such attempt. An attempt takes as long as thousands of others.
const MOST_EXHAUSTED: u32 = 32;
const OUT_OF_GAS: u32 = 2;
const OUT_OF_TIME: u32 = 16;

/// Condition under which a sequence still shows the same failure.
#[derive(Clone, Debug)]
pub(super) enum FailurePredicate {
    /// The property is broken after the last call.
    Broken {
        /// Index into the suite's properties.
        property: usize,
        /// True if a revert breaks it (`fail_on_revert`).
        by_revert: bool,
        /// True if `afterInvariant` breaks it.
        after_invariant: bool,
    },
    /// The last call shows the finding with this key.
    Finding(oracle::Key),
    /// The property returns at least this value after the last call.
    Value(usize, alloy_primitives::I256),
}

/// Counterexample that was replayed from a fresh deployment, unless the run ended before that or the state after
/// `setUp` is broken already.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub(super) sequence: Sequence,
    pub(super) counterexample: Counterexample,
    pub(super) reason: String,
    /// The failed assertion, if the predicate is a finding.
    pub(super) assertion: Option<AssertionFailure>,
    /// True if its last call reverts.
    pub(super) reverts: bool,
    /// Traces and logs of the replay, without labels.
    pub(super) evidence: Evidence,
    /// False if the run ended before the replay.
    pub(super) is_replayed: bool,
}

/// Confirms failures with executors of its own, so that the search's executor keeps its state.
pub(super) struct Confirmer<'a> {
    /// The oracles of the campaign.
    pub(super) detectors: Detectors,
    /// Token that ends shrinking early, with the simplest sequence so far.
    pub(super) cancellation: CancellationToken,
    /// Function that deploys the suite again.
    pub(super) redeploy: &'a dyn Fn() -> Option<Arc<TestEnv>>,
    /// Maximum number of executions to shrink one counterexample.
    pub(super) shrink_limit: u32,
    /// Maximum number of calls of a sequence that Forge replays.
    pub(super) depth: u32,
    /// Number of top-level transactions that the confirmer has run.
    pub(super) executions: u64,
}

impl Confirmer<'_> {
    /// Confirms and shrinks a failure. Returns `None` if the failure does not occur again, or takes more than
    /// `depth` calls.
    pub(super) fn confirm(
        &mut self,
        test_env: &Arc<TestEnv>,
        found: &Sequence,
        observed: &Observation,
        predicate: &FailurePredicate,
    ) -> Option<Confirmed> {
        let found = &found.iter().map(|call| test_env.resolved(call.clone())).collect();
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
        // A persisted assertion may come from a run with a larger depth. It is still a failure.
        let depth =
            if matches!(predicate, FailurePredicate::Finding(_)) { usize::MAX } else { self.depth as usize };
        let shrunk = shrunk.filter(|shrunk| shrunk.len() <= depth);
        let replayed = shrunk.and_then(|shrunk| self.replay(&(self.redeploy)()?, &shrunk, predicate));
        match replayed {
            Some(mut confirmed) => {
                confirmed.counterexample.original_len = observed.steps.len();
                Some(confirmed)
            }
            // The end of the run also ends replays. A missing result does not refute the failure then.
            None if self.cancellation.is_overdue() => self.as_found(test_env, found, observed, predicate),
            None => None,
        }
    }

    /// Returns the shortest and simplest sequence found for which `holds` returns true. Shrinking ends when
    /// `holds` returns `None`. Returns `None` if `holds` does not return true for `found`.
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

    /// Returns the failure as the search observed it, without a replay.
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

    /// Replays a sequence on `test_env` and records traces and logs. Returns `None` if the failure does not
    /// occur.
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
        let traces = replay.traces.into_iter();
        let traces = traces.map(|trace| (TraceKind::Execution, test_env.decode(trace))).collect();
        let mut confirmed = self.confirmed(test_env, sequence, &replay.observation, predicate);
        for (index, call) in confirmed.counterexample.calls.iter_mut().enumerate() {
            call.owns_value = !replay.overdrafts.contains(&index);
        }
        let (logs, failed_at) = (replay.logs, replay.failed_at);
        Some(Confirmed { evidence: Evidence { traces, logs, failed_at, ..Evidence::default() }, ..confirmed })
    }

    /// Returns the failure that an execution shows, without traces and logs.
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
            evidence: Evidence::default(),
            is_replayed: true,
        }
    }
}

impl FailurePredicate {
    /// Returns true if the last call may revert and must still be kept.
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

    /// Tells whether an execution shows the failure and satisfies Forge's replay rules: no call before the
    /// last one fails an assertion, and if a revert ends the run, it is in the last call.
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
                // In a replay, Forge evaluates the property even after a plain revert.
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

/// Removes calls without effect, and adds their delays to the next call.
fn clean(sequence: &Sequence, observation: &Observation, ends_in_revert: bool) -> Sequence {
    let (mut warp, mut roll) = (U256::ZERO, U256::ZERO);
    let mut cleaned = Sequence::new();
    let last = observation.steps.len().saturating_sub(1);
    for (index, (tx, step)) in sequence.iter().zip(&observation.steps).enumerate() {
        let failing_end = ends_in_revert && index == last && step.outcome == Outcome::Revert;
        if step.outcome == Outcome::Discard || (tx.is_only_ours() && !failing_end) {
            // Neither has any effect: even its delay is undone.
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
        let reentered = step.taint.as_ref().and_then(|taint| taint.proofs.reentered.as_ref());
        call.called_back_by = reentered.map(|reentered| reentered.by);
    }
    Counterexample { original_len: sequence.len(), calls }
}
