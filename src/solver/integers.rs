//! Words as integers (logic QF_NIA).
//!
//! Sums, products, quotients and remainders of wide words take bit vectors minutes where integers take milliseconds.
//! Masks, shifts and bytes are quotients and remainders of powers of two. A condition with a product that may wrap
//! around, or with an operation on bits that no such terms express, has no script.

use super::{
    arithmetic::{low_bits, shift},
    facts::{divided_constant, undone_product},
    fields::possible_bits,
    formula::WordComparison,
    program::Computation,
    script::{MOST_FACTORS, ScriptScope, Theory},
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::{U256, U512};
use easy_smt::SExpr;

/// Words as integers from 0 to 2^256 - 1.
pub(super) struct Integers<'a>(pub(super) &'a ScriptScope<'a>);

impl Theory for Integers<'_> {
    const LOGIC: &'static str = "QF_NIA";
    const KEEPS_VALUES: bool = false;

    fn scope(&self) -> &ScriptScope<'_> {
        self.0
    }

    fn sort(&self, _: usize) -> SExpr {
        self.0.context.int_sort()
    }

    fn value(&self, _: usize, value: U256) -> SExpr {
        self.constant(value)
    }

    fn range(&self, index: usize) -> Option<SExpr> {
        let (context, word, zero) = (&self.0.context, self.word(index), self.constant(U256::ZERO));
        let is_at_most = |most: U256| context.lte(word, self.constant(most));
        match self.0.program().word(index) {
            Computation::Variable(_) => {
                Some(context.and(context.lte(zero, word), is_at_most(self.0.bounds.most(index))))
            }
            Computation::Operation(operator, _) if self.is_plain(index) && !self.0.bounds.fits(index) => {
                Some(match operator {
                    WordOperator::Sub => context.lte(zero, word),
                    _ => is_at_most(U256::MAX),
                })
            }
            _ => None,
        }
    }

    fn pinned(&self, index: usize, value: U256) -> SExpr {
        self.0.context.eq(self.word(index), self.constant(value))
    }

    fn comparison(&self, comparison: &WordComparison) -> SExpr {
        let context = &self.0.context;
        let WordComparison { relation, left, right, holds } = *comparison;
        let [a, b] = [left, right].map(|word| self.word(word));
        let compared = match relation {
            Relation::Equal => match undone_product(self.0.program(), left, right) {
                Some(undone) if self.is_plain(undone.product) => {
                    context.or(context.not(self.is_zero(undone.divisor)), self.is_zero(undone.other))
                }
                _ => context.eq(a, b),
            },
            Relation::Less => match divided_constant(self.0.program(), left) {
                // `c / a < b` is `c < a * b`, unless `a` is zero.
                Some((dividend, divisor)) => context.ite(
                    self.is_zero(divisor),
                    context.lt(self.constant(U256::ZERO), b),
                    context.lt(self.constant(dividend), context.times(self.word(divisor), b)),
                ),
                None => context.lt(a, b),
            },
            Relation::SignedLess => context.lt(self.signed(left), self.signed(right)),
        };
        if holds { compared } else { context.not(compared) }
    }

    fn operation(&self, index: usize, operator: WordOperator, operands: &[usize]) -> Option<SExpr> {
        let context = &self.0.context;
        let of = |nth: usize| self.word(operands[nth]);
        let constant = |nth: usize| self.0.program().constant(operands[nth]);
        let flag = |condition: SExpr| self.choice(condition, U256::ONE, U256::ZERO);
        let is_never_negative = || operands.iter().all(|word| self.0.bounds.is_never_negative(*word));
        Some(match operator {
            WordOperator::Add => self.wrapped_sum(index, context.plus(of(0), of(1))),
            WordOperator::Sub if self.is_plain(index) => context.sub(of(0), of(1)),
            WordOperator::Sub => {
                let wrapped = context.sub(context.plus(of(0), self.modulus()), of(1));
                context.ite(context.lt(of(0), of(1)), wrapped, context.sub(of(0), of(1)))
            }
            WordOperator::Mul if self.is_plain(index) => context.times(of(0), of(1)),
            WordOperator::SignedDiv | WordOperator::SignedMod if !is_never_negative() => return None,
            WordOperator::Div | WordOperator::SignedDiv => {
                self.unless_zero(operands[1], context.div(of(0), of(1)))
            }
            WordOperator::Mod | WordOperator::SignedMod => {
                self.unless_zero(operands[1], context.modulo(of(0), of(1)))
            }
            WordOperator::AddMod => {
                self.unless_zero(operands[2], context.modulo(context.plus(of(0), of(1)), of(2)))
            }
            WordOperator::MulMod => {
                self.unless_zero(operands[2], context.modulo(context.times(of(0), of(1)), of(2)))
            }
            WordOperator::Exp if self.is_plain(index) => {
                let exponent =
                    u64::try_from(constant(1)?).ok().filter(|exponent| *exponent <= MOST_FACTORS)?;
                (0..exponent).fold(self.constant(U256::ONE), |power, _| context.times(power, of(0)))
            }
            WordOperator::SignExtend if self.0.bounds.is_never_negative(index) => of(1),
            WordOperator::SignExtend => self.sign_extended(constant(0)?, operands[1]),
            WordOperator::Less => flag(context.lt(of(0), of(1))),
            WordOperator::Greater => flag(context.lt(of(1), of(0))),
            WordOperator::SignedLess => flag(context.lt(self.signed(operands[0]), self.signed(operands[1]))),
            WordOperator::SignedGreater => {
                flag(context.lt(self.signed(operands[1]), self.signed(operands[0])))
            }
            WordOperator::Equal => flag(context.eq(of(0), of(1))),
            WordOperator::IsZero => flag(self.is_zero(operands[0])),
            WordOperator::And => match (constant(0), constant(1)) {
                (Some(mask), _) => self.masked(mask, operands[1])?,
                (_, Some(mask)) => self.masked(mask, operands[0])?,
                _ if self.are_flags(operands) => context.times(of(0), of(1)),
                _ => return None,
            },
            WordOperator::Or if self.are_flags(operands) => {
                flag(context.lt(self.constant(U256::ZERO), context.plus(of(0), of(1))))
            }
            WordOperator::Or | WordOperator::Xor => {
                let [a, b] = [0, 1].map(|nth| possible_bits(self.0.program(), operands[nth]));
                (a & b).is_zero().then(|| context.plus(of(0), of(1)))?
            }
            WordOperator::Not => context.sub(self.constant(U256::MAX), of(0)),
            WordOperator::Byte => match usize::try_from(constant(0)?) {
                Ok(place) if place < 32 => self.field(operands[1], 8 * (31 - place), 8),
                _ => self.constant(U256::ZERO),
            },
            WordOperator::ShiftLeft => {
                let shifted = context.times(of(1), self.power_of_two(shift(constant(0)?)));
                if self.is_plain(index) { shifted } else { context.modulo(shifted, self.modulus()) }
            }
            WordOperator::ShiftRight => self.field(operands[1], shift(constant(0)?), 256),
            WordOperator::SignedShiftRight if self.0.bounds.is_never_negative(operands[1]) => {
                self.field(operands[1], shift(constant(0)?), 256)
            }
            _ => return None,
        })
    }
}

