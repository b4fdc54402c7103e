//! Search for the choices by which calls of a function succeed.
//!
//! Each value of a call is a coordinate with several candidates, the widest first. Until a call succeeds, all are drawn
//! at random. From then on, most calls differ from the best known choices in one coordinate, so that the success of
//! each candidate is seen with all others being good.

use crate::{engine::Rng, model::handler::ValueChoice};

/// Number of calls after which a candidate's success rate counts.
const ENOUGH: u32 = 6;

/// Part of the best success rate that a wider candidate must reach to be preferred, in percent.
const NEARLY: u64 = 80;

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
            let results = &self.coordinates[coordinate].results;
            let rarest = (0..results.len()).min_by_key(|candidate| results[*candidate].0);
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
    /// Returns the widest candidate that succeeds nearly as often as the best one.
    fn widest(&self) -> Option<usize> {
        let rate = |(calls, score): &(u32, u32)| u64::from(*score) * 1000 / u64::from(*calls);
        let known = || self.results.iter().enumerate().filter(|(_, result)| result.0 >= ENOUGH);
        let best = known().map(|(_, result)| rate(result)).max().filter(|best| *best > 0)?;
        known().find(|(_, result)| rate(result) * 100 >= best * NEARLY).map(|(index, _)| index)
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
        for _ in 0..300 {
            let draw = search.draw(&mut rng);
            let accepts = draw.picked[0] == 1 && draw.picked[1] >= 1 && draw.picked[2] == 2;
            search.learn(&draw, accepts, accepts);
        }
        assert_eq!(search.chosen(), [ValueChoice::One(0), range(1000), range(10)]);
    }
}
