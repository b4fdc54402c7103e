//! One epoch of a worker: it asks its engine for candidates, runs them, and lets the engine learn.
//!
//! All threads of a campaign run [`run_epoch`]. They differ in their reaction to a run: the first one
//! confirms failures at once, the others hand them over at the end of the epoch.

use super::external_solver::ExternalSolver;
use crate::{
    campaign::metrics::Metrics,
    engine::{Candidate, Engine, Learned},
    evm::exec::executor::EvmExecutor,
    model::{Executor as _, Observation, executor::Checks},
};
use cpu_time::ThreadTime;
use std::ops::ControlFlow;

/// Interval, in sequences, at which CPU time is measured.
const TIMED: u64 = 8;

/// Candidate that was run, and its observation.
pub(super) struct Execution {
    pub(super) candidate: Candidate,
    pub(super) observation: Observation,
}

impl Execution {
    /// Runs the next candidate of the engine. Returns `None` if there is nothing to call.
    pub(super) fn next(engine: &mut Engine, executor: &mut EvmExecutor, checks: &mut Checks) -> Option<Self> {
        // Measuring the time is slow.
        let start = engine.runs_learned().is_multiple_of(TIMED).then(ThreadTime::now);
        let candidate = engine.ask();
        if candidate.sequence().is_empty() {
            return None;
        }
        let ran = Self::of(candidate, executor, checks);
        if let Some(start) = start {
            engine.note_cpu(&ran.candidate, start.elapsed() * TIMED as u32);
        }
        Some(ran)
    }

    /// Runs a candidate.
    pub(super) fn of(candidate: Candidate, executor: &mut EvmExecutor, checks: &mut Checks) -> Self {
        checks.from = candidate.from();
        let observation = executor.run(candidate.sequence(), checks, candidate.probing());
        Self { candidate, observation }
    }

    /// Returns the number of calls for which it counts, which is at least one.
    pub(super) fn calls(&self) -> u64 {
        self.observation.steps.len().max(1) as u64
    }

    /// Lets an engine learn from a candidate that another engine made.
    pub(super) fn tell(&self, engine: &mut Engine) {
        engine.tell(&self.candidate.shared(), &self.observation);
    }
}

/// Reaction of a thread to the runs of its worker.
pub(super) trait EpochObserver {
    fn executor(&mut self) -> &mut EvmExecutor;

    fn metrics(&mut self) -> &mut Metrics;

    /// Returns true if the epoch ends before its calls are used up.
    fn is_over(&mut self) -> bool;

    fn solver(&mut self) -> &mut ExternalSolver;

    /// Puts conditions of the engine to the external solver while it has time left and the epoch goes on.
    fn ask_solver(&mut self, engine: &mut Engine) {
        while !self.is_over() && self.solver().ask(engine) {}
    }

    /// Reacts to a run before the engine learns from it. `Break` ends the search. `Continue` contains true if
    /// the run showed a new failure.
    fn before_learning(&mut self, run: &Execution, checks: &mut Checks) -> ControlFlow<(), bool>;

    /// Reacts to a run after the engine learned from it.
    fn after_learning(&mut self, run: Execution, learned: Learned, engine: &mut Engine);
}

/// Runs `calls` calls; returns false if there is no reason to go on.
pub(super) fn run_epoch(
    engine: &mut Engine,
    observer: &mut impl EpochObserver,
    calls: u64,
    checks: &mut Checks,
) -> bool {
    let mut made = 0;
    while made < calls && !observer.is_over() {
        let Some(run) = Execution::next(engine, observer.executor(), checks) else { return false };
        made += run.calls();
        if run.candidate.is_aggressive() {
            // Failures of a run on tampered storage are not findings.
            observer.metrics().add_aggressive(&run.observation);
            engine.tell(&run.candidate, &run.observation);
            continue;
        }
        if run.candidate.is_repetition() {
            // It repeats an earlier run, so that a fuzz test gets all its runs besides.
            engine.tell(&run.candidate, &run.observation);
            observer.ask_solver(engine);
            continue;
        }
        match observer.before_learning(&run, checks) {
            ControlFlow::Break(()) => return false,
            ControlFlow::Continue(true) => engine.credit(&run.candidate),
            ControlFlow::Continue(false) => {}
        }
        let learned = engine.tell(&run.candidate, &run.observation);
        observer.after_learning(run, learned, engine);
    }
    true
}
