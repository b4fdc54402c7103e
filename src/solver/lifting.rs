//! Equations solved bit by bit, from the lowest bit up: Hensel lifting modulo powers of two.
//!
//! Bit `k` of a sum, a product or a bitwise operation depends on the bits up to `k` of its operands alone (T-functions:
//! Klimov and Shamir, 2003). Equations between such words therefore hold modulo 2^(k+1) for some bits `k` of the
//! unknowns if they do modulo 2^k for those below. The unknowns are variables, or the fields of bits that the program
//! takes out of them. At each level the equations are affine in the new bits, unless two unknowns meet in a bitwise
//! operation; solutions of the affine system are checked, and the search goes back where none is left.

use super::{
    arithmetic::{low_bits, shift},
    fields::{Field, ends_of, extract, possible_bits},
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::U256;
use rand::Rng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

/// Maximum number of operations between an equation and its unknowns. Basis: the stack.
const MOST_DEPTH: usize = 256;
/// Maximum number of unknowns.
const MOST_UNKNOWNS: usize = 24;
/// Maximum number of unknowns of which all combinations of bits are tried.
const MOST_COMBINED: usize = 4;
/// Maximum number of solutions of one level that are tried.
const MOST_CHOICES: usize = 4;

/// Equations that can be solved bit by bit.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifting {
    /// Pairs of words that should be equal.
    equations: Vec<[usize; 2]>,
    unknowns: Vec<Unknown>,
    /// Words that the equations depend on, in order.
    words: Vec<usize>,
    /// True if no two unknowns meet in AND or OR.
    is_affine: bool,
}

/// Field of bits that is chosen bit by bit.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    field: Field,
    /// Lowest bit of an equation that it takes part in: the level of its own lowest bit.
    first: usize,
}

/// State of the search at one level.
struct Level {
    /// Variables with the bits below this level.
    variables: Vec<U256>,
    /// Sets of unknowns with a one at this level that are left to try.
    choices: Vec<u32>,
}

impl Lifting {
    /// Selects those of the equations that can be solved so.
    pub(super) fn new(program: &WordProgram, all: &[[usize; 2]]) -> Self {
        let mut equations = Vec::new();
        let mut fields = BTreeMap::new();
        for pair in all {
            let mut found = LowestBits::default();
            if pair.iter().all(|word| found.collect(program, *word, 0, 0)) && !found.fields.is_empty() {
                equations.push(*pair);
                for (field, first) in found.fields {
                    let known = fields.entry(field).or_insert(first);
                    *known = first.min(*known);
                }
            }
        }
        let unknowns = pieces(&fields);
        if !(1..=MOST_UNKNOWNS).contains(&unknowns.len()) {
            return Self::default();
        }
        let words = program.needed(equations.iter().flatten().copied());
        let is_affine = words.iter().all(|word| match program.word(*word) {
            Computation::Operation(WordOperator::And | WordOperator::Or, operands) => {
                operands.iter().any(|operand| program.support(*operand) == 0)
                    || (possible_bits(program, operands[0]) & possible_bits(program, operands[1])).is_zero()
            }
            _ => true,
        });
        Self { equations, unknowns, words, is_affine }
    }

    /// Returns the number of words that an evaluation takes, including copies of variables.
    fn cost(&self) -> u64 {
        (self.words.len() + self.unknowns.len()) as u64
    }

    /// Tells whether there are no equations.
    pub(super) fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// Returns values of the variables with which the equations hold. Bits on which they do not depend are as in
    /// `variables`, or else random. Adds the number of computed words to `work`, and gives up at `budget`.
    pub(super) fn solve(
        &self,
        program: &WordProgram,
        variables: &[U256],
        rng: &mut Xoshiro256PlusPlus,
        is_random: bool,
        work: &mut u64,
        budget: u64,
    ) -> Option<Vec<U256>> {
        let mut wanted = variables.to_vec();
        let mut start = variables.to_vec();
        for Unknown { field, .. } in &self.unknowns {
            if is_random {
                field.set(&mut wanted, U256::from_limbs(rng.random()));
            }
            field.set(&mut start, U256::ZERO);
        }
        let mut values = program.evaluate(&start);
        let choices = self.choices(program, &mut values, &start, &wanted, 0, work);
        let mut levels = vec![Level { choices: choices.unwrap_or_default(), variables: start }];
        while *work < budget {
            let depth = levels.len();
            let level = levels.last_mut()?;
            let Some(choice) = level.choices.pop() else {
                levels.pop();
                continue;
            };
            let variables = self.with_bits(&level.variables, choice, depth - 1);
            if depth == 256 {
                program.evaluate_some(&self.words, &variables, &mut values);
                *work += self.cost();
                if self.holds(&values, depth) {
                    return Some(variables);
                }
                continue;
            }
            if let Some(choices) = self.choices(program, &mut values, &variables, &wanted, depth, work) {
                levels.push(Level { variables, choices });
            }
        }
        None
    }

