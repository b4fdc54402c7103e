//! Local search: repairs violated conditions one by one.
//!
//! A step picks a violated comparison, and moves one variable that it depends on to a value with which it is as it
//! should be: exact inverses first, then bisection. Of all such moves, the one is taken after which the least is
//! violated, among those that lead to values not tried before. Variables that linear equations determine follow.

use super::{
    arithmetic::low_bits,
    bisection, fields,
    formula::WordComparison,
    inversion::{self, Inversion},
    lifting::Lifting,
    linear::LinearSystem,
    path_condition::{PathCondition, Solution},
    program::variables,
};
use crate::model::Relation;
use alloy_primitives::U256;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

/// Number of steps without an improvement after which the search starts again.
const PATIENCE: u32 = 24;

/// Number of words that may be computed at least for the first solution of the equations bit by bit.
const LEAST_LIFT: u64 = 60_000;

/// Number of times that equations are solved bit by bit.
const LIFTS: u32 = 4;

/// Number of violated conditions, and the sum of their distances.
type Score = (usize, u64);

/// Values of the variables with those of all words.
#[derive(Clone, Debug, Default)]
struct SearchPoint {
    variables: Vec<U256>,
    words: Vec<U256>,
    score: Score,
}

/// Search for values of the variables of a path condition.
pub(super) struct LocalSearch<'a> {
    task: &'a PathCondition,
    system: LinearSystem,
    lifting: Lifting,
    rng: Xoshiro256PlusPlus,
    /// Places in words at which fields of bits begin.
    ends: Vec<usize>,
    /// Number of words that may be computed. The first solution of equations bit by bit may take more.
    budget: u64,
    work: u64,
    visited: FxHashSet<Vec<U256>>,
    /// Best state in which the condition of the branch is met.
    best: Option<SearchPoint>,
}

impl<'a> LocalSearch<'a> {
    pub(super) fn new(task: &'a PathCondition, seed: u64, budget: u64) -> Self {
        let equations = task.equations();
        let system = LinearSystem::new(&task.program, &equations);
        let lifting = Lifting::new(&task.program, &equations);
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let ends = fields::ends(&task.program);
        Self { task, system, lifting, rng, ends, budget, work: 0, visited: FxHashSet::default(), best: None }
    }

    pub(super) fn run(mut self) -> Solution {
        let start = self.task.values();
        let mut state = self.state(start.clone());
        if let Some(lifted) = self.lift(&start) {
            state = lifted;
        }
        let mut idle = 0;
        while state.score.0 > 0 && self.has_budget() {
            let before = state.score;
            self.visited.insert(state.variables.clone());
            state = self.step(state);
            idle = if state.score < before { 0 } else { idle + 1 };
            if idle > PATIENCE {
                idle = 0;
                state = self.restart(&start);
            }
        }
        let is_complete = state.score.0 == 0;
        let found = if is_complete { Some(state) } else { self.best.take() };
        let assignment = found.map(|state| self.task.assignment(&state.variables));
        let assignment = assignment.filter(|assignment| !assignment.is_empty());
        Solution { is_complete: is_complete && assignment.is_some(), assignment, work: self.work }
    }

    /// Solves equations bit by bit, first with as many bits as possible as they are, then with random ones. Returns the
    /// best state.
    fn lift(&mut self, start: &[U256]) -> Option<SearchPoint> {
        if self.lifting.is_empty() {
            return None;
        }
        let mut best: Option<SearchPoint> = None;
        for attempt in 0..LIFTS {
            let part = if attempt == 0 { 3 } else { 12 };
            let limit = self.work + (self.budget / part).max(if attempt == 0 { LEAST_LIFT } else { 0 });
            let (rng, is_random) = (&mut self.rng, attempt > 0);
            let program = &self.task.program;
            let lifted = self.lifting.solve(program, start, rng, is_random, &mut self.work, limit);
            // There is no solution, or none within the limit. Other bits would hardly change that.
            let Some(variables) = lifted else { break };
            let words = self.task.program.evaluate(&variables);
            let state = self.scored(variables, words);
            if best.as_ref().is_none_or(|best| state.score < best.score) {
                best = Some(state);
            }
            if best.as_ref().is_some_and(|best| best.score.0 == 0) {
                break;
            }
        }
        best
    }

