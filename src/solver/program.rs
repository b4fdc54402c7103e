//! Conditions as a list of operations that is evaluated for given inputs.

use super::arithmetic;
use crate::model::{Expression, ExpressionId, Expressions, SymbolicInput, WordOperator};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;

/// Maximum number of variables. Further inputs keep their values.
pub(super) const MOST_VARIABLES: usize = 128;

/// Set of variables, as bits.
pub(super) type VariableSet = u128;

/// Computation of one word of a [`WordProgram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Computation {
    Constant(U256),
    /// The variable with this index.
    Variable(usize),
    /// An operation on earlier words, by their indices.
    Operation(WordOperator, Box<[usize]>),
}

/// List of words, each computed from variables or from words before it.
#[derive(Clone, Debug, Default)]
pub(super) struct WordProgram {
    words: Vec<Computation>,
    /// Variables that each word depends on.
    support: Vec<VariableSet>,
    /// Words that depend on each variable, in order.
    dependents: Vec<Vec<usize>>,
    known: FxHashMap<ExpressionId, usize>,
    constants: FxHashMap<U256, usize>,
}

impl WordProgram {
    /// Creates a program for an expression in addition to those that it has. Inputs for which `variable` returns no
    /// index keep their values, which it is given. Returns the index of the word.
    pub(super) fn compile(
        &mut self,
        all: &Expressions,
        root: ExpressionId,
        variable: &mut impl FnMut(SymbolicInput, U256) -> Option<usize>,
    ) -> usize {
        let mut open = vec![root];
        while let Some(id) = open.last().copied() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let Expression::Operation(operator, operands) = all.get(id) else {
                let word = match all.get(id) {
                    Expression::Input(input) => variable(*input, all.value(id)).map(Computation::Variable),
                    _ => None,
                };
                let word = self.push(word.unwrap_or_else(|| Computation::Constant(all.value(id))));
                self.known.insert(id, word);
                open.pop();
                continue;
            };
            let missing: Vec<_> =
                operands.iter().filter(|operand| !self.known.contains_key(operand)).copied().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let operands: Box<[usize]> = operands.iter().map(|operand| self.known[operand]).collect();
            let is_constant = *operator == WordOperator::Builtin
                || *operator != WordOperator::Hash
                    && operands.iter().all(|operand| self.constant(*operand).is_some());
            let word = match is_constant {
                true => self.push(Computation::Constant(all.value(id))),
                false => self.push(Computation::Operation(*operator, operands)),
            };
            self.known.insert(id, word);
            open.pop();
        }
        self.known[&root]
    }

    /// Adds a word, and returns its index.
    pub(super) fn push(&mut self, word: Computation) -> usize {
        if let Computation::Constant(value) = word
            && let Some(known) = self.constants.get(&value)
        {
            return *known;
        }
        // The first word that depends on a variable is the variable.
        if let Computation::Variable(variable) = word
            && let Some(known) = self.dependents.get(variable).and_then(|dependents| dependents.first())
        {
            return *known;
        }
        let index = self.words.len();
        let support = match &word {
            Computation::Constant(value) => {
                self.constants.insert(*value, index);
                0
            }
            Computation::Variable(variable) => 1 << variable,
            Computation::Operation(_, operands) => {
                operands.iter().fold(0, |support, operand| support | self.support[*operand])
            }
        };
        for variable in variables(support) {
            if self.dependents.len() <= variable {
                self.dependents.resize(variable + 1, Vec::new());
            }
            self.dependents[variable].push(index);
        }
        self.words.push(word);
        self.support.push(support);
        index
    }

    /// Returns the computation of a word.
    pub(super) fn word(&self, index: usize) -> &Computation {
        &self.words[index]
    }

    /// Returns the operands of a word that is a given operation on two words.
    pub(super) fn binary(&self, index: usize, wanted: WordOperator) -> Option<[usize; 2]> {
        match &self.words[index] {
            Computation::Operation(operator, operands) if *operator == wanted => {
                operands.first_chunk().copied()
            }
            _ => None,
        }
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the value of a word that is a constant.
    pub(super) fn constant(&self, index: usize) -> Option<U256> {
        match self.words[index] {
            Computation::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns all constants.
    pub(super) fn constants(&self) -> impl Iterator<Item = U256> {
        self.words.iter().filter_map(|word| match word {
            Computation::Constant(value) => Some(*value),
            _ => None,
        })
    }

    /// Returns the variables that a word depends on.
    pub(super) fn support(&self, index: usize) -> VariableSet {
        self.support[index]
    }

    /// Tells whether a word depends on a variable.
    pub(super) fn depends(&self, word: usize, variable: usize) -> bool {
        self.support[word] >> variable & 1 == 1
    }

    /// Returns the words that depend on a variable, in order.
    pub(super) fn dependents(&self, variable: usize) -> &[usize] {
        self.dependents.get(variable).map_or(&[], |dependents| dependents)
    }

    /// Computes all words.
    pub(super) fn evaluate(&self, variables: &[U256]) -> Vec<U256> {
        let mut values = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let value = self.compute(word, &values, variables);
            values.push(value);
        }
        values
    }

    /// Returns these words and those that they depend on, in order.
    pub(super) fn needed(&self, words: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut is_needed = vec![false; self.words.len()];
        words.for_each(|word| is_needed[word] = true);
        for index in (0..self.words.len()).rev() {
            if let (true, Computation::Operation(_, operands)) = (is_needed[index], &self.words[index]) {
                operands.iter().for_each(|operand| is_needed[*operand] = true);
            }
        }
        (0..self.words.len()).filter(|index| is_needed[*index]).collect()
    }

    /// Computes some words, each after those that it depends on.
    pub(super) fn evaluate_some(&self, words: &[usize], variables: &[U256], values: &mut [U256]) {
        for index in words {
            values[*index] = self.compute(&self.words[*index], values, variables);
        }
    }

    /// Computes those words again that depend on one variable.
    pub(super) fn update(&self, variable: usize, variables: &[U256], values: &mut [U256]) {
        self.evaluate_some(self.dependents(variable), variables, values);
    }

    fn compute(&self, word: &Computation, values: &[U256], variables: &[U256]) -> U256 {
        match word {
            Computation::Constant(value) => *value,
            Computation::Variable(variable) => variables[*variable],
            Computation::Operation(operator, operands) => match operands[..] {
                [a] => arithmetic::apply(*operator, &[values[a]]),
                [a, b] => arithmetic::apply(*operator, &[values[a], values[b]]),
                _ => {
                    let operands: Vec<U256> = operands.iter().map(|operand| values[*operand]).collect();
                    arithmetic::apply(*operator, &operands)
                }
            },
        }
    }
}

/// Returns the variables of a set.
pub(super) fn variables(set: VariableSet) -> impl Iterator<Item = usize> {
    (0..MOST_VARIABLES).filter(move |variable| set >> variable & 1 == 1)
}
