//! Initial inputs: all-zero calls, calls of unit tests, calls with strings of the sources, and short random sequences.

use super::{
    EngineInit,
    call_generator::CallGenerator,
    candidate::{Candidate, Intent},
    example, random,
    rng::Rng,
    search_state::SearchState,
    technique::Technique,
};
use crate::engine::tuning::initial::{LITERALS, MOST_LITERALS, WARM_UP};
use std::collections::VecDeque;

/// Initial inputs that have not run yet.
pub(super) struct InitialInputs {
    /// All-zero calls, one per function.
    zeros: VecDeque<Candidate>,
    /// Calls of unit tests, then calls with strings of the sources.
    seeds: VecDeque<Candidate>,
    /// Number of short random sequences left to make.
    warm_up: usize,
}

impl InitialInputs {
    /// Makes the inputs. Only the first worker gets calls of unit tests and strings of the sources.
    pub(super) fn new(init: &EngineInit, state: &mut SearchState) -> Self {
        let SearchState { generator, rng, .. } = state;
        let zeros: VecDeque<_> = generator
            .functions
            .all()
            .map(|callable| vec![generator.zero_call_of(callable, rng)])
            .map(|calls| Candidate::new(calls, Technique::Seeds, "zero").traced(0, Intent::Explore))
            .collect();
        let warm_up = WARM_UP * zeros.len();
        let mut seeds = VecDeque::new();
        if init.stream == 0 {
            let (runs, depth) = (init.invariant.runs as usize, init.invariant.depth as usize);
            seeds.extend(example::candidates(&init.examples, depth, generator, rng));
            seeds.extend(literal_calls((runs * depth / LITERALS).min(MOST_LITERALS), generator, rng));
        }
        Self { zeros, seeds, warm_up }
    }

    /// Removes and returns an all-zero call.
    pub(super) fn next_zero(&mut self) -> Option<Candidate> {
        self.zeros.pop_front()
    }

    /// Removes and returns another initial input.
    pub(super) fn next(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if let Some(candidate) = self.seeds.pop_front() {
            return Some(candidate);
        }
        self.warm_up = self.warm_up.checked_sub(1)?;
        Some(random::short(state, Technique::Seeds))
    }
}

/// Makes calls of functions with string or bytes parameters. Each call gets one string of the sources, and
/// all other values are random. Strings cannot be predicted, since they are not numbers. At most `most` of
/// all combinations are used, at random.
fn literal_calls(most: usize, generator: &CallGenerator, rng: &mut Rng) -> Vec<Candidate> {
    let mut combinations: Vec<_> = generator
        .functions
        .all()
        .flat_map(|callable| {
            let params = callable.method.params.iter().enumerate();
            params.flat_map(move |(index, param)| {
                generator.dictionary.texts(&param.ty).into_iter().map(move |text| (callable, index, text))
            })
        })
        .collect();
    let mut made = Vec::new();
    while made.len() < most && !combinations.is_empty() {
        let (callable, index, text) = combinations.swap_remove(rng.below(combinations.len()));
        let mut call = generator.call_of(callable, rng);
        if let Some(args) = call.input.args_mut() {
            args[index] = text;
        }
        made.push(Candidate::new(vec![call], Technique::Seeds, "literal").traced(0, Intent::Explore));
    }
    made
}
