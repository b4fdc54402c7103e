//! Scripts for SMT solvers, in the language of SMT-LIB (version 2.6).
//!
//! Every word of the program is defined once. A [`Theory`] decides what words are: bit vectors or integers.

use super::{
    bit_vectors::BitVectors,
    bounds::Bounds,
    formula::{Formula, WordComparison},
    integers::Integers,
    path_condition::PathCondition,
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::U256;
use easy_smt::{Context, ContextBuilder, SExpr};
use std::fmt::Write as _;

/// Returns the name of a variable in a script.
fn name(variable: usize) -> String {
    format!("v{variable}")
}

/// Writes a path condition and asks for the values of its variables: with words as integers, if its operations and the
/// theory allow that.
pub(super) fn of_integers(condition: &PathCondition) -> Option<String> {
    let scope = ScriptScope::new(condition)?;
    write(&Integers(&scope))
}

/// Writes a path condition with words as bit vectors, and asks for the values of its variables.
pub(super) fn of_bit_vectors(condition: &PathCondition) -> Option<String> {
    let scope = ScriptScope::new(condition)?;
    write(&BitVectors(&scope))
}

/// Largest exponent of EXP that is written as multiplications.
pub(super) const MOST_FACTORS: u64 = 16;

/// Subject of a script, for any theory.
pub(super) struct ScriptScope<'a> {
    pub(super) condition: &'a PathCondition,
    pub(super) context: Context,
    pub(super) bounds: Bounds<'a>,
}

impl<'a> ScriptScope<'a> {
    fn new(condition: &'a PathCondition) -> Option<Self> {
        let context = ContextBuilder::new().build().ok()?;
        Some(Self { condition, context, bounds: Bounds::of(condition) })
    }

    pub(super) fn program(&self) -> &WordProgram {
        &self.condition.program
    }

    /// Returns the symbol of a word that is no constant.
    pub(super) fn symbol(&self, index: usize) -> SExpr {
        match self.program().word(index) {
            Computation::Variable(variable) => self.context.atom(name(*variable)),
            _ => self.context.atom(format!("w{index}")),
        }
    }
}

/// Terms of an SMT theory that stand for words.
pub(super) trait Theory {
    /// Name of the logic.
    const LOGIC: &'static str;
    /// True if the result of an operation that the theory does not express keeps its value on the path, with the
    /// operands. If false, there is no script then. Hashes keep their values in any case.
    const KEEPS_VALUES: bool;

    fn scope(&self) -> &ScriptScope<'_>;

    /// Returns the sort of a word.
    fn sort(&self, index: usize) -> SExpr;

    /// Returns a word of this value in place of the word `index`.
    fn value(&self, index: usize, value: U256) -> SExpr;

    /// Returns the result of an operation; `None` if it is not expressed.
    fn operation(&self, index: usize, operator: WordOperator, operands: &[usize]) -> Option<SExpr>;

    /// Returns what must hold for a word beside its definition.
    fn range(&self, index: usize) -> Option<SExpr>;

    /// Returns that a word has this value.
    fn pinned(&self, index: usize, value: U256) -> SExpr;

    /// Returns that a comparison is as it should be.
    fn comparison(&self, comparison: &WordComparison) -> SExpr;
}

fn write<T: Theory>(theory: &T) -> Option<String> {
    let ScriptScope { condition, context, .. } = theory.scope();
    let mut script = format!("(set-option :produce-models true)\n(set-logic {})\n", T::LOGIC);
    let mut command = |items: Vec<SExpr>| {
        let _ = writeln!(script, "{}", context.display(context.list(items)));
    };
    let [define, declare, assert] = ["define-fun", "declare-const", "assert"].map(|name| context.atom(name));
    let values = condition.program.evaluate(&condition.values());
    let mut compared = Vec::new();
    condition.conditions.iter().for_each(|part| part.comparisons(&mut compared));
    let compared = compared.iter().flat_map(|comparison| [comparison.left, comparison.right]);
    let mut fixed = Vec::new();
    for index in condition.program.needed(compared) {
        let (symbol, sort) = (theory.scope().symbol(index), theory.sort(index));
        match condition.program.word(index) {
            Computation::Constant(_) => continue,
            Computation::Variable(_) => command(vec![declare, symbol, sort]),
            Computation::Operation(operator, operands) => {
                let is_hash = *operator == WordOperator::Hash;
                let result = theory.operation(index, *operator, operands);
                if result.is_none() && !is_hash && !T::KEEPS_VALUES {
                    return None;
                }
                let result = result.unwrap_or_else(|| {
                    fixed.extend_from_slice(operands);
                    theory.value(index, values[index])
                });
                command(vec![define, symbol, context.list(Vec::new()), sort, result]);
            }
        }
        if let Some(range) = theory.range(index) {
            command(vec![assert, range]);
        }
    }
    for operand in fixed {
        command(vec![assert, theory.pinned(operand, values[operand])]);
    }
    for part in &condition.conditions {
        command(vec![assert, formula(theory, part)]);
    }
    command(vec![context.atom("check-sat")]);
    let symbols = condition.support().map(|variable| context.atom(name(variable))).collect();
    command(vec![context.atom("get-value"), context.list(symbols)]);
    Some(script)
}

fn formula<T: Theory>(theory: &T, part: &Formula) -> SExpr {
    let context = &theory.scope().context;
    let list = |parts: &[Formula], neutral: SExpr, join: fn(&Context, Vec<SExpr>) -> SExpr| match parts {
        [] => neutral,
        parts => join(context, parts.iter().map(|part| formula(theory, part)).collect()),
    };
    match part {
        Formula::Compared(comparison) => theory.comparison(comparison),
        Formula::All(parts) => list(parts, context.true_(), Context::and_many),
        Formula::Any(parts) => list(parts, context.false_(), Context::or_many),
    }
}

#[cfg(test)]
mod tests;
