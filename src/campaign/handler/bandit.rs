//! Search for the choices by which calls of a function succeed.
//!
//! Each value of a call is a coordinate with several candidates, the widest first. At first, choices are drawn at
//! random, like those of other functions, or near those whose path was new: they passed a check. Choices that succeeded
//! are called again, and varied, until some succeed nearly always or no better ones are found. From then on, most calls
//! differ from these in one coordinate, so that the success of each candidate is seen with all others being good.

use crate::{
    engine::Rng,
    model::{PathId, handler::ValueChoice},
};
use rustc_hash::FxHashSet;
use std::{collections::VecDeque, mem::discriminant};

/// Maximum number of choices that are kept because their path was new, or because they succeeded.
const MOST_PROMISING: usize = 12;
const MOST_SUCCESSFUL: usize = 24;

/// Number of calls after the first one that succeeded in which better choices are searched for.
const SEARCH: u32 = 400;

/// Number of calls after which a candidate counts.
const ENOUGH: u32 = 8;

/// Part of the best success rate that a wider candidate must reach to be preferred, and of the best rate of calls that
/// change something.
const NEARLY: f64 = 0.9;
const HALF: f64 = 0.5;

/// Number of calls, of those that succeeded, and of those that changed something.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    calls: u32,
    successes: u32,
    changes: u32,
}

impl Tally {
    fn see(&mut self, succeeded: bool, changed: bool) {
        self.calls += 1;
        self.successes += u32::from(succeeded);
        self.changes += u32::from(changed);
    }

    /// Returns a mean of both rates.
    fn rate(&self) -> f64 {
        f64::from(self.successes + self.changes) / f64::from(2 * self.calls.max(1))
    }

    /// Returns the range in which the rate of a count lies, roughly; any rate is possible before the first calls.
    fn range(&self, count: u32) -> [f64; 2] {
        if self.calls < ENOUGH {
            return [0.0, 1.0];
        }
        let rate = f64::from(count) / f64::from(self.calls);
        let margin = 0.5 / f64::from(self.calls).sqrt();
        [rate - margin, rate + margin]
    }
}

/// Candidates of one value, with their results.
#[derive(Clone, Debug)]
struct Coordinate {
    candidates: Vec<ValueChoice>,
    tallies: Vec<Tally>,
}

/// Choices that made a call succeed.
#[derive(Clone, Debug)]
struct Successful {
    picked: Vec<usize>,
    tally: Tally,
}

/// Search for the choices of one function.
#[derive(Clone, Debug)]
pub(super) struct ChoiceSearch {
    coordinates: Vec<Coordinate>,
    /// Choices that made a call succeed, and number of calls since the first one.
    successful: Vec<Successful>,
    calls: u32,
    /// The best choices, once the search for them is over.
    best: Option<Vec<usize>>,
    /// Paths of the calls before the first one that succeeded, and the last choices whose path was new.
    paths: FxHashSet<PathId>,
    promising: VecDeque<Vec<usize>>,
}

/// Choices of one call: a candidate for each coordinate, and the coordinate that is examined, if it is one.
pub(super) struct Draw {
    pub(super) picked: Vec<usize>,
    examined: Option<usize>,
}

impl ChoiceSearch {
    pub(super) fn new(candidates: Vec<Vec<ValueChoice>>) -> Self {
        let coordinates = candidates
            .into_iter()
            .map(|candidates| Coordinate { tallies: vec![Tally::default(); candidates.len()], candidates });
        Self {
            coordinates: coordinates.collect(),
            successful: Vec::new(),
            calls: 0,
            best: None,
            paths: FxHashSet::default(),
            promising: VecDeque::new(),
        }
    }

    /// Begins the search again, and returns what it was.
    pub(super) fn restart(&mut self) -> Self {
        let candidates = self.coordinates.iter().map(|coordinate| coordinate.candidates.clone()).collect();
        std::mem::replace(self, Self::new(candidates))
    }

    /// Tells whether a call has succeeded.
    pub(super) fn has_success(&self) -> bool {
        !self.successful.is_empty()
    }

    /// Draws the choices of the next call. The hints are choices that other functions use for the same values.
    pub(super) fn draw(&self, hints: &[Option<ValueChoice>], rng: &mut Rng) -> Draw {
        let Some(best) = &self.best else { return Draw { picked: self.guess(hints, rng), examined: None } };
        let mut picked = best.clone();
        let open: Vec<usize> = (0..self.coordinates.len())
            .filter(|coordinate| self.coordinates[*coordinate].candidates.len() > 1)
            .collect();
        let examined = if rng.percent(25) { None } else { rng.pick(&open).copied() };
        if let Some(coordinate) = examined {
            let rarest = self.coordinates[coordinate].rarest();
            picked[coordinate] = rarest.unwrap_or_default();
        }
        Draw { picked, examined }
    }

