//! Search for the choices by which calls of a function succeed.
//!
//! Each value of a call is a coordinate with several candidates, the widest first. Until a call succeeds, all are drawn
//! at random. From then on, most calls differ from the best known choices in one coordinate, so that the success of
//! each candidate is seen with all others being good.

use crate::{engine::Rng, model::handler::ValueChoice};

/// Number of calls after which a candidate counts.
const ENOUGH: u32 = 8;

/// Part of the best success rate that a wider candidate must reach to be preferred.
const NEARLY: f64 = 0.9;

/// Candidates of one value, with their results.
#[derive(Clone, Debug)]
struct Coordinate {
    candidates: Vec<ValueChoice>,
    /// Calls and the score of each candidate: three for a call that changed something, two for other successful ones.
    results: Vec<(u32, u32)>,
}

/// Search for the choices of one function.
#[derive(Clone, Debug)]
pub(super) struct ChoiceSearch {
    coordinates: Vec<Coordinate>,
    /// Candidates that made a call succeed.
    best: Option<Vec<usize>>,
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
            .map(|candidates| Coordinate { results: vec![(0, 0); candidates.len()], candidates });
        Self { coordinates: coordinates.collect(), best: None }
    }

    /// Draws the choices of the next call.
    pub(super) fn draw(&self, rng: &mut Rng) -> Draw {
        let Some(best) = &self.best else { return Draw { picked: self.at_random(rng), examined: None } };
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

    /// Draws candidates at random. Sometimes, all values that earlier calls of one function got or returned are taken
    /// from there.
    fn at_random(&self, rng: &mut Rng) -> Vec<usize> {
        let given = ValueChoice::source;
        let all = self.coordinates.iter().flat_map(|coordinate| &coordinate.candidates).filter_map(given);
        let from = rng.pick(&all.collect::<Vec<_>>()).copied().filter(|_| rng.percent(30));
        let pick = |coordinate: &Coordinate, rng: &mut Rng| {
            let same =
                coordinate.candidates.iter().position(|choice| from.is_some() && given(choice) == from);
            same.unwrap_or_else(|| rng.below(coordinate.candidates.len()))
        };
        self.coordinates.iter().map(|coordinate| pick(coordinate, rng)).collect()
    }

    /// Takes the result of a call.
    pub(super) fn learn(&mut self, draw: &Draw, succeeded: bool, changed: bool) {
        let score = if changed { 3 } else { 2 * u32::from(succeeded) };
        if self.best.is_none() {
            self.best = changed.then(|| draw.picked.clone());
            return;
        }
        let all = 0..self.coordinates.len();
        for coordinate in all.filter(|index| draw.examined.is_none_or(|examined| examined == *index)) {
            let result = &mut self.coordinates[coordinate].results[draw.picked[coordinate]];
            *result = (result.0 + 1, result.1 + score);
        }
        if let Some(examined) = draw.examined
            && let Some(better) = self.coordinates[examined].widest()
            && let Some(best) = &mut self.best
        {
            best[examined] = better;
        }
    }

    /// Returns the best choices; before any success, the widest ones.
    pub(super) fn chosen(&self) -> Vec<ValueChoice> {
        let picked = self.best.clone().unwrap_or_else(|| vec![0; self.coordinates.len()]);
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
        let picked = self.best.clone().unwrap_or_else(|| self.at_random(rng));
        Draw { picked, examined: None }
    }
}

impl Coordinate {
    /// Returns the range in which the success rate of a candidate lies, roughly; any rate is possible before the first
    /// calls.
    fn rate(&self, candidate: usize) -> [f64; 2] {
        let (calls, score) = self.results[candidate];
        if calls < ENOUGH {
            return [0.0, 1.0];
        }
        let rate = f64::from(score) / f64::from(3 * calls);
        let margin = 0.5 / f64::from(calls).sqrt();
        [rate - margin, rate + margin]
    }

    /// Returns the success rate that the best candidate has at least.
    fn best_rate(&self) -> f64 {
        (0..self.results.len()).map(|candidate| self.rate(candidate)[0]).fold(0.0, f64::max)
    }

    /// Returns the candidate with the fewest calls, of those that may be the best.
    fn rarest(&self) -> Option<usize> {
        let least = NEARLY * self.best_rate();
        let open = (0..self.results.len()).filter(|candidate| self.rate(*candidate)[1] >= least);
        open.min_by_key(|candidate| self.results[*candidate].0)
    }

    /// Returns the widest candidate that may succeed nearly as often as the best one.
    fn widest(&self) -> Option<usize> {
        let least = NEARLY * self.best_rate();
        let known = |candidate: &usize| self.results[*candidate].0 >= ENOUGH;
        (0..self.results.len())
            .filter(known)
            .find(|candidate| least > 0.0 && self.rate(*candidate)[1] >= least)
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
            let draw = search.draw(&mut rng);
            let accepts = draw.picked[0] == 1 && draw.picked[1] >= 1 && draw.picked[2] == 2;
            search.learn(&draw, accepts, accepts);
        }
        assert_eq!(search.chosen(), [ValueChoice::One(0), range(1000), range(10)]);
    }
}
