//! Facts about the words of a path condition that follow from its parts, for all values of the variables that meet it.

use super::{
    formula::{Formula, WordComparison},
    program::WordProgram,
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;
use std::collections::BTreeSet;

/// Facts that follow from single conditions.
#[derive(Default)]
pub(super) struct ConditionFacts {
    /// Pairs of words of which the second must be at least the first.
    at_least: BTreeSet<(usize, usize)>,
    /// Pairs of words whose product must be less than 2^256.
    representable: BTreeSet<[usize; 2]>,
}

impl ConditionFacts {
    /// Returns the facts that follow from conditions that must all hold.
    pub(super) fn of(program: &WordProgram, conditions: &[Formula]) -> Self {
        let mut facts = Self::default();
        conditions.iter().for_each(|condition| facts.add(program, condition));
        facts
    }

    /// Returns the words that must be at least as large as a word.
    pub(super) fn at_least(&self, word: usize) -> impl Iterator<Item = usize> {
        self.at_least.range((word, 0)..=(word, usize::MAX)).map(|(_, larger)| *larger)
    }

    /// Tells whether a word must be at least as large as another.
    pub(super) fn is_at_least(&self, larger: usize, smaller: usize) -> bool {
        self.at_least.contains(&(smaller, larger))
    }

    /// Tells whether the product of two words must be less than 2^256.
    pub(super) fn is_representable(&self, mut factors: [usize; 2]) -> bool {
        factors.sort_unstable();
        self.representable.contains(&factors)
    }

    fn add(&mut self, program: &WordProgram, condition: &Formula) {
        match condition {
            Formula::Compared(WordComparison { relation: Relation::Less, left, right, holds }) => {
                self.at_least.insert(if *holds { (*left, *right) } else { (*right, *left) });
            }
            Formula::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) => {
                self.at_least.extend([(*left, *right), (*right, *left)]);
            }
            Formula::All(parts) => parts.iter().for_each(|part| self.add(program, part)),
            Formula::Compared(_) | Formula::Any(_) => {}
        }
        if let Some(mut factors) = excluded_overflow(program, condition) {
            factors.sort_unstable();
            self.representable.insert(factors);
        }
    }
}

/// Division by which the overflow of a product is excluded: `a * b / a == b`.
pub(super) struct UndoneProduct {
    /// The word `a * b`.
    pub(super) product: usize,
    /// The word `a`.
    pub(super) divisor: usize,
    /// The word `b`.
    pub(super) other: usize,
}

/// Takes an equality apart that is `a * b / a == b`.
pub(super) fn undone_product(program: &WordProgram, left: usize, right: usize) -> Option<UndoneProduct> {
    let undone = |quotient: usize, other: usize| {
        let [product, divisor] = program.binary(quotient, WordOperator::Div)?;
        let factors = program.binary(product, WordOperator::Mul)?;
        let is_undone = factors == [divisor, other] || factors == [other, divisor];
        is_undone.then_some(UndoneProduct { product, divisor, other })
    };
    undone(left, right).or_else(|| undone(right, left))
}

/// Takes a word apart that is a constant divided by a word. Returns both.
pub(super) fn divided_constant(program: &WordProgram, word: usize) -> Option<(U256, usize)> {
    let [dividend, divisor] = program.binary(word, WordOperator::Div)?;
    Some((program.constant(dividend)?, divisor))
}

/// Returns the factors whose overflow a condition excludes: `a * b / a == b`, or `b <= MAX / a` as compilers before
/// 0.8.17 write it, or one of these unless `a` is zero.
fn excluded_overflow(program: &WordProgram, condition: &Formula) -> Option<[usize; 2]> {
    match condition {
        Formula::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) => {
            undone_product(program, *left, *right).map(|undone| [undone.divisor, undone.other])
        }
        Formula::Compared(WordComparison { relation: Relation::Less, left, right, holds: false }) => {
            let (dividend, divisor) = divided_constant(program, *left)?;
            (dividend == U256::MAX).then_some([divisor, *right])
        }
        Formula::Any(parts) => {
            let factors = parts.iter().find_map(|part| excluded_overflow(program, part))?;
            let is_harmless = |part: &Formula| {
                excluded_overflow(program, part) == Some(factors)
                    || factors.iter().any(|factor| is_zero(program, part, *factor))
            };
            parts.iter().all(is_harmless).then_some(factors)
        }
        Formula::Compared(_) | Formula::All(_) => None,
    }
}

/// Tells whether a condition is that a word is zero.
fn is_zero(program: &WordProgram, condition: &Formula, word: usize) -> bool {
    let Formula::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) = condition
    else {
        return false;
    };
    [(*left, *right), (*right, *left)]
        .iter()
        .any(|(one, other)| *one == word && program.constant(*other) == Some(U256::ZERO))
}
