//! The test suite: for each path of a last call, the shortest sequence known to take it.

use crate::{
    engine::{base::Base, rng::Rng, seed::Seed},
    model::PathId,
};
use rustc_hash::FxHashMap;
use std::{collections::VecDeque, sync::Arc};

/// Sequences kept for a suite of tests.
const CAPACITY: usize = 4096;
/// Paths whose frequency is remembered.
const PATHS: usize = 1 << 20;
/// Entries compared when one is picked or evicted.
const CONTESTANTS: usize = 4;
/// Stands for "no entry".
const NOWHERE: u32 = u32::MAX;

/// A path with the sequence kept for it.
pub(in crate::engine) struct Entry {
    pub(in crate::engine) path: PathId,
    pub(in crate::engine) seed: Arc<Seed>,
    /// What it costs, once that was measured.
    pub(in crate::engine) base: Option<Arc<Base>>,
    /// How often it was picked.
    pub(in crate::engine) picks: u32,
}

/// What is known of a path.
struct Record {
    /// How often it was exercised.
    frequency: u32,
    /// Place of its entry, or [`NOWHERE`].
    place: u32,
}

/// What a run said about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum News {
    /// It was never seen before.
    New,
    /// It was reached by fewer calls than before.
    Shorter,
    /// Nothing.
    Known,
}

/// Entries with constant-time lookup, pick and eviction.
#[derive(Default)]
pub(in crate::engine) struct Suite {
    entries: Vec<Entry>,
    records: FxHashMap<PathId, Record>,
    /// Paths admitted since, not picked yet.
    fresh: VecDeque<PathId>,
    /// Distinct paths ever seen.
    seen: u64,
}

impl Suite {
    /// Number of distinct paths ever seen.
    pub(in crate::engine) fn seen(&self) -> u64 {
        self.seen
    }

    /// Number of sequences kept.
    #[cfg(test)]
    pub(in crate::engine) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Counts a run of `path` that took `length` calls, and tells whether it should be admitted.
    pub(in crate::engine) fn visit(&mut self, path: PathId, length: usize) -> News {
        if let Some(record) = self.records.get_mut(&path) {
            record.frequency = record.frequency.saturating_add(1);
            let shorter = |entry: &Entry| length < entry.seed.calls.len();
            let entry = self.entries.get(record.place as usize);
            return if entry.is_some_and(shorter) { News::Shorter } else { News::Known };
        }
        if self.records.len() >= PATHS {
            // Rare paths of long ago make room; they will look new if they ever come again.
            self.records.retain(|_, record| {
                let is_kept = record.place != NOWHERE || record.frequency > 1;
                record.frequency = record.frequency.div_ceil(2);
                is_kept
            });
        }
        if self.records.len() >= PATHS {
            return News::Known;
        }
        self.records.insert(path, Record { frequency: 1, place: NOWHERE });
        self.seen += 1;
        News::New
    }

    /// Keeps `seed` for `path`, which was visited before.
    pub(in crate::engine) fn admit(
        &mut self,
        path: PathId,
        seed: Arc<Seed>,
        base: Option<Arc<Base>>,
        rng: &mut Rng,
    ) {
        let Some(record) = self.records.get(&path) else { return };
        if let Some(entry) = self.entries.get_mut(record.place as usize) {
            (entry.seed, entry.base) = (seed, base);
            return;
        }
        let entry = Entry { path, seed, base, picks: 0 };
        let place = if self.entries.len() < CAPACITY {
            self.entries.push(entry);
            self.entries.len() - 1
        } else {
            let place = self.worst(rng);
            let gone = std::mem::replace(&mut self.entries[place], entry);
            if let Some(record) = self.records.get_mut(&gone.path) {
                record.place = NOWHERE;
            }
            place
        };
        if let Some(record) = self.records.get_mut(&path) {
            record.place = place as u32;
        }
        self.fresh.push_back(path);
        if self.fresh.len() > CAPACITY {
            self.fresh.pop_front();
        }
    }

    /// An entry to fuzz, with the frequency of its path: half of the time the one that waits longest for
    /// its first pick, else the least picked, then the rarest, of a few.
    pub(in crate::engine) fn pick(&mut self, rng: &mut Rng) -> Option<(&mut Entry, u32)> {
        let fresh = if rng.coin() { self.fresh.pop_front() } else { None };
        let place = match fresh.and_then(|path| self.records.get(&path)) {
            Some(record) if record.place != NOWHERE => record.place as usize,
            _ => {
                let by_picks = rng.coin();
                let score = |place: usize| {
                    (if by_picks { self.entries[place].picks } else { 0 }, self.frequency(place))
                };
                rng.contestants(CONTESTANTS, self.entries.len()).min_by_key(|place| score(*place))?
            }
        };
        let frequency = self.frequency(place);
        Some((&mut self.entries[place], frequency))
    }

