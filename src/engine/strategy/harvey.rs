//! Our strategy: all techniques, with the budget divided by their yield ([`super::super::shares`]).

use super::{SearchContext, SearchStrategy};
use crate::engine::{candidate::Candidate, technique::Technique};

/// Techniques that may go ahead of the others, in this order.
const AHEAD: [Technique; 5] = [
    Technique::Reentry,
    Technique::Solver,
    Technique::Replacement,
    Technique::Prediction,
    Technique::DemandDriven,
];

pub(super) struct Harvey;

impl SearchStrategy for Harvey {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        if let Some(candidate) = search.techniques.initial.next_zero() {
            return Some(candidate);
        }
        if let Some(candidate) = ahead(search) {
            search.shares.begin_ahead(candidate.technique);
            return Some(candidate);
        }
        for technique in search.shares.turns() {
            let candidate = search.techniques.make(technique, search.state);
            if let Some(candidate) = candidate.filter(|candidate| !candidate.sequence.is_empty()) {
                search.shares.begin(technique);
                return Some(candidate);
            }
            search.shares.forfeit(technique);
        }
        None
    }
}

/// Makes a candidate from pending work of a technique before its turn, while the technique has used little of the
/// budget. A single prediction flips the branch of most new goals, and other techniques build on the code behind it.
fn ahead(search: &mut SearchContext<'_>) -> Option<Candidate> {
    AHEAD.into_iter().find_map(|technique| {
        let may = search.shares.may_go_ahead(technique);
        may.then(|| search.techniques.make_pending(technique, search.state)).flatten()
    })
}
