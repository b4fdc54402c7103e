//! Strategies of the search: ours, and those that it is compared with. Each is a file and a line in [`create`].
//!
//! The others are the techniques of Akca, Peng and Rajan ("Testing Smart Contracts: Which Technique Performs Best?",
//! ESEM 2021), which the comments call the study.

mod adaptive;
mod blackbox;
mod genetic;
mod harvey;
mod smt;

use super::{Techniques, candidate::Candidate, learn::Learner, search_state::SearchState, shares::Shares};
use crate::{config::Strategy, model::Observation};

/// Everything that a strategy works with.
pub(super) struct SearchContext<'a> {
    pub(super) state: &'a mut SearchState,
    pub(super) techniques: &'a mut Techniques,
    pub(super) shares: &'a mut Shares,
    pub(super) learner: &'a Learner,
    /// Part of the budget that is used up, in thousandths.
    pub(super) used: u32,
}

/// Choice of the next candidate.
pub(super) trait SearchStrategy {
    /// Makes the next candidate; `None` if there is nothing to build on yet.
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate>;

    /// Learns from a run what only this strategy uses.
    fn learn(&mut self, _: &Candidate, _: &Observation) {}
}

/// Creates a strategy.
pub(super) fn create(strategy: Strategy) -> Box<dyn SearchStrategy> {
    match strategy {
        Strategy::Harvey => Box::new(harvey::Harvey),
        Strategy::Blackbox => Box::new(blackbox::Blackbox),
        Strategy::Genetic => Box::<genetic::Genetic>::default(),
        Strategy::Adaptive => Box::<adaptive::Adaptive>::default(),
        Strategy::Smt => Box::<smt::Smt>::default(),
    }
}

#[cfg(test)]
mod tests;
