//! Linear equations modulo 2^256.
//!
//! The unknowns are variables, or fields of bits that the program takes out of them with shifts and masks. Elimination
//! expresses as many of them as there are independent equations by the others. A coefficient need not be odd: the
//! pivot of an equation is the unknown whose coefficient is divisible by the smallest power of two.

use super::{
    arithmetic::{low_bits, shift},
    fields::{Field, ends_of, extract, possible_bits},
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::U256;
use std::collections::BTreeMap;

/// Maximum number of operations that are looked at for one word.
const MOST_STEPS: usize = 512;

/// Sum of unknowns with coefficients, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LinearForm {
    terms: BTreeMap<Field, U256>,
    constant: U256,
}

/// Unknown that equals a linear form of others, after division by a power of two.
#[derive(Clone, Debug)]
struct Solved {
    field: Field,
    form: LinearForm,
    zeros: usize,
}

/// System of equations in solved form.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearSystem {
    solved: Vec<Solved>,
}

impl LinearSystem {
    /// Solves those of the equations of words that are linear.
    pub(super) fn new(program: &WordProgram, equations: &[[usize; 2]]) -> Self {
        let mut forms: Vec<LinearForm> = equations
            .iter()
            .filter_map(|pair| {
                let [left, right] = pair.map(|word| {
                    let mut steps_left = MOST_STEPS;
                    form(program, word, &mut steps_left)
                });
                Some(left?.plus(&right?, U256::MAX))
            })
            .filter(|form| !form.terms.is_empty())
            .collect();
        split_fields(&mut forms);
        Self::eliminate(forms)
    }

    fn eliminate(mut forms: Vec<LinearForm>) -> Self {
        let mut solved: Vec<Solved> = Vec::new();
        while let Some(mut equation) = forms.pop() {
            for known in &solved {
                equation.substitute(known);
            }
            // With a factor of one, the others may be any numbers.
            let rank =
                |factor: &U256| (factor.trailing_zeros(), *factor != U256::ONE && *factor != U256::MAX);
            let pivot = equation.terms.iter().min_by_key(|(_, factor)| rank(factor));
            let Some((field, factor)) = pivot.map(|(field, factor)| (*field, *factor)) else { continue };
            let zeros = factor.trailing_zeros();
            let Some(inverse) = (factor >> zeros).inv_ring() else { continue };
            equation.terms.remove(&field);
            // factor * field = -rest, where the factor is a power of two after the multiplication.
            let form = LinearForm::default().plus(&equation, U256::ZERO.wrapping_sub(inverse));
            let new = Solved { field, form, zeros };
            if zeros == 0 {
                for known in &mut solved {
                    known.form.substitute(&new);
                }
            }
            solved.push(new);
        }
        // Those without division come last, since they may depend on the others.
        solved.reverse();
        Self { solved }
    }

    /// Tells whether there are no equations.
    pub(super) fn is_empty(&self) -> bool {
        self.solved.is_empty()
    }

    /// Tells whether the equations determine all bits of a variable by other ones.
    pub(super) fn determines(&self, variable: usize) -> bool {
        let fields = self.solved.iter().map(|solved| solved.field).filter(|field| field.variable == variable);
        fields.fold(U256::ZERO, |bits, field| bits | (low_bits(field.bits) << field.at)) == U256::MAX
    }

    /// Changes variables so that the equations hold.
    pub(super) fn repair(&self, variables: &mut [U256]) {
        // An unknown may depend on others that follow it in the list.
        for _ in 0..self.solved.len() {
            let mut is_stable = true;
            for Solved { field, form, zeros } in &self.solved {
                let value = (form.value(variables) >> *zeros) & low_bits(field.bits);
                is_stable &= field.get(variables) == value;
                field.set(variables, value);
            }
            if is_stable {
                return;
            }
        }
    }
}

impl LinearForm {
    /// Adds a multiple of another form.
    fn plus(mut self, other: &Self, factor: U256) -> Self {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        for (field, of) in &other.terms {
            let sum = self.terms.entry(*field).or_default();
            *sum = sum.wrapping_add(of.wrapping_mul(factor));
        }
        self.terms.retain(|_, factor| !factor.is_zero());
        self
    }

    fn value(&self, variables: &[U256]) -> U256 {
        let terms = self.terms.iter().map(|(field, factor)| field.get(variables).wrapping_mul(*factor));
        terms.fold(self.constant, U256::wrapping_add)
    }

    /// Replaces an unknown by its form, if that needs no division.
    fn substitute(&mut self, known: &Solved) {
        if known.zeros == 0
            && let Some(factor) = self.terms.remove(&known.field)
        {
            *self = std::mem::take(self).plus(&known.form, factor);
        }
    }
}

