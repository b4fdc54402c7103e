//! Conditions as comparisons of words.

use super::{
    fields::possible_bits,
    program::{Computation, VariableSet, WordProgram},
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;

/// Maximum number of operations between a condition and its comparisons. Without a bound, shared operands would be
/// looked at once for each way to them.
const MOST_STEPS: usize = 10;

/// Comparison of two words of a program, and whether it should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WordComparison {
    pub(super) relation: Relation,
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) holds: bool,
}

/// Condition on the words of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    Compared(WordComparison),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl WordComparison {
    /// Returns zero if the comparison is as it should be, and otherwise the number of bits of the distance, which is
    /// at least one.
    pub(super) fn distance(&self, values: &[U256]) -> u64 {
        let (left, right) = (values[self.left], values[self.right]);
        if self.relation.holds(left, right) == self.holds {
            return 0;
        }
        self.relation.cost(left, right).bit_len() as u64
    }
}

impl Formula {
    /// Takes the condition apart that a word is not zero, or that it is.
    pub(super) fn of(program: &mut WordProgram, word: usize, holds: bool) -> Self {
        Self::within(program, word, holds, 0)
    }

    fn within(program: &mut WordProgram, word: usize, holds: bool, steps: usize) -> Self {
        let zero = |program: &mut WordProgram| {
            let right = program.push(Computation::Constant(U256::ZERO));
            Self::Compared(WordComparison { relation: Relation::Equal, left: word, right, holds: !holds })
        };
        let Computation::Operation(operator, operands) = program.word(word).clone() else {
            return zero(program);
        };
        if steps >= MOST_STEPS {
            return zero(program);
        }
        let compared =
            |relation, left, right, holds| Self::Compared(WordComparison { relation, left, right, holds });
        let mut each = |operands: &[usize], holds| -> Vec<Self> {
            operands.iter().map(|operand| Self::within(program, *operand, holds, steps + 1)).collect()
        };
        match (operator, &operands[..]) {
            (WordOperator::IsZero, [word]) => Self::within(program, *word, !holds, steps + 1),
            (WordOperator::Equal, [a, b]) => equal(program, *a, *b, holds, steps),
            (WordOperator::Less, [a, b]) => less(program, *a, *b, holds),
            (WordOperator::Greater, [a, b]) => less(program, *b, *a, holds),
            (WordOperator::SignedLess, [a, b]) => compared(Relation::SignedLess, *a, *b, holds),
            (WordOperator::SignedGreater, [a, b]) => compared(Relation::SignedLess, *b, *a, holds),
            (WordOperator::Sub | WordOperator::Xor, [a, b]) => equal(program, *a, *b, !holds, steps),
            (WordOperator::Or, operands) if holds => Self::Any(each(operands, true)),
            (WordOperator::Or, operands) => Self::All(each(operands, false)),
            (WordOperator::And, [a, b]) if is_boolean(program, *a) && is_boolean(program, *b) => {
                let both = [*a, *b].map(|word| Self::within(program, word, holds, steps + 1)).into();
                if holds { Self::All(both) } else { Self::Any(both) }
            }
            _ => zero(program),
        }
    }

    /// Returns the distance: zero if the condition is met.
    pub(super) fn distance(&self, values: &[U256]) -> u64 {
        match self {
            Self::Compared(comparison) => comparison.distance(values),
            Self::All(parts) => parts.iter().map(|part| part.distance(values)).sum(),
            // An empty list of alternatives cannot be met.
            Self::Any(parts) => parts.iter().map(|part| part.distance(values)).min().unwrap_or(1),
        }
    }

    /// Adds the comparisons that are not as they should be: of alternatives, all of them.
    pub(super) fn violated(&self, values: &[U256], found: &mut Vec<WordComparison>) {
        match self {
            Self::Compared(comparison) => {
                if comparison.distance(values) > 0 {
                    found.push(*comparison);
                }
            }
            Self::All(parts) => parts.iter().for_each(|part| part.violated(values, found)),
            Self::Any(parts) => {
                if self.distance(values) > 0 {
                    parts.iter().for_each(|part| part.violated(values, found));
                }
            }
        }
    }

    /// Adds all comparisons.
    pub(super) fn comparisons(&self, found: &mut Vec<WordComparison>) {
        match self {
            Self::Compared(comparison) => found.push(*comparison),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.comparisons(found)),
        }
    }

    /// Adds the pairs of words that must be equal whatever else is.
    pub(super) fn equations(&self, found: &mut Vec<[usize; 2]>) {
        match self {
            Self::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) => {
                found.push([*left, *right]);
            }
            Self::All(parts) => parts.iter().for_each(|part| part.equations(found)),
            Self::Compared(_) | Self::Any(_) => {}
        }
    }

    /// Returns the variables that it depends on.
    pub(super) fn support(&self, program: &WordProgram) -> VariableSet {
        match self {
            Self::Compared(WordComparison { left, right, .. }) => {
                program.support(*left) | program.support(*right)
            }
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().fold(0, |support, part| support | part.support(program))
            }
        }
    }
}

/// Comparison of two words. `a < a - b`, which means that the difference wraps around, is `a < b`.
fn less(program: &WordProgram, left: usize, right: usize, holds: bool) -> Formula {
    let right = match program.binary(right, WordOperator::Sub) {
        Some([minuend, subtrahend]) if minuend == left => subtrahend,
        _ => right,
    };
    Formula::Compared(WordComparison { relation: Relation::Less, left, right, holds })
}

/// Equality of two words. It holds for a word and itself. That of two hashes of as many bytes is that of the bytes.
fn equal(program: &mut WordProgram, a: usize, b: usize, holds: bool, steps: usize) -> Formula {
    if a == b {
        return if holds { Formula::All(Vec::new()) } else { Formula::Any(Vec::new()) };
    }
    let [left, right] = [a, b].map(|word| program.word(word).clone());
    if let (
        Computation::Operation(WordOperator::Hash, left),
        Computation::Operation(WordOperator::Hash, right),
    ) = (&left, &right)
        && steps < MOST_STEPS
        && left.len() == right.len()
        && left[0] == right[0]
    {
        let pairs = left.iter().zip(right.iter()).skip(1);
        let parts = pairs.map(|(left, right)| equal(program, *left, *right, holds, steps + 1)).collect();
        return if holds { Formula::All(parts) } else { Formula::Any(parts) };
    }
    // A comparison with zero or one of the outcome of a comparison.
    for (word, other) in [(a, b), (b, a)] {
        match program.constant(other) {
            Some(U256::ZERO) if is_boolean(program, word) => {
                return Formula::within(program, word, !holds, steps + 1);
            }
            Some(U256::ONE) if is_boolean(program, word) => {
                return Formula::within(program, word, holds, steps + 1);
            }
            _ => {}
        }
    }
    Formula::Compared(WordComparison { relation: Relation::Equal, left: a, right: b, holds })
}

/// Tells whether a word is zero or one whatever the variables are.
fn is_boolean(program: &WordProgram, word: usize) -> bool {
    possible_bits(program, word) <= U256::ONE
}
