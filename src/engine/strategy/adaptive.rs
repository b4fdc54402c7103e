//! sFuzz alone (Nguyen et al., ICSE 2020, section 3): each generation is bred from the sequences that covered a new
//! branch, and the nearest one to each just-missed branch.

use super::{SearchContext, SearchStrategy};
use crate::engine::{
    candidate::{Candidate, Intent},
    mutation,
    seed::Seed,
    technique::Technique,
    tuning::strategy_adaptive::{ATTEMPTS, OFFSPRING},
};
use std::{collections::VecDeque, sync::Arc};

#[derive(Default)]
pub(super) struct Adaptive {
    /// Sequences of the initial population that have not run yet; `None` before the first one.
    initial: Option<VecDeque<Candidate>>,
    /// Seeds of the generation that are still to breed, each with the reason for its selection.
    seeds: VecDeque<(Arc<Seed>, &'static str)>,
    /// Number of mutants of the first seed that were made.
    made: u32,
}

impl SearchStrategy for Adaptive {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        let initial = self.initial.get_or_insert_with(|| population(search));
        if let Some(candidate) = initial.pop_front() {
            return Some(candidate);
        }
        let mut mutants = std::iter::repeat_with(|| self.mutant(search)).take(ATTEMPTS);
        mutants.find_map(|mutant| mutant.filter(|mutant| !mutant.sequence().is_empty()))
    }
}

impl Adaptive {
    /// Makes the next mutant of the generation; `None` if no operator can be applied.
    fn mutant(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        if self.made == OFFSPRING {
            self.seeds.pop_front();
            self.made = 0;
        }
        if self.seeds.is_empty() {
            self.seeds = select(search);
        }
        self.made += 1;
        let (seed, reason) = self.seeds.front()?;
        // The report tells the two reasons apart (sFuzz, figures 9 and 10).
        mutation::mutant(search.state, seed, true).map(|mutant| Candidate { origin: reason, ..mutant })
    }
}

/// Returns the initial population: a sequence for each function, with random arguments.
fn population(search: &mut SearchContext<'_>) -> VecDeque<Candidate> {
    let SearchContext { state, .. } = search;
    let callables = state.generator.functions.all();
    let calls = callables.map(|callable| state.generator.call_of(callable, &mut state.rng));
    calls
        .map(|call| Candidate::new(vec![call], Technique::Seeds, "random").traced(0, Intent::Explore))
        .collect()
}

/// Selects the seeds of a generation (algorithm 2).
fn select(search: &SearchContext<'_>) -> VecDeque<(Arc<Seed>, &'static str)> {
    let covering = search.learner.first_coverers().iter().map(|seed| (seed.clone(), "covering"));
    let nearest = search.state.frontier.goals().map(|goal| (goal.base.seed.clone(), "nearest"));
    covering.chain(nearest).collect()
}
