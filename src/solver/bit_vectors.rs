//! Words as bit vectors (logic QF_BV), with as many bits as their upper bounds have.
//!
//! Operations that are not expressed (hashes, powers with large or variable exponents, bytes at a variable index) keep
//! the values that they had on the path, and so do their operands.

use super::{
    arithmetic::low_bits,
    facts::undone_product,
    formula::WordComparison,
    program::Computation,
    script::{MOST_FACTORS, ScriptScope, Theory},
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;
use easy_smt::{Context, SExpr};
use std::cmp::Ordering;

/// Constructor of an expression with two operands.
type BinaryOperation = fn(&Context, SExpr, SExpr) -> SExpr;

/// Words as bit vectors.
pub(super) struct BitVectors<'a>(pub(super) &'a ScriptScope<'a>);

impl Theory for BitVectors<'_> {
    const LOGIC: &'static str = "QF_BV";
    const KEEPS_VALUES: bool = true;

    fn scope(&self) -> &ScriptScope<'_> {
        self.0
    }

    fn sort(&self, index: usize) -> SExpr {
        self.0.context.bit_vec_sort(self.0.context.numeral(self.0.bounds.bits(index)))
    }

    fn value(&self, index: usize, value: U256) -> SExpr {
        self.constant(value, self.0.bounds.bits(index))
    }

    fn range(&self, index: usize) -> Option<SExpr> {
        let (most, bits) = (self.0.bounds.most(index), self.0.bounds.bits(index));
        let is_variable = matches!(self.0.program().word(index), Computation::Variable(_));
        let is_narrower = is_variable && most.count_ones() < bits;
        is_narrower.then(|| self.0.context.bvule(self.0.symbol(index), self.constant(most, bits)))
    }

    fn pinned(&self, index: usize, value: U256) -> SExpr {
        // The value on the path may be above the bound, since the path does not meet the condition of the branch.
        let bits = self.0.bounds.bits(index).max(value.bit_len());
        self.0.context.eq(self.word(index, bits), self.constant(value, bits))
    }

    fn comparison(&self, comparison: &WordComparison) -> SExpr {
        let context = &self.0.context;
        let WordComparison { relation, left, right, holds } = *comparison;
        let compared = match relation {
            Relation::Equal => match undone_product(self.0.program(), left, right) {
                Some(undone) if self.0.bounds.fits(undone.product) => {
                    context.or(context.not(self.is_zero(undone.divisor)), self.is_zero(undone.other))
                }
                _ => self.compared(left, right, 0, Context::eq),
            },
            Relation::Less => self.compared(left, right, 0, Context::bvult),
            Relation::SignedLess => self.signed_less(left, right),
        };
        if holds { compared } else { context.not(compared) }
    }

    fn operation(&self, index: usize, operator: WordOperator, operands: &[usize]) -> Option<SExpr> {
        let context = &self.0.context;
        let bits = self.0.bounds.bits(index);
        let of = |nth: usize| self.word(operands[nth], bits);
        let flag = |condition: SExpr| {
            context.ite(condition, self.constant(U256::ONE, bits), self.constant(U256::ZERO, bits))
        };
        let less =
            |left: usize, right: usize| self.compared(operands[left], operands[right], 0, Context::bvult);
        Some(match operator {
            WordOperator::Add => context.bvadd(of(0), of(1)),
            WordOperator::Mul => context.bvmul(of(0), of(1)),
            WordOperator::Sub => context.bvsub(of(0), of(1)),
            WordOperator::Div => self.divided(index, operands, 0, Context::bvudiv),
            WordOperator::Mod => self.divided(index, operands, 0, Context::bvurem),
            WordOperator::SignedDiv => self.divided(index, operands, 256, Context::bvsdiv),
            WordOperator::SignedMod => self.divided(index, operands, 256, Context::bvsrem),
            WordOperator::AddMod => self.modular(index, operands, Context::bvadd),
            WordOperator::MulMod => self.modular(index, operands, Context::bvmul),
            WordOperator::Exp => self.power(index, operands)?,
            WordOperator::SignExtend => self.sign_extended(index, operands)?,
            WordOperator::Less => flag(less(0, 1)),
            WordOperator::Greater => flag(less(1, 0)),
            WordOperator::SignedLess => flag(self.signed_less(operands[0], operands[1])),
            WordOperator::SignedGreater => flag(self.signed_less(operands[1], operands[0])),
            WordOperator::Equal => flag(self.compared(operands[0], operands[1], 0, Context::eq)),
            WordOperator::IsZero => flag(self.is_zero(operands[0])),
            WordOperator::And => context.bvand(of(0), of(1)),
            WordOperator::Or => context.bvor(of(0), of(1)),
            WordOperator::Xor => context.bvxor(of(0), of(1)),
            WordOperator::Not => context.bvnot(of(0)),
            WordOperator::Byte => self.byte(index, operands)?,
            WordOperator::ShiftLeft => self.widened(index, [operands[1], operands[0]], bits, Context::bvshl),
            WordOperator::ShiftRight => self.widened(index, [operands[1], operands[0]], 0, Context::bvlshr),
            WordOperator::SignedShiftRight => {
                self.widened(index, [operands[1], operands[0]], 256, Context::bvashr)
            }
            WordOperator::Hash | WordOperator::Builtin => return None,
        })
    }
}

