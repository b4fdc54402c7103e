//! Condition of a path, reduced to what the branch depends on.

use super::{
    formula::Formula,
    program::{MOST_VARIABLES, VariableSet, WordProgram, variables},
    script,
    search::LocalSearch,
};
use crate::model::{SymbolicInput, SymbolicPath};
use alloy_primitives::U256;

/// Maximum number of decisions before the branch that are looked at, the last ones.
const MOST_DECISIONS: usize = 512;
/// Maximum number of words of a program. Basis: the time of one evaluation.
const MOST_WORDS: usize = 8_192;

/// Input that may be chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) input: SymbolicInput,
    pub(super) value: U256,
    /// Largest value.
    pub(super) most: U256,
}

/// New values of inputs.
pub type Assignment = Vec<(SymbolicInput, U256)>;

/// Result of a search for inputs.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Inputs that meet all conditions, or those that meet the condition of the branch and most of the others.
    pub assignment: Option<Assignment>,
    /// True if all conditions are met.
    pub is_complete: bool,
    /// Number of words that were computed.
    pub work: u64,
}

/// Condition under which a sequence takes the other edge of one of its decisions.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    pub(super) program: WordProgram,
    pub(super) variables: Vec<Variable>,
    /// Condition of the branch, followed by those of the decisions before it, the latest first.
    pub(super) conditions: Vec<Formula>,
}

impl PathCondition {
    /// Creates the condition for the other outcome of the decision with this index. `most` returns the largest value of
    /// an input, or `None` for one that cannot be chosen. Decisions that share no variable with the branch, directly or
    /// through others, are left out. Returns `None` if no input can be chosen on which the branch depends, or if the
    /// condition is too large.
    #[must_use]
    pub fn new(
        path: &SymbolicPath,
        target: usize,
        most: impl Fn(SymbolicInput) -> Option<U256>,
    ) -> Option<Self> {
        let mut all = Self::default();
        let decision = path.decisions.get(target)?;
        let condition = all.condition(path, target, !decision.holds, &most)?;
        let mut needed = condition.support(&all.program);
        if needed == 0 {
            return None;
        }
        all.conditions.push(condition);
        let before = target.saturating_sub(MOST_DECISIONS)..target;
        let mut others: Vec<(Formula, VariableSet)> = before
            .rev()
            .filter(|index| path.decisions[*index] != *decision)
            .map_while(|index| {
                let condition = all.condition(path, index, path.decisions[index].holds, &most)?;
                let support = condition.support(&all.program);
                Some((condition, support))
            })
            .collect();
        others.dedup_by(|a, b| a.0 == b.0);
        loop {
            let before = needed;
            for (_, support) in others.iter().filter(|(_, support)| support & before != 0) {
                needed |= support;
            }
            if needed == before {
                break;
            }
        }
        let connected = others.into_iter().filter(|(_, support)| support & needed != 0);
        all.conditions.extend(connected.map(|(condition, _)| condition));
        Some(all)
    }

    /// Compiles the condition of a decision; `None` if the program is too large.
    fn condition(
        &mut self,
        path: &SymbolicPath,
        index: usize,
        holds: bool,
        most: &impl Fn(SymbolicInput) -> Option<U256>,
    ) -> Option<Formula> {
        let decision = path.decisions[index];
        let Self { program, variables, .. } = self;
        let mut variable = |input: SymbolicInput, value: U256| {
            let known = variables.iter().position(|variable| variable.input == input);
            known.or_else(|| {
                let most = most(input).filter(|_| variables.len() < MOST_VARIABLES)?;
                variables.push(Variable { input, value, most });
                Some(variables.len() - 1)
            })
        };
        let word = program.compile(&path.expressions, decision.condition, &mut variable);
        (program.len() <= MOST_WORDS).then(|| Formula::of(program, word, holds))
    }

    /// Returns the values of the variables on the path.
    pub(super) fn values(&self) -> Vec<U256> {
        self.variables.iter().map(|variable| variable.value).collect()
    }

    /// Returns the pairs of words that must be equal whatever else is.
    pub(super) fn equations(&self) -> Vec<[usize; 2]> {
        let mut equations = Vec::new();
        self.conditions.iter().for_each(|condition| condition.equations(&mut equations));
        equations
    }

    /// Returns the variables on which the conditions depend.
    pub(super) fn support(&self) -> impl Iterator<Item = usize> + use<> {
        let sets = self.conditions.iter().map(|condition| condition.support(&self.program));
        variables(sets.fold(0, |all, set| all | set))
    }

    /// Returns those of these values that differ from the path's.
    pub(super) fn assignment(&self, values: &[U256]) -> Assignment {
        let pairs = self.variables.iter().zip(values);
        pairs
            .filter(|(variable, value)| variable.value != **value)
            .map(|(variable, value)| (variable.input, *value))
            .collect()
    }

    /// Searches with our own procedures, with random numbers from `seed`. Computes about `budget` words.
    #[must_use]
    pub fn solve(&self, seed: u64, budget: u64) -> Solution {
        LocalSearch::new(self, seed, budget).run()
    }

    /// Returns the inputs for the variables' values in an answer to a script, if they meet all conditions.
    #[must_use]
    pub fn accept(&self, answer: &[(usize, U256)]) -> Option<Assignment> {
        let mut values = self.values();
        for (variable, value) in answer {
            *values.get_mut(*variable).filter(|_| *value <= self.variables[*variable].most)? = *value;
        }
        let words = self.program.evaluate(&values);
        let is_met = self.conditions.iter().all(|condition| condition.distance(&words) == 0);
        is_met.then(|| self.assignment(&values))
    }

    /// Writes the condition in the language of SMT-LIB, with words as integers if that is possible.
    #[must_use]
    pub fn integer_script(&self) -> Option<String> {
        script::of_integers(self)
    }

    /// Writes the condition in the language of SMT-LIB, with words as bit vectors.
    #[must_use]
    pub fn bit_vector_script(&self) -> Option<String> {
        script::of_bit_vectors(self)
    }
}
