//! Conditions in the language of SMT-LIB (version 2.6, logic QF_BV).
//!
//! Every word of the program is defined once. Hashes have the values that they had on the path, and what they hash must
//! stay as it was; the same goes for powers with large exponents.

use super::{
    formula::{Formula, WordComparison},
    path_condition::PathCondition,
    program::Computation,
};
use crate::model::{Relation, WordOperator};
use alloy_primitives::U256;
use easy_smt::{Context, ContextBuilder, SExpr};
use std::fmt::Write as _;

/// Largest exponent of EXP that is written as multiplications.
const MOST_FACTORS: u64 = 16;

/// Returns the name of a variable in a script.
pub(super) fn name(variable: usize) -> String {
    format!("v{variable}")
}

/// Writes a path condition, and asks for the values of its variables.
pub(super) fn write(condition: &PathCondition) -> String {
    let Ok(context) = ContextBuilder::new().build() else { return String::new() };
    Script { condition, context, values: condition.program.evaluate(&condition.values()) }.write()
}

struct Script<'a> {
    condition: &'a PathCondition,
    context: Context,
    /// Words on the path.
    values: Vec<U256>,
}

impl Script<'_> {
    fn write(&self) -> String {
        let Self { condition, context, .. } = self;
        let mut script = String::from("(set-option :produce-models true)\n(set-logic QF_BV)\n");
        let mut command = |items: Vec<SExpr>| {
            let _ = writeln!(script, "{}", context.display(context.list(items)));
        };
        let sort = context.bit_vec_sort(context.numeral(256));
        let [define, declare, assert] =
            ["define-fun", "declare-const", "assert"].map(|name| context.atom(name));
        let support: Vec<usize> = condition.support().collect();
        for variable in &support {
            let symbol = context.atom(name(*variable));
            command(vec![declare, symbol, sort]);
            let most = condition.variables[*variable].most;
            if most < U256::MAX {
                command(vec![assert, context.bvule(symbol, self.constant(most))]);
            }
        }
        let mut fixed = Vec::new();
        let mut compared = Vec::new();
        condition.conditions.iter().for_each(|part| part.comparisons(&mut compared));
        let compared = compared.iter().flat_map(|comparison| [comparison.left, comparison.right]);
        for index in condition.program.needed(compared) {
            let Computation::Operation(operator, operands) = condition.program.word(index) else { continue };
            let word = self.operation(*operator, operands).unwrap_or_else(|| {
                fixed.extend_from_slice(operands);
                self.constant(self.values[index])
            });
            command(vec![define, context.atom(format!("w{index}")), context.list(Vec::new()), sort, word]);
        }
        for operand in fixed {
            command(vec![assert, context.eq(self.word(operand), self.constant(self.values[operand]))]);
        }
        for part in &condition.conditions {
            command(vec![assert, self.formula(part)]);
        }
        command(vec![context.atom("check-sat")]);
        let symbols = support.iter().map(|variable| context.atom(name(*variable))).collect();
        command(vec![context.atom("get-value"), context.list(symbols)]);
        script
    }

    fn word(&self, index: usize) -> SExpr {
        match self.condition.program.word(index) {
            Computation::Constant(value) => self.constant(*value),
            Computation::Variable(variable) => self.context.atom(name(*variable)),
            Computation::Operation(..) => self.context.atom(format!("w{index}")),
        }
    }

    fn constant(&self, value: U256) -> SExpr {
        self.context.atom(format!("#x{value:064x}"))
    }

    fn formula(&self, formula: &Formula) -> SExpr {
        let context = &self.context;
        let list = |parts: &[Formula], neutral: SExpr, join: fn(&Context, Vec<SExpr>) -> SExpr| match parts {
            [] => neutral,
            parts => join(context, parts.iter().map(|part| self.formula(part)).collect()),
        };
        match formula {
            Formula::Compared(WordComparison { relation, left, right, holds }) => {
                let [left, right] = [*left, *right].map(|word| self.word(word));
                let compared = match relation {
                    Relation::Equal => context.eq(left, right),
                    Relation::Less => context.bvult(left, right),
                    Relation::SignedLess => context.bvslt(left, right),
                };
                if *holds { compared } else { context.not(compared) }
            }
            Formula::All(parts) => list(parts, context.true_(), Context::and_many),
            Formula::Any(parts) => list(parts, context.false_(), Context::or_many),
        }
    }

    /// Returns the result of an operation; `None` if it is not expressed.
    fn operation(&self, operator: WordOperator, operands: &[usize]) -> Option<SExpr> {
        let context = &self.context;
        let of = |nth: usize| self.word(operands[nth]);
        let zero = || self.constant(U256::ZERO);
        let flag = |condition: SExpr| context.ite(condition, self.constant(U256::ONE), zero());
        // Division by zero gives zero in the EVM.
        let divided = |by: SExpr, result: SExpr| context.ite(context.eq(by, zero()), zero(), result);
        Some(match operator {
            WordOperator::Add => context.bvadd(of(0), of(1)),
            WordOperator::Mul => context.bvmul(of(0), of(1)),
            WordOperator::Sub => context.bvsub(of(0), of(1)),
            WordOperator::Div => divided(of(1), context.bvudiv(of(0), of(1))),
            WordOperator::SignedDiv => divided(of(1), context.bvsdiv(of(0), of(1))),
            WordOperator::Mod => divided(of(1), context.bvurem(of(0), of(1))),
            WordOperator::SignedMod => divided(of(1), context.bvsrem(of(0), of(1))),
            WordOperator::AddMod => divided(of(2), self.modular(operands, Context::bvadd)),
            WordOperator::MulMod => divided(of(2), self.modular(operands, Context::bvmul)),
            WordOperator::Exp => self.power(operands)?,
            WordOperator::SignExtend => self.sign_extended(operands)?,
            WordOperator::Less => flag(context.bvult(of(0), of(1))),
            WordOperator::Greater => flag(context.bvugt(of(0), of(1))),
            WordOperator::SignedLess => flag(context.bvslt(of(0), of(1))),
            WordOperator::SignedGreater => flag(context.bvsgt(of(0), of(1))),
            WordOperator::Equal => flag(context.eq(of(0), of(1))),
            WordOperator::IsZero => flag(context.eq(of(0), zero())),
            WordOperator::And => context.bvand(of(0), of(1)),
            WordOperator::Or => context.bvor(of(0), of(1)),
            WordOperator::Xor => context.bvxor(of(0), of(1)),
            WordOperator::Not => context.bvnot(of(0)),
            WordOperator::Byte => {
                let index =
                    self.condition.program.constant(operands[0]).and_then(|index| index.try_into().ok());
                let place = 31_u64.checked_sub(index?).map(|place| self.constant(U256::from(8 * place)));
                let byte = place.map_or_else(zero, |place| context.bvlshr(of(1), place));
                context.bvand(byte, self.constant(U256::from(0xff)))
            }
            WordOperator::ShiftLeft => context.bvshl(of(1), of(0)),
            WordOperator::ShiftRight => context.bvlshr(of(1), of(0)),
            WordOperator::SignedShiftRight => context.bvashr(of(1), of(0)),
            WordOperator::Hash | WordOperator::Builtin => return None,
        })
    }

    /// Returns the remainder of a sum or product that is computed with twice as many bits.
    fn modular(&self, operands: &[usize], operation: fn(&Context, SExpr, SExpr) -> SExpr) -> SExpr {
        let context = &self.context;
        let wide = |nth: usize| context.concat(self.constant(U256::ZERO), self.word(operands[nth]));
        let remainder = context.bvurem(operation(context, wide(0), wide(1)), wide(2));
        context.extract(255, 0, remainder)
    }

    fn power(&self, operands: &[usize]) -> Option<SExpr> {
        let context = &self.context;
        let program = &self.condition.program;
        let word = |nth: usize| self.word(operands[nth]);
        if program.constant(operands[0]) == Some(U256::from(2)) {
            return Some(context.bvshl(self.constant(U256::ONE), word(1)));
        }
        let exponent: u64 = program.constant(operands[1])?.try_into().ok()?;
        let factors = (exponent <= MOST_FACTORS).then_some(exponent)?;
        Some((0..factors).fold(self.constant(U256::ONE), |product, _| context.bvmul(product, word(0))))
    }

    fn sign_extended(&self, operands: &[usize]) -> Option<SExpr> {
        let context = &self.context;
        let bytes: u64 = self.condition.program.constant(operands[0])?.try_into().ok()?;
        let unused = self.constant(U256::from(248_u64.checked_sub(8 * bytes.min(31))?));
        Some(context.bvashr(context.bvshl(self.word(operands[1]), unused), unused))
    }
}
