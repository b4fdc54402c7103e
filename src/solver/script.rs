//! Conditions in the language of SMT-LIB (version 2.6, logic QF_BV).
//!
//! Every word of the program is defined once, with as many bits as its upper bound has ([`Bounds`]). Operations that
//! are not expressed (hashes, powers with large or variable exponents, bytes at a variable index) keep the values that
//! they had on the path, and so do their operands.

use super::{
    arithmetic::low_bits,
    bounds::Bounds,
    formula::{Formula, WordComparison},
    path_condition::PathCondition,
    program::Computation,
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;
use easy_smt::{Context, ContextBuilder, SExpr};
use std::{cmp::Ordering, fmt::Write as _};

/// Largest exponent of EXP that is written as multiplications.
const MOST_FACTORS: u64 = 16;

/// Returns the name of a variable in a script.
pub(super) fn name(variable: usize) -> String {
    format!("v{variable}")
}

/// Writes a path condition, and asks for the values of its variables.
pub(super) fn write(condition: &PathCondition) -> String {
    let Ok(context) = ContextBuilder::new().build() else { return String::new() };
    let values = condition.program.evaluate(&condition.values());
    Script { condition, context, values, bounds: Bounds::of(condition) }.write()
}

/// Constructor of an expression with two operands.
type BinaryOperation = fn(&Context, SExpr, SExpr) -> SExpr;

struct Script<'a> {
    condition: &'a PathCondition,
    context: Context,
    /// Words on the path.
    values: Vec<U256>,
    bounds: Bounds,
}

