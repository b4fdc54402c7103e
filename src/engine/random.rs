//! Random sequences, and random calls after kept sequences.

use super::{
    candidate::{Candidate, Intent},
    demand::can_stand,
    functions::Swarm,
    search_state::SearchState,
    seed::SequenceBuilder,
    technique::Technique,
};
use crate::config::Feature;
use crate::engine::tuning::random::{AGAIN, BURST, BURSTS, LEAST_TAIL, SHORT, SHORT_SEQUENCES, SHORT_TAILS};

/// Number of calls made in short and in long random sequences or tails.
#[derive(Debug, Default)]
struct Lengths {
    short: u64,
    long: u64,
}

impl Lengths {
    /// Tells whether a long one is due, because the short ones have used their percentage of the calls.
    fn is_long_due(&self, share: u64) -> bool {
        100 * self.short >= share * (self.short + self.long)
    }

    fn spend(&mut self, long: bool, calls: usize) {
        *(if long { &mut self.long } else { &mut self.short }) += calls as u64;
    }
}

/// Random sequences, and random tails after kept sequences.
#[derive(Debug, Default)]
pub(super) struct RandomSequences {
    lengths: Lengths,
    tails: Lengths,
    /// Number of calls that `vm.assume` rejected.
    rejected: u64,
    /// Number of calls that it did not reject.
    accepted: u64,
}

impl RandomSequences {
    /// Counts a call that ran. `is_rejected` is true if `vm.assume` rejected it.
    pub(super) fn note_call(&mut self, is_rejected: bool) {
        *(if is_rejected { &mut self.rejected } else { &mut self.accepted }) += 1;
    }

    /// Makes a short random sequence, or one as long as the depth allows; with a random depth, a length is drawn.
    pub(super) fn random(&mut self, state: &mut SearchState) -> Option<Candidate> {
        let long = self.lengths.is_long_due(SHORT_SEQUENCES);
        let candidate = if long {
            let depth = drawn(state).unwrap_or(state.depth);
            let length = self.full_length(depth);
            extend(state, SequenceBuilder::new(None, length), length, Technique::Random, "random")
        } else {
            short(state, Technique::Random)
        };
        self.lengths.spend(long, candidate.sequence.len());
        Some(candidate)
    }

    /// Makes a kept sequence with random calls after it.
    pub(super) fn prefix_and_tail(&mut self, state: &mut SearchState) -> Option<Candidate> {
        let (seed, parent) = state.corpus.prefix(&mut state.rng)?;
        let length = self.full_length(state.depth);
        let mut builder = SequenceBuilder::new(Some(&seed), length);
        if !seed.extendable {
            builder.truncate(seed.calls.len() - 1);
        }
        builder.truncate(state.depth - (state.depth / LEAST_TAIL).max(1));
        let from = builder.len();
        let long = self.tails.is_long_due(SHORT_TAILS);
        let length = if long { length } else { (from + 1 + state.rng.below(SHORT)).min(state.depth) };
        let candidate =
            extend(state, builder, length, Technique::Prefix, if long { "prefix" } else { "short" });
        self.tails.spend(long, candidate.sequence.len().saturating_sub(from));
        let from = from.min(candidate.sequence.len().saturating_sub(1));
        Some(Candidate { parent, ..candidate.traced(from, Intent::Explore) })
    }

    /// Returns the number of calls of a long sequence of `depth` calls that count. Since rejected calls do not
    /// count, it includes spare calls: as many as the rejection rate so far suggests, up to three times the depth.
    fn full_length(&self, depth: usize) -> usize {
        let spare = depth as u64 * self.rejected / self.accepted.max(1);
        depth + (spare as usize).min(3 * depth)
    }
}

/// Draws the length of a long random sequence, if the depth is random (`depth_mode` of Forge 1.8).
fn drawn(state: &mut SearchState) -> Option<usize> {
    let least = state.min_depth?.min(state.depth);
    Some(least + state.rng.below(state.depth - least + 1))
}

/// Makes a short random sequence.
pub(super) fn short(state: &mut SearchState, technique: Technique) -> Candidate {
    let length = 1 + state.rng.below(SHORT.min(state.depth));
    extend(state, SequenceBuilder::new(None, state.depth), length, technique, "short")
}

/// Makes a random sequence of a random length.
pub(super) fn of_any_length(state: &mut SearchState) -> Candidate {
    let length = 1 + state.rng.below(state.depth);
    extend(state, SequenceBuilder::new(None, state.depth), length, Technique::Random, "random")
}

/// Appends random calls up to `length`. Half of the time the calls use fewer functions, and some are made in
/// bursts: the same call several times in a row.
fn extend(
    state: &mut SearchState,
    mut builder: SequenceBuilder,
    length: usize,
    technique: Technique,
    origin: &'static str,
) -> Candidate {
    let swarm = state.rng.coin().then(|| Swarm(state.rng.next()));
    while builder.len() < length {
        if state.features.has(Feature::Calls)
            && state.rng.percent(AGAIN)
            && let Some(call) = state.rng.pick(builder.calls()).cloned()
            && can_stand(std::slice::from_ref(&call), builder.born_before(builder.len()), &state.generator)
        {
            builder.push(call);
            continue;
        }
        let Some(mut call) = state.generator.call(builder.born_before(builder.len()), swarm, &mut state.rng)
        else {
            break;
        };
        if state.features.has(Feature::Calls) {
            state.generator.repeat_some(&mut call, builder.calls(), &mut state.rng);
        }
        if swarm.is_some() && state.rng.percent(BURSTS) {
            let burst = (1 + state.rng.below(BURST)).min(length - 1 - builder.len());
            (0..burst).for_each(|_| builder.push(call.clone()));
        }
        builder.push(call);
    }
    Candidate::new(builder.finish(&state.generator.functions).0, technique, origin)
}