    /// Tells whether the equations hold for the bits below this level.
    fn holds(&self, values: &[U256], level: usize) -> bool {
        let mask = low_bits(level);
        self.equations.iter().all(|[left, right]| ((values[*left] ^ values[*right]) & mask).is_zero())
    }

    /// Returns the variables with bits of this level.
    fn with_bits(&self, variables: &[U256], ones: u32, level: usize) -> Vec<U256> {
        let mut variables = variables.to_vec();
        for (index, Unknown { field, first }) in self.unknowns.iter().enumerate() {
            if ones >> index & 1 == 1 {
                variables[field.variable] |= U256::ONE << (field.at + level - first);
            }
        }
        variables
    }

    /// Returns sets of unknowns that may have a one at this level; the last one is tried first. Returns `None` if the
    /// equations do not hold for the bits below.
    fn choices(
        &self,
        program: &WordProgram,
        values: &mut [U256],
        variables: &[U256],
        wanted: &[U256],
        level: usize,
        work: &mut u64,
    ) -> Option<Vec<u32>> {
        let is_open = |Unknown { field, first }: &Unknown| (*first..first + field.bits).contains(&level);
        let open: Vec<usize> =
            (0..self.unknowns.len()).filter(|index| is_open(&self.unknowns[*index])).collect();
        let preferred = open.iter().filter(|index| {
            let Unknown { field, first } = self.unknowns[**index];
            field.get(wanted).bit(level - first)
        });
        let preferred = preferred.fold(0, |set, index| set | 1_u32 << index);
        program.evaluate_some(&self.words, variables, values);
        if !self.holds(values, level) {
            *work += self.cost();
            return None;
        }
        let mut errors = |ones: u32| {
            if ones != 0 {
                program.evaluate_some(&self.words, &self.with_bits(variables, ones, level), values);
            }
            *work += self.cost();
            let bits = self
                .equations
                .iter()
                .map(|[left, right]| values[*left].bit(level) != values[*right].bit(level));
            bits.enumerate()
                .fold(0_u64, |set, (equation, is_wrong)| set | u64::from(is_wrong) << (equation % 64))
        };
        let base = errors(0);
        let effects: Vec<u64> = open.iter().map(|index| errors(1 << index) ^ base).collect();
        let mut choices = affine_solutions(&open, &effects, base, preferred);
        // The lowest bit of a product of two unknowns is not affine.
        if open.len() <= MOST_COMBINED && (!self.is_affine || level == 0) {
            let combined = (0..1_u32 << open.len()).map(|bits| {
                open.iter().enumerate().fold(0, |set, (place, index)| set | (bits >> place & 1) << index)
            });
            let others: Vec<u32> = combined.filter(|set| !choices.contains(set)).collect();
            choices.extend(others);
        }
        choices.reverse();
        Some(choices)
    }
}

/// Returns sets of unknowns whose effects on the equations sum to `errors`, the nearest to the preferred one first.
fn affine_solutions(open: &[usize], effects: &[u64], errors: u64, preferred: u32) -> Vec<u32> {
    // Begins with the preferred set, and removes the errors that are left.
    let is_preferred = |place: usize| preferred >> open[place] & 1 == 1;
    let left = (0..open.len())
        .filter(|place| is_preferred(*place))
        .fold(errors, |left, place| left ^ effects[place]);
    // Rows of the echelon form: effect, and the unknowns that are changed to get it.
    let mut rows: Vec<(u64, u32)> = Vec::new();
    let mut kernel: Vec<u32> = Vec::new();
    for place in 0..open.len() {
        let (effect, set) = reduce(&rows, effects[place], 1 << open[place]);
        if effect == 0 {
            kernel.push(set);
        } else {
            rows.push((effect, set));
        }
    }
    let (rest, change) = reduce(&rows, left, 0);
    if rest != 0 {
        return Vec::new();
    }
    let first = preferred ^ change;
    let others = kernel.iter().take(MOST_CHOICES - 1).map(|set| first ^ set);
    std::iter::once(first).chain(others).collect()
}

fn reduce(rows: &[(u64, u32)], mut effect: u64, mut set: u32) -> (u64, u32) {
    for (row, of) in rows {
        let highest = 63 - row.leading_zeros();
        if effect >> highest & 1 == 1 {
            (effect, set) = (effect ^ row, set ^ of);
        }
    }
    (effect, set)
}

/// Fields of variables, each with the lowest bit of an equation that it takes part in.
#[derive(Default)]
struct LowestBits {
    fields: BTreeMap<Field, usize>,
    /// The same for words that were looked at.
    seen: BTreeMap<usize, usize>,
}

