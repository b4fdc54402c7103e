//! Coverage corpus (test suite): for each path of a last call, the shortest sequence known to take it, and a
//! long one.
//!
//! Paths are grouped by the function of their last call, and functions are picked evenly. Loops and
//! consecutive guards can give one function thousands of paths, which must not crowd out the paths of others.

use crate::engine::tuning::corpus_coverage::{CAPACITY, CONTESTANTS, LONGER, PATHS, WAITING};
use crate::{
    engine::{demand::function_of, rng::Rng, seed::Seed, traced_run::TracedRun},
    model::PathId,
};
use alloy_primitives::{Address, Selector};
use rustc_hash::FxHashMap;
use std::{collections::VecDeque, sync::Arc};

/// Path with the sequences kept for it.
pub(in crate::engine) struct PathEntry {
    pub(in crate::engine) path: PathId,
    /// Shortest sequence.
    pub(in crate::engine) seed: Arc<Seed>,
    /// Longer sequence, whose additional calls may have accumulated more state.
    pub(in crate::engine) longest: Option<Arc<Seed>>,
    /// Traced run of the shortest sequence, once it was measured.
    pub(in crate::engine) base: Option<Arc<TracedRun>>,
    /// Number of picks.
    pub(in crate::engine) picks: u32,
}

/// Position of an entry: the group of its function, and the index in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EntryIndex {
    group: u32,
    index: u32,
}

/// Record of a path that was seen.
struct PathRecord {
    /// Number of runs that took the path, halved when the records are full.
    frequency: u32,
    /// Position of its entry, if the path has one.
    place: Option<EntryIndex>,
}

/// Entries whose last calls are of one function.
#[derive(Default)]
struct FunctionEntries {
    entries: Vec<PathEntry>,
    /// Admitted paths that were not picked yet.
    fresh: VecDeque<PathId>,
}

/// Novelty of a run for its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum PathNovelty {
    /// The path was never seen before.
    New,
    /// The path was reached by fewer calls than before.
    Shorter,
    /// The path was reached by many more calls than before.
    Longer,
    /// The run showed nothing new.
    Known,
}

/// Entries with lookup, pick and eviction in constant time.
#[derive(Default)]
pub(in crate::engine) struct CoverageCorpus {
    groups: Vec<FunctionEntries>,
    of_function: FxHashMap<Option<(Address, Selector)>, u32>,
    records: FxHashMap<PathId, PathRecord>,
    /// Number of entries.
    kept: usize,
    /// Number of calls in all shortest sequences.
    calls: usize,
    /// Number of distinct paths ever seen.
    seen: u64,
}

impl CoverageCorpus {
    /// Returns the number of distinct paths ever seen.
    pub(in crate::engine) fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the number of paths with kept sequences.
    pub(in crate::engine) fn len(&self) -> usize {
        self.kept
    }

    /// Returns the number of calls in all shortest sequences.
    pub(in crate::engine) fn calls(&self) -> usize {
        self.calls
    }

    /// Counts a run of `path` that took `length` calls, and returns its novelty, which decides about
    /// admission.
    pub(in crate::engine) fn visit(&mut self, path: PathId, length: usize) -> PathNovelty {
        if let Some(record) = self.records.get_mut(&path) {
            record.frequency = record.frequency.saturating_add(1);
            let entry = record
                .place
                .and_then(|place| self.groups[place.group as usize].entries.get(place.index as usize));
            return entry.map_or(PathNovelty::Known, |entry| entry.compare(length));
        }
        if self.records.len() >= PATHS {
            // Forgets rare old paths; they count as new if they come again.
            self.records.retain(|_, record| {
                let is_kept = record.place.is_some() || record.frequency > 1;
                record.frequency = record.frequency.div_ceil(2);
                is_kept
            });
        }
        if self.records.len() >= PATHS {
            return PathNovelty::Known;
        }
        self.records.insert(path, PathRecord { frequency: 1, place: None });
        self.seen += 1;
        PathNovelty::New
    }

    /// Keeps `seed` as the shortest sequence for `path`, which must have been visited.
    pub(in crate::engine) fn admit(
        &mut self,
        path: PathId,
        seed: Arc<Seed>,
        base: Option<Arc<TracedRun>>,
        rng: &mut Rng,
    ) {
        let Some(place) = self.records.get(&path).map(|record| record.place) else { return };
        self.calls += seed.calls.len();
        if let Some(entry) = place.and_then(|place| self.at_mut(place)) {
            let before = std::mem::replace(&mut entry.seed, seed);
            entry.base = base;
            entry.longest.get_or_insert_with(|| before.clone());
            self.calls -= before.calls.len();
            return;
        }
        if self.kept >= CAPACITY {
            self.evict(rng);
        }
        let group = self.group(&seed);
        let FunctionEntries { entries, fresh } = &mut self.groups[group as usize];
        let place = EntryIndex { group, index: entries.len() as u32 };
        entries.push(PathEntry { path, seed, longest: None, base, picks: 0 });
        fresh.push_back(path);
        if fresh.len() > WAITING {
            fresh.pop_front();
        }
        self.kept += 1;
        if let Some(record) = self.records.get_mut(&path) {
            record.place = Some(place);
        }
    }

