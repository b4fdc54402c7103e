//! Upper bounds of words. A script has as many bits for a word as its bound: multiplication and division take SMT
//! solvers most of their time, and more with more bits.

use super::{
    arithmetic::{low_bits, shift},
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
type AtLeast = BTreeSet<(usize, usize)>;

impl Bounds {
    /// Computes all bounds. Conditions bound variables and differences only. Another result cannot be cut by a
    /// condition on it: the cut result could meet the condition although the full one does not.
    pub(super) fn of(condition: &PathCondition) -> Self {
        let PathCondition { program, variables, conditions } = condition;
        let mut at_least = AtLeast::new();
        conditions.iter().for_each(|condition| add_facts(condition, &mut at_least));
        let mut bounds = Self(Vec::with_capacity(program.len()));
        for index in 0..program.len() {
            let most = match program.word(index) {
                Computation::Constant(value) => *value,
                Computation::Variable(variable) => {
                    let larger = at_least.iter().filter(|(_, least)| *least == index);
                    let constants = larger.filter_map(|(most, _)| program.constant(*most));
                    constants.fold(variables[*variable].most, U256::min)
                }
                Computation::Operation(WordOperator::Sub, operands) => {
                    bounds.difference(index, [operands[0], operands[1]], program, &at_least)
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
    pub(super) fn is_never_negative(&self, word: usize) -> bool {
        self.bits(word) < 256
    }

    /// Returns the bound of a difference: that of the first word, if the second must not be larger.
    fn difference(
        &self,
        index: usize,
        [minuend, subtrahend]: [usize; 2],
        program: &WordProgram,
        at_least: &AtLeast,
    ) -> U256 {
        if at_least.contains(&(minuend, subtrahend))
            || program.constant(minuend).is_some_and(|minuend| minuend >= self.most(subtrahend))
        {
            self.most(minuend)
        } else if at_least.contains(&(minuend, index)) {
            // The condition states that the difference does not wrap around. With the bits of both words, a difference
            // that does is still larger than the first word.
            self.most(minuend).max(self.most(subtrahend))
        } else {
            U256::MAX
        }
    }

    fn result(&self, program: &WordProgram, operator: WordOperator, operands: &[usize]) -> U256 {
        let most = |nth: usize| self.most(operands[nth]);
        let constant = |nth: usize| program.constant(operands[nth]);
        match operator {
            WordOperator::Add => most(0).checked_add(most(1)).unwrap_or(U256::MAX),
            WordOperator::Mul => most(0).checked_mul(most(1)).unwrap_or(U256::MAX),
            WordOperator::Div => {
                most(0) / constant(1).filter(|divisor| !divisor.is_zero()).unwrap_or(U256::ONE)
            }
            WordOperator::Mod => most(0).min(most(1).saturating_sub(U256::ONE)),
            WordOperator::AddMod | WordOperator::MulMod => most(2).saturating_sub(U256::ONE),
            WordOperator::And => most(0).min(most(1)),
            WordOperator::Or | WordOperator::Xor => low_bits(most(0).bit_len().max(most(1).bit_len())),
            WordOperator::ShiftLeft => match constant(0).map(shift) {
                Some(by) if most(1).bit_len() + by <= 256 => most(1) << by,
                _ => U256::MAX,
            },
            WordOperator::ShiftRight => most(1) >> constant(0).map_or(0, shift),
            // The sign bit is clear.
            WordOperator::SignExtend => match constant(0).map(shift) {
                Some(bytes) if most(1).bit_len() <= 8 * bytes + 7 => most(1),
                _ => U256::MAX,
            },
            WordOperator::Byte => U256::from(0xff),
            operator if operator.is_comparison() => U256::ONE,
            _ => U256::MAX,
        }
    }
}

/// Adds the pairs for which that must be if the condition is to hold.
fn add_facts(condition: &Formula, at_least: &mut AtLeast) {
    match condition {
        Formula::Compared(WordComparison { relation: Relation::Less, left, right, holds }) => {
            at_least.insert(if *holds { (*right, *left) } else { (*left, *right) });
        }
        Formula::Compared(WordComparison { relation: Relation::Equal, left, right, holds: true }) => {
            at_least.extend([(*left, *right), (*right, *left)]);
        }
        Formula::All(parts) => parts.iter().for_each(|part| add_facts(part, at_least)),
        Formula::Compared(_) | Formula::Any(_) => {}
    }
}