    /// What is kept for a path, with the frequency of the path.
    pub(in crate::engine) fn get(&mut self, path: PathId) -> Option<(&mut Entry, u32)> {
        let record = self.records.get(&path)?;
        let frequency = record.frequency;
        self.entries.get_mut(record.place as usize).map(|entry| (entry, frequency))
    }

    /// The costs of what is kept for `path` were measured.
    pub(in crate::engine) fn measured(&mut self, path: PathId, base: &Arc<Base>) {
        let place = self.records.get(&path).map_or(NOWHERE, |record| record.place);
        if let Some(entry) = self.entries.get_mut(place as usize) {
            entry.base = Some(base.clone());
        }
    }

    /// Any kept sequence.
    pub(in crate::engine) fn any(&self, rng: &mut Rng) -> Option<&Arc<Seed>> {
        rng.pick(&self.entries).map(|entry| &entry.seed)
    }

    /// A mutant of the sequence kept for `path` showed something new: it is picked again soon.
    pub(in crate::engine) fn reward(&mut self, path: PathId) {
        let place = self.records.get(&path).map_or(NOWHERE, |record| record.place);
        if let Some(entry) = self.entries.get_mut(place as usize) {
            entry.picks /= 2;
        }
    }

    fn frequency(&self, place: usize) -> u32 {
        self.records.get(&self.entries[place].path).map_or(1, |record| record.frequency)
    }

    /// The entry that has had most chances, of a few.
    fn worst(&self, rng: &mut Rng) -> usize {
        let score = |place: &usize| {
            let entry = &self.entries[*place];
            (entry.picks, !entry.seed.extendable, entry.seed.calls.len(), self.frequency(*place))
        };
        rng.contestants(CONTESTANTS, self.entries.len()).max_by_key(score).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn seed(length: usize) -> Arc<Seed> {
        let calls = vec![toy::call("inc", &[]); length];
        Arc::new(Seed { calls, born: Arc::default(), extendable: true })
    }

    #[test]
    fn a_path_is_new_once_and_then_only_worth_a_shorter_sequence() {
        let (mut suite, mut rng) = (Suite::default(), Rng::new(1, 0));
        assert_eq!(suite.visit(7, 3), News::New);
        suite.admit(7, seed(3), None, &mut rng);
        assert_eq!(suite.visit(7, 3), News::Known);
        assert_eq!(suite.visit(7, 2), News::Shorter);
        suite.admit(7, seed(2), None, &mut rng);
        assert_eq!((suite.len(), suite.seen()), (1, 1));
        assert_eq!(suite.visit(7, 2), News::Known);
        let (entry, frequency) = suite.pick(&mut rng).expect("one entry");
        assert_eq!((entry.seed.calls.len(), frequency), (2, 4));
    }

    #[test]
    fn the_suite_is_capped_and_forgets_what_was_picked_most() {
        let (mut suite, mut rng) = (Suite::default(), Rng::new(1, 0));
        for path in 0..2 * CAPACITY as u64 {
            assert_eq!(suite.visit(path, 1), News::New);
            suite.admit(path, seed(1), None, &mut rng);
            if path == 0 {
                suite.entries[0].picks = 1_000;
            }
        }
        assert_eq!((suite.len(), suite.seen()), (CAPACITY, 2 * CAPACITY as u64));
        assert!(suite.entries.iter().all(|entry| entry.path != 0));
        for (place, entry) in suite.entries.iter().enumerate() {
            assert_eq!(suite.records[&entry.path].place as usize, place);
        }
        let kept = suite.records.values().filter(|record| record.place != NOWHERE).count();
        assert_eq!(kept, CAPACITY);
    }

    #[test]
    fn a_new_entry_is_picked_soon_and_a_rewarded_one_again() {
        let (mut suite, mut rng) = (Suite::default(), Rng::new(1, 0));
        for path in 0..100 {
            suite.visit(path, 1);
            suite.admit(path, seed(1), None, &mut rng);
        }
        suite.fresh.clear();
        suite.entries.iter_mut().for_each(|entry| entry.picks = 4);
        suite.visit(100, 1);
        suite.admit(100, seed(1), None, &mut rng);
        assert!((0..8).any(|_| suite.pick(&mut rng).is_some_and(|(entry, _)| entry.path == 100)));
        suite.reward(42);
        assert_eq!(suite.entries[42].picks, 2);
    }
}
