//! Questions of one engine to the external solver.

use crate::{
    campaign::smt::{SmtAnswer, SmtSolver},
    engine::Engine,
};
use cpu_time::ThreadTime;

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

    /// Puts conditions of the engine to the solver while it may take more time.
    pub(super) fn ask(&mut self, engine: &mut Engine) {
        let Some(solver) = &mut self.solver else { return };
        while engine.has_queries() && solver.may_ask(self.cpu.elapsed()) {
            let Some(query) = engine.query() else { return };
            match solver.solve(query.condition()) {
                SmtAnswer::Inputs(assignment) => engine.answer(&query, &assignment),
                SmtAnswer::Impossible => engine.refute(&query),
                SmtAnswer::Unknown => {}
            }
        }
    }
}
