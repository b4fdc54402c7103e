//! Metrics of a campaign, counted as Forge does.

use super::reverts::Reverts;
use crate::{
    evm::exec::test_env::TestEnv,
    model::{CallMetrics, FunctionStats, Observation, Outcome, Sequence},
};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Maximum number of paths that are distinguished, since each one takes memory.
const MOST_PATHS: usize = 1 << 20;

/// Metrics of a campaign so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Metrics {
    /// Number of calls that were not discarded.
    pub(super) calls: u64,
    pub(super) reverts: u64,
    pub(super) discards: u64,
    /// Number of calls since the last new path.
    pub(super) stale: u64,
    /// Number of discards since the last full run of `depth` calls. Forge counts them per run.
    pub(super) rejects: u32,
    run_calls: u32,
    paths: FxHashSet<u64>,
    /// Properties that were evaluated, each with true if it has read more than one state.
    evaluated: BTreeMap<usize, bool>,
    /// Metrics by identifier of the contract and name of the function.
    called: BTreeMap<String, BTreeMap<String, FunctionMetrics>>,
}

/// Metrics of one function.
#[derive(Clone, Debug, Default)]
struct FunctionMetrics {
    metrics: CallMetrics,
    reverts: Reverts,
}

impl Metrics {
    /// Returns the number of distinct paths.
    pub(super) fn paths(&self) -> u64 {
        self.paths.len() as u64
    }

    /// Records a path. Returns true if it is new; the answer is always false once the maximum number is
    /// reached.
    fn note_path(&mut self, path: u64) -> bool {
        self.paths.len() < MOST_PATHS && self.paths.insert(path)
    }

    /// Returns the number of completed runs of `depth` calls.
    pub(super) fn runs(&self, depth: u32) -> u64 {
        self.calls / u64::from(depth.max(1))
    }

    /// Returns the metrics by `path:Name.function`, the key that Forge uses.
    pub(super) fn metrics(&self) -> BTreeMap<String, CallMetrics> {
        self.all_called().map(|(name, called)| (name, called.metrics)).collect()
    }

    /// Returns the metrics of each function with the reasons of its reverts. Functions that were not called are among
    /// them.
    pub(super) fn functions(&self, test_env: &TestEnv) -> Vec<FunctionStats> {
        let stats = |(name, called): (String, &FunctionMetrics)| {
            let reasons = called.reverts.reasons(&|data, halt| test_env.revert_reason(data, halt));
            FunctionStats { name, metrics: called.metrics, reasons }
        };
        let mut functions: BTreeMap<String, FunctionStats> =
            self.all_called().map(stats).map(|function| (function.name.clone(), function)).collect();
        for target in &test_env.targets.targets {
            for function in &target.functions {
                let name = format!("{}.{}", target.identifier, function.name);
                functions.entry(name.clone()).or_insert(FunctionStats { name, ..FunctionStats::default() });
            }
        }
        functions.into_values().collect()
    }

    fn all_called(&self) -> impl Iterator<Item = (String, &FunctionMetrics)> {
        self.called.iter().flat_map(|(contract, functions)| {
            functions.iter().map(move |(name, called)| (format!("{contract}.{name}"), called))
        })
    }

    fn called(&mut self, contract: &str, function: &str) -> &mut FunctionMetrics {
        // Names are copied only when they occur for the first time.
        if !self.called.get(contract).is_some_and(|functions| functions.contains_key(function)) {
            let functions = self.called.entry(contract.to_owned()).or_default();
            functions.insert(function.to_owned(), FunctionMetrics::default());
        }
        self.called.get_mut(contract).and_then(|functions| functions.get_mut(function)).expect("just made")
    }

    /// Returns the properties, as indices, that were evaluated and always read the same state.
    pub(super) fn vacuous(&self) -> impl Iterator<Item = usize> {
        self.evaluated.iter().filter(|(_, changed)| !**changed).map(|(property, _)| *property)
    }

    fn note_evaluation(&mut self, property: usize, changed: bool) {
        *self.evaluated.entry(property).or_default() |= changed;
    }