    /// Keeps `seed` as the long sequence for `path`.
    pub(in crate::engine) fn admit_longest(&mut self, path: PathId, seed: Arc<Seed>) {
        if let Some((entry, _)) = self.get(path) {
            entry.longest = Some(seed);
        }
    }

    fn group(&mut self, seed: &Seed) -> u32 {
        let function = seed.calls.last().and_then(function_of);
        *self.of_function.entry(function).or_insert_with(|| {
            self.groups.push(FunctionEntries::default());
            self.groups.len() as u32 - 1
        })
    }

    /// Picks an entry to fuzz, and returns it with the frequency of its path. Functions are drawn evenly.
    /// Half of the time the pick is the entry of the function that waits longest for its first pick.
    /// Otherwise it is, of a few random entries, the one with the fewest picks or the rarest path.
    pub(in crate::engine) fn pick(&mut self, rng: &mut Rng) -> Option<(&mut PathEntry, u32)> {
        let group = self.any_group(rng)?;
        let fresh = if rng.coin() { self.groups[group].fresh.pop_front() } else { None };
        let place = match fresh.and_then(|path| self.records.get(&path)).and_then(|record| record.place) {
            Some(place) => place,
            None => {
                let by_picks = rng.coin();
                let entries = &self.groups[group].entries;
                let score = |index: &usize| {
                    (if by_picks { entries[*index].picks } else { 0 }, self.frequency(&entries[*index]))
                };
                let index = rng.contestants(CONTESTANTS, entries.len()).min_by_key(score)?;
                EntryIndex { group: group as u32, index: index as u32 }
            }
        };
        let entry = &self.groups[place.group as usize].entries[place.index as usize];
        let frequency = self.frequency(entry);
        self.at_mut(place).map(|entry| (entry, frequency))
    }

    /// Draws a function evenly, and returns a group with entries.
    fn any_group(&self, rng: &mut Rng) -> Option<usize> {
        let start = rng.below(self.groups.len());
        let groups = (start..self.groups.len()).chain(0..start);
        groups.into_iter().find(|group| !self.groups[*group].entries.is_empty())
    }

    /// Returns the entry of a path, with the frequency of the path.
    pub(in crate::engine) fn get(&mut self, path: PathId) -> Option<(&mut PathEntry, u32)> {
        let record = self.records.get(&path)?;
        let (place, frequency) = (record.place?, record.frequency);
        self.at_mut(place).map(|entry| (entry, frequency))
    }

    /// Records the traced run of the shortest sequence for `path`.
    pub(in crate::engine) fn measured(&mut self, path: PathId, base: &Arc<TracedRun>) {
        if let Some((entry, _)) = self.get(path) {
            entry.base = Some(base.clone());
        }
    }

    /// Returns the traced runs of all entries.
    pub(in crate::engine) fn bases(&self) -> impl Iterator<Item = &TracedRun> {
        let entries = self.groups.iter().flat_map(|group| &group.entries);
        entries.filter_map(|entry| entry.base.as_deref())
    }

    /// Forgets the traced runs of all entries. Those that are picked are traced again.
    pub(in crate::engine) fn forget_bases(&mut self) {
        let entries = self.groups.iter_mut().flat_map(|group| &mut group.entries);
        entries.for_each(|entry| entry.base = None);
    }

    /// Returns a random entry; functions are drawn evenly.
    pub(in crate::engine) fn any(&self, rng: &mut Rng) -> Option<&PathEntry> {
        let group = self.any_group(rng)?;
        rng.pick(&self.groups[group].entries)
    }

    /// Rewards an entry because a mutant of its sequence showed something new: it is picked again soon.
    pub(in crate::engine) fn reward(&mut self, path: PathId) {
        if let Some((entry, _)) = self.get(path) {
            entry.picks /= 2;
        }
    }

    fn at_mut(&mut self, place: EntryIndex) -> Option<&mut PathEntry> {
        self.groups.get_mut(place.group as usize)?.entries.get_mut(place.index as usize)
    }

    fn frequency(&self, entry: &PathEntry) -> u32 {
        self.records.get(&entry.path).map_or(1, |record| record.frequency)
    }

    /// Drops an entry of the function with most entries: of a few random ones, the one with most picks.
    fn evict(&mut self, rng: &mut Rng) {
        let largest = (0..self.groups.len()).max_by_key(|group| self.groups[*group].entries.len());
        let Some(group) = largest else { return };
        let entries = &self.groups[group].entries;
        let score = |index: &usize| {
            let entry = &entries[*index];
            (entry.picks, !entry.seed.extendable, entry.seed.calls.len(), self.frequency(entry))
        };
        let Some(index) = rng.contestants(CONTESTANTS, entries.len()).max_by_key(score) else { return };
        let entries = &mut self.groups[group].entries;
        let gone = entries.swap_remove(index);
        let moved = entries.get(index).map(|entry| entry.path);
        self.kept -= 1;
        self.calls -= gone.seed.calls.len();
        let place = EntryIndex { group: group as u32, index: index as u32 };
        for (path, place) in [(Some(gone.path), None), (moved, Some(place))] {
            if let Some(record) = path.and_then(|path| self.records.get_mut(&path)) {
                record.place = place;
            }
        }
    }
}

