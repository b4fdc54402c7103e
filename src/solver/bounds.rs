//! Upper bounds of words. A script has as many bits for a word as its bound: multiplication and division take SMT
//! solvers most of their time, and more with more bits.

use super::{
    arithmetic::{low_bits, shift},
    facts::ConditionFacts,
    path_condition::PathCondition,
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::U256;

/// Largest value that each word can have if the conditions hold.
pub(super) struct Bounds<'a> {
    program: &'a WordProgram,
    most: Vec<U256>,
    facts: ConditionFacts,
}

impl<'a> Bounds<'a> {
    /// Computes all bounds. Conditions bound variables and differences only. Another result cannot be cut by a
    /// condition on it: the cut result could meet the condition although the full one does not.
    pub(super) fn of(condition: &'a PathCondition) -> Self {
        let PathCondition { program, variables, conditions } = condition;
        let facts = ConditionFacts::of(program, conditions);
        let mut bounds = Self { program, most: Vec::with_capacity(program.len()), facts };
        for index in 0..program.len() {
            let most = match program.word(index) {
                Computation::Constant(value) => *value,
                Computation::Variable(variable) => {
                    let constants =
                        bounds.facts.at_least(index).filter_map(|larger| program.constant(larger));
                    constants.fold(variables[*variable].most, U256::min)
                }
                Computation::Operation(operator, operands) => bounds.result(*operator, operands),
            };
            bounds.most.push(most);
        }
        bounds
    }

    /// Returns the bound of a word.
    pub(super) fn most(&self, word: usize) -> U256 {
        self.most[word]
    }

    /// Returns the number of bits of the bound, at least one.
    pub(super) fn bits(&self, word: usize) -> usize {
        self.most[word].bit_len().max(1)
    }

    /// Tells whether a word is not negative as a signed number.
    pub(super) fn is_never_negative(&self, word: usize) -> bool {
        self.bits(word) < 256
    }

    /// Tells whether an operation cannot wrap around, since its operands are small enough.
    pub(super) fn fits(&self, index: usize) -> bool {
        match self.program.word(index) {
            Computation::Operation(operator, operands) => self.exact(*operator, operands).is_some(),
            _ => true,
        }
    }

    /// Returns the largest result of an operation that cannot wrap around, since its operands are small enough; the
    /// largest word for operations that never do.
    fn exact(&self, operator: WordOperator, operands: &[usize]) -> Option<U256> {
        let most = |nth: usize| self.most(operands[nth]);
        let constant = |nth: usize| self.program.constant(operands[nth]);
        match operator {
            WordOperator::Add => most(0).checked_add(most(1)),
            WordOperator::Mul => most(0).checked_mul(most(1)),
            WordOperator::Exp => most(0).checked_pow(constant(1)?),
            WordOperator::Sub => constant(0).filter(|minuend| *minuend >= most(1)),
            WordOperator::ShiftLeft => {
                let by = shift(constant(0)?);
                (most(1).bit_len() + by <= 256).then(|| most(1) << by)
            }
            _ => Some(U256::MAX),
        }
    }

    /// Tells whether an operation does not wrap around if the conditions hold.
    pub(super) fn is_exact(&self, index: usize) -> bool {
        self.fits(index)
            || match self.program.word(index) {
                Computation::Operation(WordOperator::Add, operands) => {
                    operands.iter().any(|operand| self.facts.is_at_least(index, *operand))
                }
                Computation::Operation(WordOperator::Sub, operands) => {
                    self.facts.is_at_least(operands[0], operands[1])
                }
                Computation::Operation(WordOperator::Mul, operands) => {
                    self.facts.is_representable([operands[0], operands[1]])
                }
                _ => false,
            }
    }

    fn result(&self, operator: WordOperator, operands: &[usize]) -> U256 {
        let most = |nth: usize| self.most(operands[nth]);
        let constant = |nth: usize| self.program.constant(operands[nth]);
        match operator {
            WordOperator::Sub if self.facts.is_at_least(operands[0], operands[1]) => most(0),
            WordOperator::Div => {
                most(0) / constant(1).filter(|divisor| !divisor.is_zero()).unwrap_or(U256::ONE)
            }
            WordOperator::Mod => most(0).min(most(1).saturating_sub(U256::ONE)),
            WordOperator::AddMod | WordOperator::MulMod => most(2).saturating_sub(U256::ONE),
            WordOperator::And => most(0).min(most(1)),
            WordOperator::Or | WordOperator::Xor => low_bits(most(0).bit_len().max(most(1).bit_len())),
            WordOperator::ShiftRight => most(1) >> constant(0).map_or(0, shift),
            // The sign bit is clear.
            WordOperator::SignExtend => match constant(0).map(shift) {
                Some(bytes) if most(1).bit_len() <= 8 * bytes + 7 => most(1),
                _ => U256::MAX,
            },
            WordOperator::Byte => U256::from(0xff),
            operator if operator.is_comparison() => U256::ONE,
            operator => self.exact(operator, operands).unwrap_or(U256::MAX),
        }
    }
}