impl BitVectors<'_> {
    /// Returns the lowest bits of a word.
    fn word(&self, index: usize, bits: usize) -> SExpr {
        match self.0.program().constant(index) {
            Some(value) => self.constant(value, bits),
            None => self.resized(self.0.symbol(index), self.0.bounds.bits(index), bits),
        }
    }

    /// Cuts a word off after `to` bits, or puts zeros before it.
    fn resized(&self, word: SExpr, from: usize, to: usize) -> SExpr {
        match from.cmp(&to) {
            Ordering::Less => self.0.context.concat(self.constant(U256::ZERO, to - from), word),
            Ordering::Equal => word,
            Ordering::Greater => self.0.context.extract(to as i32 - 1, 0, word),
        }
    }

    /// Returns the lowest bits of a number.
    fn constant(&self, value: U256, bits: usize) -> SExpr {
        self.0.context.atom(format!("(_ bv{} {bits})", value & low_bits(bits)))
    }

    fn is_zero(&self, word: usize) -> SExpr {
        let bits = self.0.bounds.bits(word);
        self.0.context.eq(self.word(word, bits), self.constant(U256::ZERO, bits))
    }

    /// Compares two words as numbers of as many bits as they need, and at least of `least`.
    fn compared(&self, left: usize, right: usize, least: usize, relation: BinaryOperation) -> SExpr {
        let bits = self.widest([left, right]).max(least);
        relation(&self.0.context, self.word(left, bits), self.word(right, bits))
    }

    /// Compares two words as signed numbers.
    fn signed_less(&self, left: usize, right: usize) -> SExpr {
        match [left, right].into_iter().all(|word| self.0.bounds.is_never_negative(word)) {
            true => self.compared(left, right, 0, Context::bvult),
            false => self.compared(left, right, 256, Context::bvslt),
        }
    }

    /// Returns a quotient or a remainder of numbers of at least this number of bits. Division by zero gives zero in the
    /// EVM.
    fn divided(&self, index: usize, operands: &[usize], least: usize, operation: BinaryOperation) -> SExpr {
        let result = self.widened(index, [operands[0], operands[1]], least, operation);
        self.unless_zero(operands[1], result, self.0.bounds.bits(index))
    }

    /// Returns zero if the divisor is zero, as the EVM does.
    fn unless_zero(&self, divisor: usize, result: SExpr, bits: usize) -> SExpr {
        if self.0.program().constant(divisor).is_some_and(|divisor| !divisor.is_zero()) {
            return result;
        }
        self.0.context.ite(self.is_zero(divisor), self.constant(U256::ZERO, bits), result)
    }

    /// Applies an operation to two words of as many bits as both need, and at least of `least`. The result has as many
    /// bits as the bound of the word `index`.
    fn widened(&self, index: usize, words: [usize; 2], least: usize, operation: BinaryOperation) -> SExpr {
        let wide = self.widest(words).max(least);
        let [left, right] = words.map(|word| self.word(word, wide));
        self.resized(operation(&self.0.context, left, right), wide, self.0.bounds.bits(index))
    }

    /// Returns the number of bits that both words have.
    fn widest(&self, words: [usize; 2]) -> usize {
        words.map(|word| self.0.bounds.bits(word)).into_iter().max().unwrap_or(1)
    }

    /// Returns the remainder of a sum or product that is computed with all its bits.
    fn modular(&self, index: usize, operands: &[usize], operation: BinaryOperation) -> SExpr {
        let context = &self.0.context;
        let bits = self.0.bounds.bits(index);
        let sum = self.0.bounds.bits(operands[0]) + self.0.bounds.bits(operands[1]);
        let wide = sum.max(self.0.bounds.bits(operands[2]));
        let [first, second, divisor] = [0, 1, 2].map(|nth| self.word(operands[nth], wide));
        let remainder = context.bvurem(operation(context, first, second), divisor);
        self.unless_zero(operands[2], self.resized(remainder, wide, bits), bits)
    }

    fn byte(&self, index: usize, operands: &[usize]) -> Option<SExpr> {
        let at: u64 = self.0.program().constant(operands[0])?.try_into().unwrap_or(u64::MAX);
        let bits = self.0.bounds.bits(index);
        let wide = self.0.bounds.bits(operands[1]).max(8);
        let shift = 31_u64.checked_sub(at).map(|place| 8 * place).filter(|shift| *shift < wide as u64);
        let Some(shift) = shift else { return Some(self.constant(U256::ZERO, bits)) };
        let shift = self.constant(U256::from(shift), wide);
        let moved = self.0.context.bvlshr(self.word(operands[1], wide), shift);
        Some(self.resized(moved, wide, bits))
    }

    fn power(&self, index: usize, operands: &[usize]) -> Option<SExpr> {
        let context = &self.0.context;
        let program = self.0.program();
        let bits = self.0.bounds.bits(index);
        let word = |nth: usize| self.word(operands[nth], bits);
        let one = self.constant(U256::ONE, bits);
        if program.constant(operands[0]) == Some(U256::from(2)) {
            return Some(context.bvshl(one, word(1)));
        }
        let exponent: u64 = program.constant(operands[1])?.try_into().ok()?;
        let factors = (exponent <= MOST_FACTORS).then_some(exponent)?;
        Some((0..factors).fold(one, |product, _| context.bvmul(product, word(0))))
    }

    fn sign_extended(&self, index: usize, operands: &[usize]) -> Option<SExpr> {
        let context = &self.0.context;
        let bits = self.0.bounds.bits(index);
        if self.0.bounds.is_never_negative(index) {
            return Some(self.word(operands[1], bits));
        }
        let bytes: u64 = self.0.program().constant(operands[0])?.try_into().unwrap_or(u64::MAX);
        let unused = self.constant(U256::from(8 * (31 - bytes.min(31))), bits);
        Some(context.bvashr(context.bvshl(self.word(operands[1], bits), unused), unused))
    }
}