    fn has_budget(&self) -> bool {
        self.work < self.budget
    }

    /// Evaluates values of the variables.
    fn state(&mut self, mut variables: Vec<U256>) -> SearchPoint {
        self.system.repair(&mut variables);
        let words = self.task.program.evaluate(&variables);
        self.work += words.len() as u64;
        self.scored(variables, words)
    }

    fn scored(&mut self, variables: Vec<U256>, words: Vec<U256>) -> SearchPoint {
        self.work += (variables.len() + self.task.conditions.len()) as u64;
        let mut score = (0, 0);
        for (index, condition) in self.task.conditions.iter().enumerate() {
            let distance = condition.distance(&words);
            // What the search is for counts more than what was true before.
            let weight = if index == 0 { 2 } else { 1 };
            score = (score.0 + weight * usize::from(distance > 0), score.1 + distance);
        }
        let excess =
            self.task.variables.iter().zip(&variables).filter(|(variable, value)| **value > variable.most);
        score.0 += excess.count();
        let state = SearchPoint { variables, words, score };
        let meets_target = self.task.conditions[0].distance(&state.words) == 0;
        if meets_target && self.best.as_ref().is_none_or(|best| state.score < best.score) {
            self.best = Some(state.clone());
        }
        state
    }

    /// Evaluates a state with another value of one variable.
    fn moved(&mut self, state: &SearchPoint, variable: usize, value: U256) -> SearchPoint {
        let mut variables = state.variables.clone();
        variables[variable] = value;
        if !self.system.is_empty() {
            return self.state(variables);
        }
        let program = &self.task.program;
        let mut words = state.words.clone();
        program.update(variable, &variables, &mut words);
        self.work += program.dependents(variable).len() as u64;
        self.scored(variables, words)
    }

    fn step(&mut self, state: SearchPoint) -> SearchPoint {
        let mut violated = Vec::new();
        self.task.conditions.iter().for_each(|condition| condition.violated(&state.words, &mut violated));
        if violated.is_empty() {
            // Only a variable that exceeds its largest value is left.
            return self.restart(&state.variables);
        }
        let comparison = violated[self.rng.random_range(0..violated.len())];
        let moves = self.moves(&state, comparison);
        let moved = self.best_of(&state, &moves);
        if let Some(better) = moved.as_ref().filter(|moved| moved.score < state.score) {
            return better.clone();
        }
        let found = self.bisect(&state, comparison);
        let bisected = self.best_of(&state, &found);
        let best = [moved, bisected].into_iter().flatten().min_by_key(|state| state.score);
        // The best of those that were not visited yet, even if it is worse.
        best.unwrap_or_else(|| self.restart(&state.variables))
    }

    /// Returns the best state after one of these moves that was not visited yet.
    fn best_of(&mut self, state: &SearchPoint, moves: &[(usize, U256)]) -> Option<SearchPoint> {
        let mut best: Option<SearchPoint> = None;
        for (variable, value) in moves {
            if !self.has_budget() {
                break;
            }
            let moved = self.moved(state, *variable, *value);
            if best.as_ref().is_none_or(|best| moved.score < best.score)
                && !self.visited.contains(&moved.variables)
            {
                best = Some(moved);
            }
        }
        best
    }

    /// Returns values of single variables with which a comparison is as it should be.
    fn moves(&mut self, state: &SearchPoint, comparison: WordComparison) -> Vec<(usize, U256)> {
        let program = &self.task.program;
        let WordComparison { left, right, .. } = comparison;
        let mut moves = Vec::new();
        for variable in variables(program.support(left) | program.support(right)) {
            let random = self.random_word();
            let ends = &self.ends;
            let mut inversion = Inversion { program, values: &state.words, variable, random, ends, steps: 0 };
            let mut found = Vec::new();
            for (word, other, is_left) in [(left, right, true), (right, left, false)] {
                if program.depends(other, variable) {
                    continue;
                }
                for wanted in wanted(comparison, is_left, state.words[other], random) {
                    inversion.invert(word, wanted, &mut found);
                }
            }
            self.work += 8 * inversion.steps;
            let most = self.task.variables[variable].most;
            found.retain(|value| *value <= most && *value != state.variables[variable]);
            moves.extend(found.into_iter().map(|value| (variable, value)));
        }
        moves
    }

