//! Upper bounds of words. A script has as many bits for a word as its bound, since SMT solvers take most of their time
//! for products and quotients, and for these the more bits they have.

use super::{
    formula::{Formula, WordComparison},
    path_condition::PathCondition,
    program::{Computation, WordProgram},
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;
use std::collections::BTreeSet;

/// Largest value that each word can have if the conditions hold.
pub(super) struct Bounds(Vec<U256>);

/// Pairs of words of which the first must be at least the second.
type Ordered = BTreeSet<(usize, usize)>;

impl Bounds {
    pub(super) fn of(condition: &PathCondition) -> Self {
        let PathCondition { program, variables, conditions } = condition;
        let mut ordered = Ordered::new();
        conditions.iter().for_each(|condition| add_ordered(condition, &mut ordered));
        let mut bounds = Self(Vec::with_capacity(program.len()));
        for index in 0..program.len() {
            let most = match program.word(index) {
                Computation::Constant(value) => *value,
                Computation::Variable(variable) => {
                    let larger = ordered.iter().filter(|(_, least)| *least == index);
                    let constants = larger.filter_map(|(most, _)| program.constant(*most));
                    constants.fold(variables[*variable].most, U256::min)
                }
                Computation::Operation(WordOperator::Sub, operands) => {
                    bounds.difference(index, [operands[0], operands[1]], program, &ordered)
                }
                Computation::Operation(operator, operands) => bounds.result(program, *operator, operands),
            };
            bounds.0.push(most);
        }
        bounds
    }

    /// Returns the bound of a word.
    pub(super) fn most(&self, word: usize) -> U256 {
        self.0[word]
    }

    /// Returns the number of bits of the bound, at least one.
    pub(super) fn bits(&self, word: usize) -> usize {
        self.0[word].bit_len().max(1)
    }

    /// Tells whether a word is not negative as a signed number.
    pub(super) fn is_unsigned(&self, word: usize) -> bool {
        self.bits(word) < 256
    }

    /// Returns the bound of a difference: that of the first word, if the second must not be larger.
    fn difference(
        &self,
        index: usize,
        [from, less]: [usize; 2],
        program: &WordProgram,
        ordered: &Ordered,
    ) -> U256 {
        if ordered.contains(&(from, less))
            || program.constant(from).is_some_and(|from| from >= self.most(less))
        {
            self.most(from)
        } else if ordered.contains(&(from, index)) {
            // This checks for a wrap-around, with as many bits as both words have.
            self.most(from).max(self.most(less))
        } else {
            U256::MAX
        }
    }

    fn result(&self, program: &WordProgram, operator: WordOperator, operands: &[usize]) -> U256 {
        let most = |nth: usize| self.most(operands[nth]);
        let constant = |nth: usize| program.constant(operands[nth]);
        let ones = |bits: usize| if bits == 0 { U256::ZERO } else { U256::MAX >> (256 - bits) };
        match operator {
            WordOperator::Add => most(0).checked_add(most(1)).unwrap_or(U256::MAX),
            WordOperator::Mul => most(0).checked_mul(most(1)).unwrap_or(U256::MAX),
            WordOperator::Div => {
                most(0) / constant(1).filter(|divisor| !divisor.is_zero()).unwrap_or(U256::ONE)
            }
            WordOperator::Mod => most(0).min(most(1).saturating_sub(U256::ONE)),
            WordOperator::AddMod | WordOperator::MulMod => most(2).saturating_sub(U256::ONE),
            WordOperator::And => most(0).min(most(1)),
            WordOperator::Or | WordOperator::Xor => ones(most(0).bit_len().max(most(1).bit_len())),
            WordOperator::ShiftLeft => match constant(0).and_then(|by| usize::try_from(by).ok()) {
                Some(by) if most(1).bit_len().saturating_add(by) <= 256 => most(1) << by,
                _ => U256::MAX,
            },
            WordOperator::ShiftRight => match constant(0) {
                Some(by) => usize::try_from(by).map_or(U256::ZERO, |by| most(1) >> by),
                None => most(1),
            },
            WordOperator::SignExtend => match constant(0).and_then(|bytes| usize::try_from(bytes).ok()) {
                Some(bytes) if most(1).bit_len() <= bytes.saturating_mul(8).saturating_add(7) => most(1),
                _ => U256::MAX,
            },
            WordOperator::Byte => U256::from(0xff),
            operator if operator.is_comparison() => U256::ONE,
            _ => U256::MAX,
        }
    }
}

/// Adds the order of two words that a condition demands whatever else is.
fn add_ordered(condition: &Formula, ordered: &mut Ordered) {
    match condition {
        Formula::Compared(WordComparison { relation: Relation::Less, left, right, holds }) => {
            ordered.insert(if *holds { (*right, *left) } else { (*left, *right) });
        }
        Formula::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) => {
            ordered.extend([(*left, *right), (*right, *left)]);
        }
        Formula::All(parts) => parts.iter().for_each(|part| add_ordered(part, ordered)),
        Formula::Compared(_) | Formula::Any(_) => {}
    }
}
