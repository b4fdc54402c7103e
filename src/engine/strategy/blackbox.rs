//! Blackbox fuzzing: random sequences that depend on nothing that earlier ones showed.

use super::{SearchContext, SearchStrategy};
use crate::engine::candidate::Candidate;

pub(super) struct Blackbox;

impl SearchStrategy for Blackbox {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        search.techniques.random.random(search.state)
    }
}