    /// Returns values of single variables at which the order of the words changes that this comparison compares, or
    /// another one that depends on them.
    fn bisect(&mut self, state: &SearchPoint, comparison: WordComparison) -> Vec<(usize, U256)> {
        let task = self.task;
        let mut compared = Vec::new();
        task.conditions.iter().for_each(|condition| condition.comparisons(&mut compared));
        let depends = |of: &WordComparison, variable: usize| {
            [of.left, of.right].iter().any(|word| task.program.depends(*word, variable))
        };
        let support = task.program.support(comparison.left) | task.program.support(comparison.right);
        let mut found = Vec::new();
        for variable in variables(support) {
            if self.system.determines(variable) {
                continue;
            }
            let compared: Vec<WordComparison> =
                compared.iter().filter(|other| depends(other, variable)).copied().collect();
            let most = task.variables[variable].most;
            let mut variables = state.variables.clone();
            let mut words = state.words.clone();
            let orders = |value: U256| {
                if !self.has_budget() {
                    return None;
                }
                variables[variable] = value;
                if self.system.is_empty() {
                    task.program.update(variable, &variables, &mut words);
                    self.work += task.program.dependents(variable).len() as u64;
                } else {
                    self.system.repair(&mut variables);
                    words = task.program.evaluate(&variables);
                    self.work += words.len() as u64;
                }
                self.work += compared.len() as u64;
                Some(compared.iter().map(|of| of.relation.order(words[of.left], words[of.right])).collect())
            };
            let changes = bisection::changes(state.variables[variable], most, orders);
            found.extend(changes.into_iter().map(|value| (variable, value)));
        }
        found
    }

    /// Starts again with some variables at random or at constants of the conditions.
    fn restart(&mut self, start: &[U256]) -> SearchPoint {
        let mut values = start.to_vec();
        let constants: Vec<U256> = self.task.program.constants().collect();
        let support: Vec<usize> = self.task.support().collect();
        for variable in support {
            let most = self.task.variables[variable].most;
            values[variable] = match self.rng.random_range(0..4) {
                0 => continue,
                1 if !constants.is_empty() => constants[self.rng.random_range(0..constants.len())],
                _ => self.random_word(),
            };
            if values[variable] > most {
                values[variable] &= low_bits(most.bit_len().saturating_sub(1));
            }
        }
        self.state(values)
    }

    /// Returns a random word of a random length.
    fn random_word(&mut self) -> U256 {
        let limbs = self.rng.random::<[u64; 4]>();
        U256::from_limbs(limbs) >> self.rng.random_range(0..256)
    }
}

/// Returns values of one side with which a comparison is as it should be.
fn wanted(comparison: WordComparison, is_left: bool, other: U256, random: U256) -> Vec<U256> {
    let WordComparison { relation, holds, .. } = comparison;
    let mut wanted = Vec::new();
    match (relation, holds, is_left) {
        (Relation::Equal, true, _) => wanted.push(other),
        (Relation::Equal, false, _) => {
            wanted.extend([other.wrapping_add(U256::ONE), other.wrapping_sub(U256::ONE), U256::ZERO, random]);
        }
        (Relation::Less, holds, true) => inversion::below(other, holds, &mut wanted),
        (Relation::Less, holds, false) => inversion::above(other, holds, &mut wanted),
        (Relation::SignedLess, holds, true) => inversion::signed(other, holds, inversion::below, &mut wanted),
        (Relation::SignedLess, holds, false) => {
            inversion::signed(other, holds, inversion::above, &mut wanted)
        }
    }
    wanted.retain(|word| {
        let (left, right) = if is_left { (*word, other) } else { (other, *word) };
        relation.holds(left, right) == holds
    });
    wanted
}
