//! Initial inputs, random sequences, and random calls behind kept ones.

use super::{
    Engine,
    call_generator::CallGenerator,
    candidate::{Candidate, Intent},
    demand::can_stand,
    functions::Swarm,
    rng::Rng,
    seed::SequenceBuilder,
    technique::Technique,
};
use crate::{config::Feature, model::Input};

/// Longest of the short random sequences.
const SHORT: usize = 8;
/// Part of the depth that is left to the tail of a prefix, at least one call.
const LEAST_TAIL: usize = 8;
/// Percent of the calls in such sequences that are repeated at once, and most repetitions.
const BURSTS: u32 = 10;
const BURST: usize = 8;
/// Percent of the calls that are one of the sequence once more, as it was.
const AGAIN: u32 = 10;

/// Percent of the calls of random sequences, and of random tails, that are made in short ones: from `setUp` a few calls lead
/// to little that the first seconds have not shown.
const SHORT_SEQUENCES: u64 = 6;
const SHORT_TAILS: u64 = 33;

/// Calls made in short and in long random parts of sequences.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    short: u64,
    long: u64,
}

impl Lengths {
    /// Whether short ones have had their percentage of the calls.
    fn is_long_due(&self, share: u64) -> bool {
        100 * self.short >= share * (self.short + self.long)
    }

    fn spend(&mut self, long: bool, calls: usize) {
        *(if long { &mut self.long } else { &mut self.short }) += calls as u64;
    }
}

impl Engine {
    /// Calls of unit tests, calls with the strings of the sources, and then some short random sequences.
    pub(super) fn seed_input(&mut self) -> Option<Candidate> {
        if let Some(candidate) = self.seeds.pop_front() {
            return Some(candidate);
        }
        self.warm_up = self.warm_up.checked_sub(1)?;
        Some(self.short(Technique::Seeds))
    }

    /// A few random calls, or as many as the depth allows.
    pub(super) fn random(&mut self) -> Option<Candidate> {
        let long = self.lengths.is_long_due(SHORT_SEQUENCES);
        let candidate = if long {
            let length = self.full_length();
            self.extend(SequenceBuilder::new(None, length), length, Technique::Random, "random")
        } else {
            self.short(Technique::Random)
        };
        self.lengths.spend(long, candidate.sequence.len());
        Some(candidate)
    }

    pub(super) fn short(&mut self, technique: Technique) -> Candidate {
        let length = 1 + self.rng.below(SHORT.min(self.depth));
        self.extend(SequenceBuilder::new(None, self.depth), length, technique, "short")
    }

    /// A kept sequence and random calls behind it.
    pub(super) fn prefix_and_tail(&mut self) -> Option<Candidate> {
        let (seed, parent) = self.corpus.prefix(&mut self.rng)?;
        let length = self.full_length();
        let mut builder = SequenceBuilder::new(Some(&seed), length);
        if !seed.extendable {
            builder.truncate(seed.calls.len() - 1);
        }
        builder.truncate(self.depth - (self.depth / LEAST_TAIL).max(1));
        let from = builder.len();
        let long = self.tails.is_long_due(SHORT_TAILS);
        let length = if long { length } else { (from + 1 + self.rng.below(SHORT)).min(self.depth) };
        let candidate =
            self.extend(builder, length, Technique::Prefix, if long { "prefix" } else { "short" });
        self.tails.spend(long, candidate.sequence.len().saturating_sub(from));
        let from = from.min(candidate.sequence.len().saturating_sub(1));
        Some(Candidate { parent, ..candidate.traced(from, Intent::Explore) })
    }

    /// Rejected calls do not count, so a long sequence has some to spare: as many as the rate so far suggests, up to
    /// three times the depth.
    fn full_length(&self) -> usize {
        let spare = self.depth as u64 * self.rejected / self.accepted.max(1);
        self.depth + (spare as usize).min(3 * self.depth)
    }

    /// Appends random calls up to `length`. Half of the time the calls are of fewer kinds, and some of them
    /// come in bursts: the same call several times in a row.
    fn extend(
        &mut self,
        mut builder: SequenceBuilder,
        length: usize,
        technique: Technique,
        origin: &'static str,
    ) -> Candidate {
        let swarm = self.rng.coin().then(|| Swarm(self.rng.next()));
        while builder.len() < length {
            if self.features.has(Feature::Calls)
                && self.rng.percent(AGAIN)
                && let Some(call) = self.rng.pick(builder.calls()).cloned()
                && can_stand(std::slice::from_ref(&call), builder.born_before(builder.len()), &self.generator)
            {
                builder.push(call);
                continue;
            }
            let Some(mut call) =
                self.generator.call(builder.born_before(builder.len()), swarm, &mut self.rng)
            else {
                break;
            };
            if self.features.has(Feature::Calls) {
                self.generator.repeat_some(&mut call, builder.calls(), &mut self.rng);
            }
            if swarm.is_some() && self.rng.percent(BURSTS) {
                let burst = (1 + self.rng.below(BURST)).min(length - 1 - builder.len());
                (0..burst).for_each(|_| builder.push(call.clone()));
            }
            builder.push(call);
        }
        Candidate::new(builder.finish(&self.generator.functions).0, technique, origin)
    }
}

/// Calls of functions that take strings or byte strings, each with one of the sources, all else being random: what is no number
/// cannot be predicted. At most so many, by chance, of all combinations.
pub(super) fn literal_calls(most: usize, generator: &CallGenerator, rng: &mut Rng) -> Vec<Candidate> {
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
        if let Input::Typed { args, .. } = &mut call.input {
            args[index] = text;
        }
        made.push(Candidate::new(vec![call], Technique::Seeds, "literal").traced(0, Intent::Explore));
    }
    made
}
