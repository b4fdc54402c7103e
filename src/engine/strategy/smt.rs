//! Random sequences for half of the budget, and then inputs that meet the conditions of missed branches: the study's
//! coverage-guided fuzzing with an SMT solver (section 3.1.3).
//!
//! The sequences that covered a branch for the first time are run once more to find the branches that they just missed.
//! Our own procedures come first, then the external solver ([`super::super::branch_solver`]).

use super::{SearchContext, SearchStrategy};
use crate::engine::{
    candidate::{Candidate, Intent},
    technique::Technique,
    tuning::strategy_smt::RANDOM,
};

#[derive(Default)]
pub(super) struct Smt {
    /// Number of sequences that covered a branch for the first time and were run once more.
    measured: usize,
}

impl SearchStrategy for Smt {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        let SearchContext { state, techniques, learner, used, .. } = search;
        if *used >= RANDOM {
            if let Some(candidate) = techniques.branch_solver.pending_solution() {
                return Some(candidate);
            }
            if let Some(seed) = learner.first_coverers().get(self.measured) {
                self.measured += 1;
                let candidate = Candidate::new(seed.calls.clone(), Technique::Solver, "measure");
                return Some(candidate.traced(seed.calls.len() - 1, Intent::Missed));
            }
            if let Some(candidate) = techniques.branch_solver.solve(state) {
                return Some(candidate);
            }
        }
        techniques.random.random(state)
    }
}