    /// Draws choices before the best ones are known.
    fn guess(&self, hints: &[Option<ValueChoice>], rng: &mut Rng) -> Vec<usize> {
        let successful = self.most_promising();
        if let Some(again) = successful.filter(|_| rng.percent(40)) {
            return again.picked.clone();
        }
        let mut picked = self.at_random(rng);
        let near = match successful {
            Some(successful) if rng.percent(50) => Some(&successful.picked),
            _ => self.promising.get(rng.below(MOST_PROMISING)),
        };
        match near.filter(|_| rng.percent(60)) {
            Some(near) => {
                // One or two coordinates differ.
                let changed = [rng.below(picked.len()), rng.below(picked.len())];
                let kept = picked.iter_mut().zip(near).enumerate();
                let kept = kept.filter(|(index, _)| !changed.contains(index));
                kept.for_each(|(_, (pick, known))| *pick = *known);
            }
            None if rng.percent(70) => {
                for ((pick, coordinate), hint) in picked.iter_mut().zip(&self.coordinates).zip(hints) {
                    // Values of one earlier call only mean something together.
                    let is_joint = hint.as_ref().is_some_and(|hint| hint.source().is_some());
                    let known = hint.as_ref().and_then(|hint| coordinate.position(hint));
                    if let Some(known) = known.filter(|_| is_joint || rng.percent(80)) {
                        *pick = known;
                    }
                }
            }
            None => {}
        }
        picked
    }

    /// Returns the choices that may succeed most often, by their upper confidence bound.
    fn most_promising(&self) -> Option<&Successful> {
        let bound = |known: &&Successful| {
            known.tally.rate() + (f64::from(self.calls + 2).ln() / f64::from(8 * known.tally.calls)).sqrt()
        };
        self.successful.iter().max_by(|a, b| bound(a).total_cmp(&bound(b)))
    }

    /// Returns the choices that succeeded most often.
    fn most_successful(&self) -> Option<&Successful> {
        // One more call without success: few calls say little.
        let rate = |known: &&Successful| Tally { calls: known.tally.calls + 1, ..known.tally }.rate();
        self.successful.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))
    }

    /// Takes the result of a call before the best choices are known.
    fn collect(&mut self, picked: &[usize], path: Option<PathId>, succeeded: bool, changed: bool) {
        self.calls += u32::from(self.has_success());
        if let Some(known) = self.successful.iter_mut().find(|known| known.picked == picked) {
            known.tally.see(succeeded, changed);
        } else if changed {
            if self.successful.len() >= MOST_SUCCESSFUL {
                let rates = self.successful.iter().map(|known| known.tally.rate()).enumerate();
                let worst = rates.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
                self.successful.swap_remove(worst);
            }
            let mut tally = Tally::default();
            tally.see(succeeded, changed);
            self.successful.push(Successful { picked: picked.to_vec(), tally });
        }
        if path.is_some_and(|path| self.paths.insert(path)) {
            self.promising.push_back(picked.to_vec());
            self.promising.drain(..self.promising.len().saturating_sub(MOST_PROMISING));
        }
        let is_good = |known: &Successful| known.tally.calls >= 2 * ENOUGH && known.tally.rate() > 0.9;
        if self.calls >= SEARCH || self.successful.iter().any(is_good) {
            self.best = self.most_successful().map(|best| best.picked.clone());
        }
    }

    /// Draws candidates at random, of each kind as often. Sometimes, all values that earlier calls of one function got
    /// or returned are taken from there.
    fn at_random(&self, rng: &mut Rng) -> Vec<usize> {
        let given = ValueChoice::source;
        let all = self.coordinates.iter().flat_map(|coordinate| &coordinate.candidates).filter_map(given);
        let from = rng.pick(&all.collect::<Vec<_>>()).copied().filter(|_| rng.percent(30));
        let pick = |coordinate: &Coordinate, rng: &mut Rng| {
            let same =
                coordinate.candidates.iter().position(|choice| from.is_some() && given(choice) == from);
            same.unwrap_or_else(|| coordinate.at_random(rng))
        };
        self.coordinates.iter().map(|coordinate| pick(coordinate, rng)).collect()
    }

    /// Takes the result of a call; its path is `None` if it was not made.
    pub(super) fn learn(&mut self, draw: &Draw, path: Option<PathId>, succeeded: bool, changed: bool) {
        if self.best.is_none() {
            return self.collect(&draw.picked, path, succeeded, changed);
        }
        let all = 0..self.coordinates.len();
        for coordinate in all.filter(|index| draw.examined.is_none_or(|examined| examined == *index)) {
            self.coordinates[coordinate].tallies[draw.picked[coordinate]].see(succeeded, changed);
        }
        if let Some(examined) = draw.examined
            && let Some(better) = self.coordinates[examined].widest()
            && let Some(best) = &mut self.best
        {
            best[examined] = better;
        }
    }

    fn known_best(&self) -> Option<Vec<usize>> {
        let found = || self.most_successful().map(|known| known.picked.clone());
        self.best.clone().or_else(found)
    }

    /// Returns the best choices; before any success, the widest ones.
    pub(super) fn chosen(&self) -> Vec<ValueChoice> {
        let picked = self.known_best().unwrap_or_else(|| vec![0; self.coordinates.len()]);
        let choices = self.coordinates.iter().zip(picked);
        choices.map(|(coordinate, picked)| coordinate.candidates[picked].clone()).collect()
    }

    /// Returns the choices of a draw.
    pub(super) fn choices(&self, draw: &Draw) -> Vec<ValueChoice> {
        let choices = self.coordinates.iter().zip(&draw.picked);
        choices.map(|(coordinate, picked)| coordinate.candidates[*picked].clone()).collect()
    }

    /// Returns the candidates of the best choices, without a change.
    pub(super) fn best(&self, rng: &mut Rng) -> Draw {
        let picked = self.known_best().unwrap_or_else(|| self.at_random(rng));
        Draw { picked, examined: None }
    }
}

