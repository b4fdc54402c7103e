//! Questions of one engine to the external solver.

use crate::{
    campaign::smt::{SmtAnswer, SmtSolver},
    engine::Engine,
};
use cpu_time::ThreadTime;
use std::time::Duration;

/// External solver of one worker, if there is one.
pub(super) struct ExternalSolver {
    solver: Option<SmtSolver>,
    /// CPU time of the worker's thread, which limits the time of the solver.
    cpu: ThreadTime,
}

impl ExternalSolver {
    pub(super) fn new(solver: Option<SmtSolver>) -> Self {
        Self { solver, cpu: ThreadTime::now() }
    }

    /// Puts the next condition of the engine to the solver. Returns false if there is none, or the solver may not take
    /// more time.
    pub(super) fn ask(&mut self, engine: &mut Engine) -> bool {
        let Some(solver) = &mut self.solver else { return false };
        if !engine.has_queries() || !solver.may_ask(self.cpu.elapsed()) {
            return false;
        }
        let Some(query) = engine.query() else { return false };
        match solver.solve(query.condition()) {
            SmtAnswer::Inputs(assignment) => engine.answer(&query, &assignment),
            SmtAnswer::Impossible => engine.refute(&query),
            SmtAnswer::Unknown => {}
        }
        true
    }

    /// Returns the time that the solver has taken.
    pub(super) fn spent(&self) -> Duration {
        self.solver.as_ref().map_or(Duration::ZERO, SmtSolver::spent)
    }
}