impl PathEntry {
    /// Returns the novelty of a run of `length` calls on the same path.
    fn compare(&self, length: usize) -> PathNovelty {
        let longest = self.longest.as_ref().unwrap_or(&self.seed).calls.len();
        match length {
            _ if length < self.seed.calls.len() => PathNovelty::Shorter,
            _ if length * 100 > longest * LONGER => PathNovelty::Longer,
            _ => PathNovelty::Known,
        }
    }

    /// Returns the shortest or the long sequence, at random.
    pub(in crate::engine) fn either(&self, rng: &mut Rng) -> &Arc<Seed> {
        self.longest.as_ref().filter(|_| rng.coin()).unwrap_or(&self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn seed(length: usize) -> Arc<Seed> {
        seed_of("inc", length)
    }

    fn seed_of(name: &str, length: usize) -> Arc<Seed> {
        let calls = vec![toy::call(name, &[]); length];
        Arc::new(Seed { calls, born: Arc::default(), extendable: true })
    }

    #[test]
    fn a_path_is_new_once_and_then_worth_a_shorter_or_a_much_longer_sequence() {
        let (mut suite, mut rng) = (CoverageCorpus::default(), Rng::new(1, 0));
        assert_eq!(suite.visit(7, 3), PathNovelty::New);
        suite.admit(7, seed(3), None, &mut rng);
        assert_eq!(suite.visit(7, 3), PathNovelty::Known);
        assert_eq!(suite.visit(7, 2), PathNovelty::Shorter);
        suite.admit(7, seed(2), None, &mut rng);
        assert_eq!((suite.len(), suite.calls(), suite.seen()), (1, 2, 1));
        assert_eq!(
            (suite.visit(7, 2), suite.visit(7, 3), suite.visit(7, 4)),
            (PathNovelty::Known, PathNovelty::Known, PathNovelty::Longer)
        );
        suite.admit_longest(7, seed(4));
        assert_eq!((suite.visit(7, 5), suite.visit(7, 6)), (PathNovelty::Known, PathNovelty::Longer));
        let (entry, frequency) = suite.pick(&mut rng).expect("one entry");
        assert_eq!((entry.seed.calls.len(), frequency), (2, 8));
        let lengths: std::collections::BTreeSet<_> =
            (0..50).map(|_| entry.either(&mut rng).calls.len()).collect();
        assert_eq!(lengths, [2, 4].into());
    }

    #[test]
    fn the_suite_is_capped_and_forgets_what_was_picked_most() {
        let (mut suite, mut rng) = (CoverageCorpus::default(), Rng::new(1, 0));
        for path in 0..2 * CAPACITY as u64 {
            assert_eq!(suite.visit(path, 1), PathNovelty::New);
            suite.admit(path, seed(1), None, &mut rng);
            if path == 0 {
                suite.groups[0].entries[0].picks = 1_000;
            }
        }
        assert_eq!((suite.len(), suite.seen()), (CAPACITY, 2 * CAPACITY as u64));
        assert!(suite.groups[0].entries.iter().all(|entry| entry.path != 0));
        for (index, entry) in suite.groups[0].entries.iter().enumerate() {
            assert_eq!(suite.records[&entry.path].place, Some(EntryIndex { group: 0, index: index as u32 }));
        }
        let kept = suite.records.values().filter(|record| record.place.is_some()).count();
        assert_eq!(kept, CAPACITY);
    }

    #[test]
    fn a_function_of_many_paths_does_not_crowd_out_the_others() {
        let (mut suite, mut rng) = (CoverageCorpus::default(), Rng::new(1, 0));
        suite.visit(1 << 32, 1);
        suite.admit(1 << 32, seed_of("reset", 1), None, &mut rng);
        for path in 0..2 * CAPACITY as u64 {
            suite.visit(path, 1);
            suite.admit(path, seed(1), None, &mut rng);
        }
        let picks =
            (0..100).filter(|_| suite.pick(&mut rng).is_some_and(|(entry, _)| entry.path == 1 << 32)).count();
        assert!((30..70).contains(&picks), "{picks}");
    }

    #[test]
    fn a_new_entry_is_picked_soon_and_a_rewarded_one_again() {
        let (mut suite, mut rng) = (CoverageCorpus::default(), Rng::new(1, 0));
        for path in 0..100 {
            suite.visit(path, 1);
            suite.admit(path, seed(1), None, &mut rng);
        }
        suite.groups[0].fresh.clear();
        suite.groups[0].entries.iter_mut().for_each(|entry| entry.picks = 4);
        suite.visit(100, 1);
        suite.admit(100, seed(1), None, &mut rng);
        assert!((0..8).any(|_| suite.pick(&mut rng).is_some_and(|(entry, _)| entry.path == 100)));
        suite.reward(42);
        assert_eq!(suite.groups[0].entries[42].picks, 2);
    }
}