impl Coordinate {
    fn position(&self, choice: &ValueChoice) -> Option<usize> {
        self.candidates.iter().position(|candidate| candidate == choice)
    }

    /// Draws a candidate: first its kind.
    fn at_random(&self, rng: &mut Rng) -> usize {
        let mut kinds: Vec<_> = self.candidates.iter().map(discriminant).collect();
        kinds.dedup();
        let kind = rng.pick(&kinds).copied();
        let of_kind: Vec<usize> = (0..self.candidates.len())
            .filter(|index| Some(discriminant(&self.candidates[*index])) == kind)
            .collect();
        rng.pick(&of_kind).copied().unwrap_or_default()
    }

    /// Tells whether a candidate may succeed nearly as often as the best one, and change something half as often.
    fn may_be_good(&self, candidate: usize) -> bool {
        let may_reach = |part: f64, count: fn(&Tally) -> u32| {
            let range = |tally: &Tally| tally.range(count(tally));
            let best = self.tallies.iter().map(|tally| range(tally)[0]).fold(0.0, f64::max);
            range(&self.tallies[candidate])[1] >= part * best
        };
        may_reach(NEARLY, |tally| tally.successes) && may_reach(HALF, |tally| tally.changes)
    }

    /// Returns the candidate with the fewest calls, of those that may be good.
    fn rarest(&self) -> Option<usize> {
        let open = (0..self.tallies.len()).filter(|candidate| self.may_be_good(*candidate));
        open.min_by_key(|candidate| self.tallies[*candidate].calls)
    }

    /// Returns the widest candidate that may be good.
    fn widest(&self) -> Option<usize> {
        let known = |candidate: &usize| self.tallies[*candidate].calls >= ENOUGH;
        let has_success = self.tallies.iter().any(|tally| tally.range(tally.successes)[0] > 0.0);
        (0..self.tallies.len()).filter(known).find(|candidate| has_success && self.may_be_good(*candidate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::U256;

    #[test]
    fn the_widest_choices_that_succeed_are_found() {
        let range = |high: u64| ValueChoice::Range(U256::ZERO, U256::from(high));
        let numbers = vec![ValueChoice::Any, range(1000), range(10)];
        let senders = vec![ValueChoice::Account, ValueChoice::One(0)];
        let mut search = ChoiceSearch::new(vec![senders, numbers.clone(), numbers]);
        let mut rng = Rng::new(7, 0);
        for _ in 0..600 {
            let draw = search.draw(&[], &mut rng);
            let accepts = draw.picked[0] == 1 && draw.picked[1] >= 1 && draw.picked[2] == 2;
            search.learn(&draw, None, accepts, accepts);
        }
        assert_eq!(search.chosen(), [ValueChoice::One(0), range(1000), range(10)]);
    }

    #[test]
    fn choices_that_only_succeed_together_are_found() {
        let numbers = |count: u64| (0..count).map(|high| ValueChoice::Range(U256::ZERO, U256::from(high)));
        let mut search = ChoiceSearch::new(vec![
            vec![ValueChoice::Account, ValueChoice::Sender],
            [ValueChoice::Any].into_iter().chain(numbers(6)).collect(),
            [ValueChoice::Account, ValueChoice::Sender].into_iter().chain(numbers(6)).collect(),
        ]);
        let mut rng = Rng::new(7, 0);
        // By chance, a call in thirty succeeds with any choices.
        for call in 0..2000 {
            let draw = search.draw(&[], &mut rng);
            let accepts = draw.picked == [1, 3, 1] || call % 30 == 0;
            search.learn(&draw, None, accepts, accepts);
        }
        let wanted =
            [ValueChoice::Sender, ValueChoice::Range(U256::ZERO, U256::from(2)), ValueChoice::Sender];
        assert_eq!(search.chosen(), wanted);
    }
}
