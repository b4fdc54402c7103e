//! Corpus of states: sequences kept for the state that they lead to, not for their path (the sequence pool of
//! Harvey, section 5; voting as in ItyFuzz, section 3.2).

use crate::engine::tuning::corpus_states::{CAPACITY, CONTESTANTS, SAMPLE, SEEN};
use crate::engine::{rng::Rng, seed::Seed};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// State with the sequence that leads to it.
struct KeptState {
    number: u64,
    /// Sequence that leads to the state.
    seed: Arc<Seed>,
    /// Votes for new value classes and new edges that the state and its successors showed.
    votes: u64,
    picks: u64,
}

impl KeptState {
    /// Returns the votes per pick, scaled to keep fractions.
    fn score(&self) -> u64 {
        ((self.votes + 1) << 16) / (self.picks + 1)
    }
}

/// Kept states with their votes.
#[derive(Default)]
pub(in crate::engine) struct States {
    states: Vec<KeptState>,
    seen: FxHashSet<u64>,
    /// Number of states ever kept.
    count: u64,
}

impl States {
    /// Tells whether the state with this digest should be kept although it showed nothing new.
    pub(in crate::engine) fn wants(&mut self, digest: u64, rng: &mut Rng) -> bool {
        if self.seen.len() >= SEEN {
            self.seen.clear();
        }
        self.seen.insert(digest) && rng.below(SAMPLE) == 0
    }

    /// Keeps the state that `seed` leads to, with its first votes.
    pub(in crate::engine) fn keep(&mut self, seed: Arc<Seed>, votes: u64, rng: &mut Rng) {
        self.count += 1;
        let state = KeptState { number: self.count, seed, votes, picks: 0 };
        if self.states.len() < CAPACITY {
            self.states.push(state);
        } else if let Some(worst) = self.contest(rng, false) {
            self.states[worst] = state;
        }
    }

    /// Picks a state to continue from, and returns its number and sequence.
    pub(in crate::engine) fn pick(&mut self, rng: &mut Rng) -> Option<(u64, Arc<Seed>)> {
        let best = self.contest(rng, true)?;
        let state = &mut self.states[best];
        state.picks += 1;
        Some((state.number, state.seed.clone()))
    }

    /// Returns a random kept sequence.
    pub(in crate::engine) fn any(&self, rng: &mut Rng) -> Option<&Arc<Seed>> {
        rng.pick(&self.states).map(|state| &state.seed)
    }

    /// Adds votes to a state because a successor of it showed something new.
    pub(in crate::engine) fn vote(&mut self, number: u64, votes: u64) {
        if let Some(state) = self.states.iter_mut().find(|state| state.number == number) {
            state.votes += votes;
        }
    }

    /// Returns the best or the worst of a few random states.
    fn contest(&self, rng: &mut Rng, best: bool) -> Option<usize> {
        let contestants = rng.contestants(CONTESTANTS, self.states.len());
        let score = |index: &usize| self.states[*index].score();
        if best { contestants.max_by_key(score) } else { contestants.min_by_key(score) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn seed(length: usize) -> Arc<Seed> {
        Arc::new(Seed { calls: vec![toy::call("inc", &[]); length], born: Arc::default(), extendable: true })
    }

    #[test]
    fn a_state_whose_successors_show_more_is_picked_more_often() {
        let (mut states, mut rng) = (States::default(), Rng::new(1, 0));
        (1..=16).for_each(|length| states.keep(seed(length), 0, &mut rng));
        let mut picks = [0; 17];
        for _ in 0..1_000 {
            let (number, seed) = states.pick(&mut rng).expect("there are some");
            picks[seed.calls.len()] += 1;
            if seed.calls.len() == 7 {
                states.vote(number, 5);
            }
        }
        assert!(picks[7] > 200 && picks[3] > 10, "{picks:?}");
    }

    #[test]
    fn states_are_bounded_and_those_without_votes_go_first() {
        let (mut states, mut rng) = (States::default(), Rng::new(1, 0));
        (0..4 * CAPACITY).for_each(|index| states.keep(seed(1), u64::from(index % 8 == 0) * 100, &mut rng));
        assert_eq!(states.states.len(), CAPACITY);
        let voted = states.states.iter().filter(|state| state.votes > 0).count();
        assert!(voted > CAPACITY / 4, "{voted}");
    }

    #[test]
    fn a_state_seen_before_is_not_wanted() {
        let (mut states, mut rng) = (States::default(), Rng::new(1, 0));
        assert!((0..1_000).filter(|digest| states.wants(*digest, &mut rng)).count() > 0);
        assert!((0..1_000).all(|digest| !states.wants(digest, &mut rng)));
    }
}
