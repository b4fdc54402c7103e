//! Strategies of the search: ours, and those that it is compared with. Each is a file, registered in [`STRATEGIES`].

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

/// Constructor of a strategy.
type Make = fn() -> Box<dyn SearchStrategy>;

/// All strategies.
const STRATEGIES: [(Strategy, Make); 5] = [
    (Strategy::Harvey, || Box::new(harvey::Harvey)),
    (Strategy::Blackbox, || Box::new(blackbox::Blackbox)),
    (Strategy::Genetic, || Box::<genetic::Genetic>::default()),
    (Strategy::Adaptive, || Box::<adaptive::Adaptive>::default()),
    (Strategy::Smt, || Box::<smt::Smt>::default()),
];

/// Creates a strategy.
pub(super) fn create(strategy: Strategy) -> Box<dyn SearchStrategy> {
    let known = STRATEGIES.iter().find(|(known, _)| *known == strategy);
    known.map_or_else(|| Box::new(harvey::Harvey) as Box<_>, |(_, make)| make())
}

#[cfg(test)]
mod tests;
