//! Blackbox fuzzing (the study, section 3.1.1): random sequences. Of what earlier ones showed, only the functions that
//! always revert make a difference: they are called less often.

use super::{SearchContext, SearchStrategy};
use crate::engine::candidate::Candidate;

pub(super) struct Blackbox;

impl SearchStrategy for Blackbox {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        search.techniques.random.random(search.state)
    }
}