impl Integers<'_> {
    fn word(&self, index: usize) -> SExpr {
        match self.0.program().constant(index) {
            Some(value) => self.constant(value),
            None => self.0.symbol(index),
        }
    }

    fn constant(&self, value: U256) -> SExpr {
        self.0.context.atom(value.to_string())
    }

    /// Returns 2^256.
    fn modulus(&self) -> SExpr {
        self.power_of_two(256)
    }

    fn power_of_two(&self, exponent: usize) -> SExpr {
        self.0.context.atom((U512::ONE << exponent).to_string())
    }

    fn choice(&self, condition: SExpr, yes: U256, no: U256) -> SExpr {
        self.0.context.ite(condition, self.constant(yes), self.constant(no))
    }

    fn is_zero(&self, word: usize) -> SExpr {
        self.0.context.eq(self.word(word), self.constant(U256::ZERO))
    }

    /// Tells whether the result of an operation is written as that of integers: it does not wrap around.
    fn is_plain(&self, index: usize) -> bool {
        self.0.bounds.is_exact(index)
    }

    /// Tells whether all words are zero or one.
    fn are_flags(&self, words: &[usize]) -> bool {
        words.iter().all(|word| self.0.bounds.most(*word) <= U256::ONE)
    }

    /// Returns a sum of two words less 2^256, if it is larger and may be.
    fn wrapped_sum(&self, index: usize, sum: SExpr) -> SExpr {
        if self.is_plain(index) {
            return sum;
        }
        let context = &self.0.context;
        context.ite(context.lt(sum, self.modulus()), sum, context.sub(sum, self.modulus()))
    }

    /// Returns zero if the divisor is zero, as the EVM does.
    fn unless_zero(&self, divisor: usize, result: SExpr) -> SExpr {
        match self.0.program().constant(divisor) {
            Some(divisor) if !divisor.is_zero() => result,
            _ => self.0.context.ite(self.is_zero(divisor), self.constant(U256::ZERO), result),
        }
    }

    /// Returns a word as a signed number.
    fn signed(&self, word: usize) -> SExpr {
        let context = &self.0.context;
        if self.0.bounds.is_never_negative(word) {
            return self.word(word);
        }
        let is_negative = context.lte(self.power_of_two(255), self.word(word));
        context.ite(is_negative, context.sub(self.word(word), self.modulus()), self.word(word))
    }

    /// Returns a field of bits of a word as a number.
    fn field(&self, word: usize, at: usize, bits: usize) -> SExpr {
        let context = &self.0.context;
        let above =
            if at == 0 { self.word(word) } else { context.div(self.word(word), self.power_of_two(at)) };
        let has_more = self.0.bounds.bits(word) > at + bits;
        if has_more { context.modulo(above, self.power_of_two(bits)) } else { above }
    }

    /// Returns those bits of a word that a mask has, if they are next to each other.
    fn masked(&self, mask: U256, word: usize) -> Option<SExpr> {
        let at = if mask.is_zero() { 0 } else { mask.trailing_zeros() };
        let bits = mask.bit_len() - at;
        let field = (mask == low_bits(bits) << at).then(|| self.field(word, at, bits))?;
        Some(if at == 0 { field } else { self.0.context.times(field, self.power_of_two(at)) })
    }

    /// Returns the number that the lowest bytes of a word hold, one more than `byte`, with copies of its sign bit.
    fn sign_extended(&self, byte: U256, word: usize) -> SExpr {
        let context = &self.0.context;
        let Some(bits) = usize::try_from(byte).ok().filter(|byte| *byte < 31).map(|byte| 8 * (byte + 1))
        else {
            return self.word(word);
        };
        let number = self.field(word, 0, bits);
        let is_negative = context.lte(self.power_of_two(bits - 1), number);
        let extended = context.plus(number, self.constant(!low_bits(bits)));
        context.ite(is_negative, extended, number)
    }
}