    /// Adds the metrics of another worker. Its calls count as later than all calls so far.
    pub(super) fn absorb(&mut self, other: Self) {
        self.calls += other.calls;
        self.reverts += other.reverts;
        self.discards += other.discards;
        let mut is_new = false;
        other.paths.into_iter().for_each(|path| is_new |= self.note_path(path));
        self.stale = if is_new { 0 } else { self.stale + other.calls + other.discards };
        other.evaluated.into_iter().for_each(|(property, changed)| self.note_evaluation(property, changed));
        for (contract, functions) in other.called {
            for (function, more) in functions {
                let called = self.called(&contract, &function);
                called.metrics.calls += more.metrics.calls;
                called.metrics.reverts += more.metrics.reverts;
                called.metrics.discards += more.metrics.discards;
                called.reverts.absorb(more.reverts);
            }
        }
    }

    /// Returns the metrics and resets them, except those of the run in progress.
    pub(super) fn take(&mut self) -> Self {
        let rest = Self { rejects: self.rejects, run_calls: self.run_calls, ..Self::default() };
        std::mem::replace(self, rest)
    }

    /// Counts one execution of `sequence`.
    pub(super) fn add(
        &mut self,
        test_env: &TestEnv,
        sequence: &Sequence,
        observation: &Observation,
        depth: u32,
    ) {
        for run in &observation.properties {
            self.note_evaluation(run.property, run.changed);
        }
        for (tx, step) in sequence.iter().zip(&observation.steps) {
            if self.note_path(step.path) {
                self.stale = 0;
            }
            let view = tx.is_only_ours();
            self.count(step.outcome, view, depth);
            let Some(function) = tx.input.function().filter(|_| !view) else { continue };
            let created = || observation.created.iter().find(|created| created.address == tx.target);
            let identifier = test_env.identifier(tx.target).or_else(|| created().map(|c| &*c.identifier));
            let Some(identifier) = identifier else { continue };
            let called = self.called(identifier, &function.name);
            match step.outcome {
                Outcome::Discard => called.metrics.discards += 1,
                outcome => {
                    called.metrics.calls += 1;
                    called.metrics.reverts += u64::from(outcome == Outcome::Revert);
                }
            }
            if step.outcome == Outcome::Revert {
                called.reverts.add(&step.output, step.exhausted.is_some());
            }
        }
    }

    /// Counts the calls of a run on tampered storage. They use up the budget, but test nothing.
    pub(super) fn add_aggressive(&mut self, observation: &Observation) {
        self.calls += observation.steps.len() as u64;
    }

    fn count(&mut self, outcome: Outcome, view: bool, depth: u32) {
        self.stale += 1;
        if outcome == Outcome::Discard {
            self.discards += 1;
            self.rejects += 1;
            return;
        }
        self.calls += 1;
        self.reverts += u64::from(outcome == Outcome::Revert && !view);
        self.run_calls += 1;
        if self.run_calls >= depth {
            self.run_calls = 0;
            self.rejects = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(calls: u64, stale: u64, paths: &[u64], function: &str) -> Metrics {
        let mut metrics =
            Metrics { calls, stale, paths: paths.iter().copied().collect(), ..Metrics::default() };
        metrics.called("Vault", function).metrics.calls = calls;
        metrics
    }

    #[test]
    fn what_workers_counted_adds_up() {
        let mut all = metrics(10, 4, &[1, 2], "deposit");
        all.absorb(metrics(7, 7, &[2], "deposit"));
        assert_eq!((all.calls, all.stale, all.paths()), (17, 11, 2));
        all.absorb(metrics(5, 1, &[3], "withdraw"));
        assert_eq!((all.calls, all.stale, all.paths()), (22, 0, 3));
        let calls: Vec<_> = all.metrics().into_iter().map(|(name, metrics)| (name, metrics.calls)).collect();
        assert_eq!(calls, [("Vault.deposit".to_owned(), 17), ("Vault.withdraw".to_owned(), 5)]);
    }

    #[test]
    fn a_run_that_has_begun_goes_on_after_it_was_reported() {
        let mut metrics = Metrics::default();
        metrics.count(Outcome::Discard, false, 3);
        metrics.count(Outcome::Success, false, 3);
        assert_eq!(metrics.take().rejects, 1);
        assert_eq!((metrics.calls, metrics.rejects), (0, 1));
        metrics.count(Outcome::Success, false, 3);
        metrics.count(Outcome::Success, false, 3);
        assert_eq!(metrics.rejects, 0, "a run's worth of calls was made");
    }
}