impl LowestBits {
    /// Adds the fields that a word depends on, whose lowest bit is this bit of the equation. Returns false if higher
    /// bits of them decide about lower bits of the word.
    fn collect(&mut self, program: &WordProgram, word: usize, bit: usize, depth: usize) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        let is_known = self.seen.get(&word).is_some_and(|known| *known <= bit);
        if program.support(word) == 0 || is_known {
            return true;
        }
        self.seen.insert(word, bit);
        if let Some((inner, at, bits)) = extract(program, word)
            && let Computation::Variable(variable) = program.word(inner)
        {
            let field = Field { variable: *variable, at, bits: bits.min(256 - at) };
            let known = self.fields.entry(field).or_insert(bit);
            *known = bit.min(*known);
            return true;
        }
        let Computation::Operation(operator, operands) = program.word(word) else { return false };
        let constant = |nth: usize| program.constant(operands[nth]);
        let (of, bit) = match operator {
            WordOperator::Add
            | WordOperator::Sub
            | WordOperator::And
            | WordOperator::Or
            | WordOperator::Xor
            | WordOperator::Not => (&operands[..], bit),
            WordOperator::Mul => {
                let factor = constant(0).or(constant(1)).filter(|factor| !factor.is_zero());
                (&operands[..], bit + factor.map_or(0, |factor| factor.trailing_zeros()))
            }
            WordOperator::ShiftLeft => match constant(0).map(shift) {
                Some(by) => (&operands[1..], bit + by),
                None => return false,
            },
            // The bits above the sign are those of the sign.
            WordOperator::SignExtend if constant(0).is_some() => (&operands[1..], bit),
            _ => return false,
        };
        of.iter().all(|operand| self.collect(program, *operand, bit.min(256), depth + 1))
    }
}

/// Returns the pieces between all ends of these fields.
fn pieces(fields: &BTreeMap<Field, usize>) -> Vec<Unknown> {
    let mut pieces = Vec::new();
    for (variable, ends) in ends_of(fields.keys()) {
        let ends: Vec<usize> = ends.into_iter().collect();
        for pair in ends.windows(2) {
            let piece = Field { variable, at: pair[0], bits: pair[1] - pair[0] };
            let uses = fields.iter().filter(|(field, _)| {
                field.variable == variable && field.at <= piece.at && piece.at < field.at + field.bits
            });
            let first = uses.map(|(field, first)| first + piece.at - field.at).min();
            pieces.extend(first.map(|first| Unknown { field: piece, first }));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    fn operation(program: &mut WordProgram, operator: WordOperator, operands: [usize; 2]) -> usize {
        program.push(Computation::Operation(operator, operands.into()))
    }

    fn constant(program: &mut WordProgram, value: U256) -> usize {
        program.push(Computation::Constant(value))
    }

    /// Solves equations whose right sides are the values that the left sides have for some variables.
    fn check(program: &mut WordProgram, words: &[usize], answer: &[U256]) {
        let values = program.evaluate(answer);
        let equations: Vec<_> = words.iter().map(|word| [*word, constant(program, values[*word])]).collect();
        let lifting = Lifting::new(program, &equations);
        assert_eq!(lifting.equations.len(), words.len());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let start = vec![U256::from(5); answer.len()];
        let mut work = 0;
        let found =
            lifting.solve(program, &start, &mut rng, false, &mut work, 1_000_000).expect("a solution");
        let found = program.evaluate(&found);
        assert!(words.iter().all(|word| found[*word] == values[*word]));
    }

    #[test]
    fn sums_products_and_bitwise_operations_of_two_numbers_mix() {
        let mut program = WordProgram::default();
        let [x, y] = [0, 1].map(|variable| program.push(Computation::Variable(variable)));
        let odd = constant(&mut program, U256::from(0x0100_0193));
        let product = operation(&mut program, WordOperator::Mul, [x, odd]);
        let mixed = operation(&mut program, WordOperator::Xor, [product, y]);
        let sum = operation(&mut program, WordOperator::Add, [x, y]);
        let square = operation(&mut program, WordOperator::Mul, [x, y]);
        let total = operation(&mut program, WordOperator::Sub, [square, sum]);
        let answer = [U256::MAX / U256::from(7), U256::MAX / U256::from(11) + U256::ONE];
        check(&mut program, &[mixed, sum], &answer);
        check(&mut program, &[mixed, total], &answer);
    }

    #[test]
    fn overlapping_fields_are_split() {
        let mut program = WordProgram::default();
        let word = program.push(Computation::Variable(0));
        let [eight, mask] = [U256::from(8), U256::from(0xffff)].map(|value| constant(&mut program, value));
        let low = operation(&mut program, WordOperator::And, [word, mask]);
        let shifted = operation(&mut program, WordOperator::ShiftRight, [eight, word]);
        let middle = operation(&mut program, WordOperator::And, [shifted, mask]);
        let sum = operation(&mut program, WordOperator::Add, [low, middle]);
        let both = operation(&mut program, WordOperator::Xor, [low, middle]);
        check(&mut program, &[sum, both], &[U256::from(0x00ab_cdef)]);
    }
}