/// Returns the linear form of a word; `None` if it has none. Masks that cut off what sums carry beyond a width are left
/// out, since checked arithmetic rules it out.
fn form(program: &WordProgram, word: usize, steps: &mut usize) -> Option<LinearForm> {
    *steps = steps.checked_sub(1)?;
    let (operator, operands) = match program.word(word) {
        Computation::Constant(constant) => {
            return Some(LinearForm { constant: *constant, ..LinearForm::default() });
        }
        Computation::Variable(variable) => return Some(unknown(*variable, 0, 256)),
        Computation::Operation(operator, operands) => (*operator, operands),
    };
    let mut of = |nth: usize| form(program, operands[nth], steps);
    let constant = |nth: usize| program.constant(operands[nth]);
    match operator {
        WordOperator::Add => Some(of(0)?.plus(&of(1)?, U256::ONE)),
        WordOperator::Sub => Some(of(0)?.plus(&of(1)?, U256::MAX)),
        WordOperator::Not => {
            let minus_one = LinearForm { constant: U256::MAX, ..LinearForm::default() };
            Some(minus_one.plus(&of(0)?, U256::MAX))
        }
        WordOperator::Mul => match (constant(0), constant(1)) {
            (Some(factor), _) => scaled(of(1), factor),
            (_, Some(factor)) => scaled(of(0), factor),
            _ => None,
        },
        WordOperator::ShiftLeft => scaled(of(1), U256::ONE << shift(constant(0)?)),
        WordOperator::Or | WordOperator::Xor => {
            let [left, right] = [0, 1].map(|nth| possible_bits(program, operands[nth]));
            (left & right).is_zero().then(|| Some(of(0)?.plus(&of(1)?, U256::ONE)))?
        }
        // A narrow signed number is checked, too.
        WordOperator::SignExtend => of(1),
        WordOperator::And | WordOperator::ShiftRight => {
            let (inner, at, bits) = extract(program, word)?;
            match program.word(inner) {
                Computation::Variable(variable) => Some(unknown(*variable, at, bits.min(256 - at))),
                _ if at == 0 => form(program, inner, steps),
                _ => None,
            }
        }
        _ => None,
    }
}

fn scaled(form: Option<LinearForm>, factor: U256) -> Option<LinearForm> {
    Some(LinearForm::default().plus(&form?, factor))
}

fn unknown(variable: usize, at: usize, bits: usize) -> LinearForm {
    LinearForm { terms: [(Field { variable, at, bits }, U256::ONE)].into(), constant: U256::ZERO }
}

/// Replaces overlapping fields of a variable by the pieces between all their ends.
fn split_fields(forms: &mut [LinearForm]) {
    let ends = ends_of(forms.iter().flat_map(|form| form.terms.keys()));
    for form in forms {
        let mut split = LinearForm { constant: form.constant, ..LinearForm::default() };
        for (field, factor) in &form.terms {
            let within = ends[&field.variable].range(field.at..=field.at + field.bits).copied();
            let within: Vec<usize> = within.collect();
            for ends in within.windows(2) {
                let piece = unknown(field.variable, ends[0], ends[1] - ends[0]);
                split = split.plus(&piece, *factor << (ends[0] - field.at));
            }
        }
        *form = split;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(program: &mut WordProgram, operator: WordOperator, operands: [usize; 2]) -> usize {
        program.push(Computation::Operation(operator, operands.into()))
    }

    fn constant(program: &mut WordProgram, value: u64) -> usize {
        program.push(Computation::Constant(U256::from(value)))
    }

    #[test]
    fn a_sum_and_a_difference_determine_both_numbers() {
        let mut program = WordProgram::default();
        let [x, y] = [0, 1].map(|variable| program.push(Computation::Variable(variable)));
        let sum = operation(&mut program, WordOperator::Add, [x, y]);
        let difference = operation(&mut program, WordOperator::Sub, [x, y]);
        let [total, gap] = [1_000, 358].map(|value| constant(&mut program, value));
        let system = LinearSystem::new(&program, &[[sum, total], [difference, gap]]);
        let mut variables = [U256::from(7), U256::from(9)];
        system.repair(&mut variables);
        let values = program.evaluate(&variables);
        assert_eq!([values[sum], values[difference]], [1_000, 358].map(U256::from), "{variables:?}");
    }

    #[test]
    fn fields_of_a_packed_word_are_unknowns_of_their_own() {
        let mut program = WordProgram::default();
        let word = program.push(Computation::Variable(0));
        let [shift, mask] = [64, u64::MAX].map(|value| constant(&mut program, value));
        let low = operation(&mut program, WordOperator::And, [word, mask]);
        let high = operation(&mut program, WordOperator::ShiftRight, [shift, word]);
        let high = operation(&mut program, WordOperator::And, [mask, high]);
        let three = constant(&mut program, 3);
        let triple = operation(&mut program, WordOperator::Mul, [high, three]);
        let sum = operation(&mut program, WordOperator::Add, [low, triple]);
        let difference = operation(&mut program, WordOperator::Sub, [low, high]);
        let [total, gap] = [90_000_000_017, 77_777].map(|value| constant(&mut program, value));
        let system = LinearSystem::new(&program, &[[sum, total], [difference, gap]]);
        let mut variables = [U256::ONE << 200];
        system.repair(&mut variables);
        let values = program.evaluate(&variables);
        assert_eq!(values[sum], U256::from(90_000_000_017_u64));
        assert_eq!(values[difference], U256::from(77_777));
        assert!(variables[0].bit(200), "other bits stay");
    }

    #[test]
    fn an_unknown_without_an_odd_factor_is_divided() {
        let mut program = WordProgram::default();
        let [x, y] = [0, 1].map(|variable| program.push(Computation::Variable(variable)));
        let [four, eight, wanted] = [4, 8, 1_236].map(|value| constant(&mut program, value));
        let left = operation(&mut program, WordOperator::Mul, [four, x]);
        let right = operation(&mut program, WordOperator::Mul, [y, eight]);
        let sum = operation(&mut program, WordOperator::Add, [left, right]);
        let system = LinearSystem::new(&program, &[[sum, wanted]]);
        let mut variables = [U256::ZERO, U256::from(3)];
        system.repair(&mut variables);
        assert_eq!(program.evaluate(&variables)[sum], U256::from(1_236));
    }
}