impl Script<'_> {
    fn write(&self) -> String {
        let Self { condition, context, .. } = self;
        let mut script = String::from("(set-option :produce-models true)\n(set-logic QF_BV)\n");
        let mut command = |items: Vec<SExpr>| {
            let _ = writeln!(script, "{}", context.display(context.list(items)));
        };
        let [define, declare, assert] =
            ["define-fun", "declare-const", "assert"].map(|name| context.atom(name));
        let support: Vec<usize> = condition.support().collect();
        let mut compared = Vec::new();
        condition.conditions.iter().for_each(|part| part.comparisons(&mut compared));
        let compared = compared.iter().flat_map(|comparison| [comparison.left, comparison.right]);
        let mut fixed = Vec::new();
        for index in condition.program.needed(compared) {
            let bits = self.bounds.bits(index);
            let sort = context.bit_vec_sort(context.numeral(bits));
            match condition.program.word(index) {
                Computation::Constant(_) => {}
                Computation::Variable(variable) => {
                    let symbol = context.atom(name(*variable));
                    command(vec![declare, symbol, sort]);
                    let most = self.bounds.most(index);
                    if most.count_ones() < bits {
                        command(vec![assert, context.bvule(symbol, self.constant(most, bits))]);
                    }
                }
                Computation::Operation(operator, operands) => {
                    let word = self.operation(index, *operator, operands).unwrap_or_else(|| {
                        fixed.extend_from_slice(operands);
                        self.constant(self.values[index], bits)
                    });
                    command(vec![
                        define,
                        context.atom(format!("w{index}")),
                        context.list(Vec::new()),
                        sort,
                        word,
                    ]);
                }
            }
        }
        for operand in fixed {
            // The value on the path may be above the bound, since the path does not meet the condition of the branch.
            let value = self.values[operand];
            let bits = self.bounds.bits(operand).max(value.bit_len());
            command(vec![assert, context.eq(self.word(operand, bits), self.constant(value, bits))]);
        }
        for part in &condition.conditions {
            command(vec![assert, self.formula(part)]);
        }
        command(vec![context.atom("check-sat")]);
        let symbols = support.iter().map(|variable| context.atom(name(*variable))).collect();
        command(vec![context.atom("get-value"), context.list(symbols)]);
        script
    }

    /// Returns the lowest bits of a word.
    fn word(&self, index: usize, bits: usize) -> SExpr {
        let word = match self.condition.program.word(index) {
            Computation::Constant(value) => return self.constant(*value, bits),
            Computation::Variable(variable) => self.context.atom(name(*variable)),
            Computation::Operation(..) => self.context.atom(format!("w{index}")),
        };
        self.resized(word, self.bounds.bits(index), bits)
    }

    /// Cuts a word off after `to` bits, or puts zeros before it.
    fn resized(&self, word: SExpr, from: usize, to: usize) -> SExpr {
        match from.cmp(&to) {
            Ordering::Less => self.context.concat(self.constant(U256::ZERO, to - from), word),
            Ordering::Equal => word,
            Ordering::Greater => self.context.extract(to as i32 - 1, 0, word),
        }
    }

    /// Returns the lowest bits of a number.
    fn constant(&self, value: U256, bits: usize) -> SExpr {
        self.context.atom(format!("(_ bv{} {bits})", value & low_bits(bits)))
    }

    fn formula(&self, formula: &Formula) -> SExpr {
        let context = &self.context;
        let list = |parts: &[Formula], neutral: SExpr, join: fn(&Context, Vec<SExpr>) -> SExpr| match parts {
            [] => neutral,
            parts => join(context, parts.iter().map(|part| self.formula(part)).collect()),
        };
        match formula {
            Formula::Compared(comparison) => self.comparison(comparison),
            Formula::All(parts) => list(parts, context.true_(), Context::and_many),
            Formula::Any(parts) => list(parts, context.false_(), Context::or_many),
        }
    }

    fn comparison(&self, comparison: &WordComparison) -> SExpr {
        let context = &self.context;
        let WordComparison { relation, left, right, holds } = *comparison;
        let compared = match relation {
            Relation::Equal => {
                match self.undone_product(left, right).or_else(|| self.undone_product(right, left)) {
                    Some([factor, other]) => {
                        context.or(context.not(self.is_zero(factor)), self.is_zero(other))
                    }
                    None => self.compared(left, right, 0, Context::eq),
                }
            }
            Relation::Less => self.compared(left, right, 0, Context::bvult),
            Relation::SignedLess => self.signed_less(left, right),
        };
        if holds { compared } else { context.not(compared) }
    }

    /// For `a * b / a == b`, where the product cannot overflow, returns `a` and `b`.
    fn undone_product(&self, left: usize, right: usize) -> Option<[usize; 2]> {
        let program = &self.condition.program;
        let operation = |word: usize, wanted: WordOperator| match program.word(word) {
            Computation::Operation(operator, operands) if *operator == wanted => {
                Some([operands[0], operands[1]])
            }
            _ => None,
        };
        let [product, factor] = operation(left, WordOperator::Div)?;
        let [first, second] = operation(product, WordOperator::Mul)?;
        self.bounds.most(first).checked_mul(self.bounds.most(second))?;
        ([first, second] == [factor, right] || [second, first] == [factor, right]).then_some([factor, right])
    }

    fn is_zero(&self, word: usize) -> SExpr {
        let bits = self.bounds.bits(word);
        self.context.eq(self.word(word, bits), self.constant(U256::ZERO, bits))
    }

    /// Compares two words as numbers of as many bits as they need, and at least of `least`.
    fn compared(&self, left: usize, right: usize, least: usize, relation: BinaryOperation) -> SExpr {
        let bits = self.widest([left, right]).max(least);
        relation(&self.context, self.word(left, bits), self.word(right, bits))
    }

    /// Compares two words as signed numbers.
    fn signed_less(&self, left: usize, right: usize) -> SExpr {
        match [left, right].into_iter().all(|word| self.bounds.is_never_negative(word)) {
            true => self.compared(left, right, 0, Context::bvult),
            false => self.compared(left, right, 256, Context::bvslt),
        }
    }

    /// Returns the result of an operation, with as many bits as its bound; `None` if it is not expressed.
    fn operation(&self, index: usize, operator: WordOperator, operands: &[usize]) -> Option<SExpr> {
        let context = &self.context;
        let bits = self.bounds.bits(index);
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

    /// Returns a quotient or a remainder of numbers of at least this number of bits. Division by zero gives zero in the
    /// EVM.
    fn divided(&self, index: usize, operands: &[usize], least: usize, operation: BinaryOperation) -> SExpr {
        let result = self.widened(index, [operands[0], operands[1]], least, operation);
        self.unless_zero(operands[1], result, self.bounds.bits(index))
    }

    /// Returns zero if the divisor is zero, as the EVM does.
    fn unless_zero(&self, divisor: usize, result: SExpr, bits: usize) -> SExpr {
        if self.condition.program.constant(divisor).is_some_and(|divisor| !divisor.is_zero()) {
            return result;
        }
        self.context.ite(self.is_zero(divisor), self.constant(U256::ZERO, bits), result)
    }

    /// Applies an operation to two words of as many bits as both need, and at least of `least`. The result has as many
    /// bits as the bound of the word `index`.
    fn widened(&self, index: usize, words: [usize; 2], least: usize, operation: BinaryOperation) -> SExpr {
        let wide = self.widest(words).max(least);
        let [left, right] = words.map(|word| self.word(word, wide));
        self.resized(operation(&self.context, left, right), wide, self.bounds.bits(index))
    }

    /// Returns the number of bits that both words have.
    fn widest(&self, words: [usize; 2]) -> usize {
        words.map(|word| self.bounds.bits(word)).into_iter().max().unwrap_or(1)
    }

    /// Returns the remainder of a sum or product that is computed with all its bits.
    fn modular(&self, index: usize, operands: &[usize], operation: BinaryOperation) -> SExpr {
        let context = &self.context;
        let bits = self.bounds.bits(index);
        let sum = self.bounds.bits(operands[0]) + self.bounds.bits(operands[1]);
        let wide = sum.max(self.bounds.bits(operands[2]));
        let [first, second, divisor] = [0, 1, 2].map(|nth| self.word(operands[nth], wide));
        let remainder = context.bvurem(operation(context, first, second), divisor);
        self.unless_zero(operands[2], self.resized(remainder, wide, bits), bits)
    }

    fn byte(&self, index: usize, operands: &[usize]) -> Option<SExpr> {
        let at: u64 = self.condition.program.constant(operands[0])?.try_into().unwrap_or(u64::MAX);
        let bits = self.bounds.bits(index);
        let wide = self.bounds.bits(operands[1]).max(8);
        let shift = 31_u64.checked_sub(at).map(|place| 8 * place).filter(|shift| *shift < wide as u64);
        let Some(shift) = shift else { return Some(self.constant(U256::ZERO, bits)) };
        let shift = self.constant(U256::from(shift), wide);
        let moved = self.context.bvlshr(self.word(operands[1], wide), shift);
        Some(self.resized(moved, wide, bits))
    }

    fn power(&self, index: usize, operands: &[usize]) -> Option<SExpr> {
        let context = &self.context;
        let program = &self.condition.program;
        let bits = self.bounds.bits(index);
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
        let context = &self.context;
        let bits = self.bounds.bits(index);
        if self.bounds.is_never_negative(index) {
            return Some(self.word(operands[1], bits));
        }
        let bytes: u64 = self.condition.program.constant(operands[0])?.try_into().unwrap_or(u64::MAX);
        let unused = self.constant(U256::from(8 * (31 - bytes.min(31))), bits);
        Some(context.bvashr(context.bvshl(self.word(operands[1], bits), unused), unused))
    }
}
