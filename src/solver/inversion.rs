//! Operands with which an operation returns a given word.

use super::{
    arithmetic::{low_bits, shift},
    program::{Computation, WordProgram},
};
use crate::model::WordOperator;
use alloy_primitives::{I256, U256};

/// Maximum number of operations that are inverted for a variable.
const MOST_STEPS: u64 = 512;

/// Maximum number of values returned for a variable.
const MOST_VALUES: usize = 48;

/// Program with values of its words, for which values of one variable are looked for.
pub(super) struct Inversion<'a> {
    pub(super) program: &'a WordProgram,
    /// Values of all words.
    pub(super) values: &'a [U256],
    pub(super) variable: usize,
    /// Random word, which chooses among operands that do equally well.
    pub(super) random: U256,
    /// Places in a word at which fields of bits begin. Other values differ on one side of them only, if possible.
    pub(super) ends: &'a [usize],
    /// Number of operations that were inverted.
    pub(super) steps: u64,
}

impl Inversion<'_> {
    /// Adds values of the variable with which a word has the wanted value, if all other variables keep theirs. The
    /// variable must lead to the word along one path of operations.
    pub(super) fn invert(&mut self, word: usize, wanted: U256, found: &mut Vec<U256>) {
        self.follow(word, wanted, 0, found);
    }

    fn follow(&mut self, word: usize, wanted: U256, depth: u32, found: &mut Vec<U256>) {
        self.steps += 1;
        if found.len() >= MOST_VALUES || self.steps > MOST_STEPS {
            return;
        }
        match self.program.word(word) {
            Computation::Constant(_) => {}
            Computation::Variable(variable) => {
                if *variable == self.variable && !found.contains(&wanted) {
                    found.push(wanted);
                }
            }
            Computation::Operation(operator, operands) => {
                let depends = |operand: &usize| self.program.depends(*operand, self.variable);
                let mut places = (0..operands.len()).filter(|place| depends(&operands[*place]));
                let (Some(place), None) = (places.next(), places.next()) else { return };
                let mut values = Vec::new();
                self.operands(*operator, operands, place, wanted, &mut values);
                // Fewer alternatives for each further operation.
                values.truncate((MOST_VALUES >> depth.min(6)).max(2));
                for value in values {
                    self.follow(operands[place], value, depth + 1, found);
                }
            }
        }
    }

    /// Adds values of one operand with which the operation returns the wanted word.
    fn operands(
        &self,
        operator: WordOperator,
        operands: &[usize],
        place: usize,
        wanted: U256,
        found: &mut Vec<U256>,
    ) {
        let value = |nth: usize| operands.get(nth).map_or(U256::ZERO, |operand| self.values[*operand]);
        let (now, other) = (value(place), value(1 - place.min(1)));
        match (operator, place) {
            (WordOperator::Add, _) => found.push(wanted.wrapping_sub(other)),
            (WordOperator::Sub, 0) => found.push(wanted.wrapping_add(other)),
            (WordOperator::Sub, _) => found.push(other.wrapping_sub(wanted)),
            (WordOperator::Xor, _) => found.push(wanted ^ other),
            (WordOperator::Not, _) => found.push(!wanted),
            (WordOperator::Mul, _) => self.factors(wanted, other, now, found),
            (WordOperator::Div, 0) => self.dividends(wanted, other, now, found),
            (WordOperator::Div, _) => divisors(other, wanted, found),
            (WordOperator::SignedDiv, 0) => self.signed_dividends(wanted, other, found),
            (WordOperator::Mod, 0) => self.remainders(wanted, other, now, found),
            (WordOperator::Mod, _) if other >= wanted => {
                found.extend(parts(other - wanted).filter(|part| *part > wanted));
            }
            (WordOperator::SignedMod, 0) => self.remainders(wanted, other, now, found),
            (WordOperator::AddMod, 0 | 1) => {
                let modulus = value(2);
                if wanted < modulus {
                    let rest = wanted.add_mod(modulus - other % modulus, modulus);
                    self.remainders(rest, modulus, now, found);
                }
            }
            (WordOperator::MulMod, 0 | 1) => {
                let modulus = value(2);
                if let Some(inverse) = other.checked_rem(modulus).and_then(|other| other.inv_mod(modulus)) {
                    self.remainders(wanted.mul_mod(inverse, modulus), modulus, now, found);
                }
            }
            (WordOperator::Exp, 0) => found.extend(root(wanted, other)),
            (WordOperator::Exp, _) => {
                found.extend((0..256_u64).map(U256::from).find(|power| other.wrapping_pow(*power) == wanted));
            }
            (WordOperator::And, _) if (wanted & !other).is_zero() => {
                found.extend([(now & !other) | wanted, wanted, wanted | (self.random & !other)]);
            }
            (WordOperator::Or, _) if (other & !wanted).is_zero() => {
                found.extend([(wanted & !other) | (now & other), wanted & !other]);
            }
            (WordOperator::Byte, 1) => {
                if let Some(index) = usize::try_from(other).ok().filter(|index| *index < 32) {
                    let at = 8 * (31 - index);
                    found.push((now & !(low_bits(8) << at)) | ((wanted & low_bits(8)) << at));
                }
            }
            (WordOperator::ShiftLeft, 1) => {
                let by = shift(other);
                let kept = if by == 0 { U256::ZERO } else { now & !(U256::MAX >> by) };
                found.extend([(wanted >> by) | kept, wanted >> by]);
            }
            (WordOperator::ShiftRight | WordOperator::SignedShiftRight, 1) => {
                let by = shift(other);
                found.extend([
                    (wanted << by) | (now & low_bits(by)),
                    wanted << by,
                    (wanted << by) | low_bits(by),
                    (wanted << by) | (self.random & low_bits(by)),
                ]);
            }
            (WordOperator::ShiftLeft | WordOperator::ShiftRight, 0) => {
                let shifted = |by: usize| match operator {
                    WordOperator::ShiftLeft => other << by,
                    _ => other >> by,
                };
                found.extend((0..256).find(|by| shifted(*by) == wanted).map(U256::from));
            }
            (WordOperator::SignExtend, 1) => {
                let kept = low_bits(shift(other.saturating_add(U256::ONE).saturating_mul(U256::from(8))));
                found.extend([(wanted & kept) | (now & !kept), wanted, wanted & kept]);
            }
            (WordOperator::IsZero, _) => found.push(if wanted.is_zero() {
                if now.is_zero() { self.random } else { now }
            } else {
                U256::ZERO
            }),
            (WordOperator::Equal, _) if wanted.is_zero() => found.extend([self.random, !other]),
            (WordOperator::Equal, _) => found.push(other),
            (WordOperator::Less, 0) | (WordOperator::Greater, 1) => below(other, !wanted.is_zero(), found),
            (WordOperator::Less, _) | (WordOperator::Greater, _) => above(other, !wanted.is_zero(), found),
            (WordOperator::SignedLess, 0) | (WordOperator::SignedGreater, 1) => {
                signed(other, !wanted.is_zero(), below, found);
            }
            (WordOperator::SignedLess, _) | (WordOperator::SignedGreater, _) => {
                signed(other, !wanted.is_zero(), above, found);
            }
            _ => {}
        }
    }

    /// Adds dividends whose quotient is `wanted`.
    fn dividends(&self, wanted: U256, divisor: U256, now: U256, found: &mut Vec<U256>) {
        let Some(least) = wanted.checked_mul(divisor).filter(|_| !divisor.is_zero()) else { return };
        let most = least.saturating_add(divisor - U256::ONE);
        found.extend([now.clamp(least, most), least, most]);
        found.push(least.saturating_add(self.random % divisor));
    }

    fn signed_dividends(&self, wanted: U256, divisor: U256, found: &mut Vec<U256>) {
        let [wanted, divisor] = [wanted, divisor].map(I256::from_raw);
        let (least, overflows) = wanted.overflowing_mul(divisor);
        if !overflows {
            found.push(least.into_raw());
        }
    }

    /// Adds numbers with this remainder: near the present one, the smallest one, and a random one.
    fn remainders(&self, wanted: U256, modulus: U256, now: U256, found: &mut Vec<U256>) {
        if wanted >= modulus {
            return;
        }
        let near = now - now % modulus;
        found.extend(near.checked_add(wanted));
        found.extend(near.checked_sub(modulus).map(|below| below + wanted));
        found.extend(near.checked_add(modulus).and_then(|above| above.checked_add(wanted)));
        found.push(wanted);
        found.extend((self.random - self.random % modulus).checked_add(wanted));
        // Numbers with the same lower bits.
        let missing = wanted.add_mod(modulus - now % modulus, modulus);
        for end in self.ends {
            let step = (U256::ONE << *end) % modulus;
            let Some(steps) = step.inv_mod(modulus).map(|inverse| missing.mul_mod(inverse, modulus)) else {
                continue;
            };
            let shifted = |steps: U256| steps.checked_mul(U256::ONE << *end);
            found.extend(shifted(steps).and_then(|by| now.checked_add(by)));
            found.extend(shifted(modulus - steps).and_then(|by| now.checked_sub(by)));
        }
    }

    /// Adds numbers whose product with a factor is `wanted`: the exact quotient, those modulo 2^256, and those of which
    /// only the lower bits have such a product.
    fn factors(&self, wanted: U256, factor: U256, now: U256, found: &mut Vec<U256>) {
        if factor.is_zero() {
            return;
        }
        found.extend(wanted.checked_rem(factor).filter(U256::is_zero).map(|_| wanted / factor));
        let zeros = factor.trailing_zeros();
        if wanted.is_zero() || wanted.trailing_zeros() < zeros {
            return;
        }
        let Some(inverse) = (factor >> zeros).inv_ring() else { return };
        let least = (wanted >> zeros).wrapping_mul(inverse) & (U256::MAX >> zeros);
        found.push(least);
        if zeros > 0 {
            found.push(least | (now & !(U256::MAX >> zeros)));
        }
        found.extend(self.ends.iter().map(|end| (least & low_bits(*end)) | (now & !low_bits(*end))));
    }
}

/// Adds divisors with which a dividend has this quotient.
fn divisors(dividend: U256, wanted: U256, found: &mut Vec<U256>) {
    if wanted.is_zero() {
        found.extend([dividend.saturating_add(U256::ONE), U256::MAX]);
        return;
    }
    let most = dividend / wanted;
    let least = wanted.checked_add(U256::ONE).map_or(U256::ZERO, |next| dividend / next) + U256::ONE;
    if least <= most {
        found.extend([least, most]);
    }
}

/// Returns a few divisors of a number: itself, and quotients by small primes.
fn parts(number: U256) -> impl Iterator<Item = U256> {
    let small = [1_u64, 2, 3, 5, 7, 11, 13].into_iter().map(U256::from);
    small.filter(move |divisor| (number % *divisor).is_zero()).map(move |divisor| number / divisor)
}

/// Returns the number whose power is `wanted`.
fn root(wanted: U256, power: U256) -> Option<U256> {
    let degree = usize::try_from(power).ok().filter(|degree| (1..256).contains(degree))?;
    let root = wanted.root(degree);
    (root.checked_pow(power) == Some(wanted)).then_some(root)
}

/// Adds numbers that are below a bound, or that are not.
pub(super) fn below(bound: U256, is_below: bool, found: &mut Vec<U256>) {
    match is_below {
        true if bound.is_zero() => {}
        true => found.extend([bound - U256::ONE, bound >> 1, U256::ZERO]),
        false => found.extend([
            bound,
            bound.saturating_add(U256::ONE),
            bound.saturating_mul(U256::from(2)),
            U256::MAX,
        ]),
    }
}

/// Adds numbers that are above a bound, or that are not.
pub(super) fn above(bound: U256, is_above: bool, found: &mut Vec<U256>) {
    match is_above {
        true if bound == U256::MAX => {}
        true => below(bound + U256::ONE, false, found),
        false => found.extend([bound, bound >> 1, U256::ZERO]),
    }
}

/// Adds numbers in two's complement as `unsigned` does for unsigned ones.
pub(super) fn signed(
    bound: U256,
    holds: bool,
    unsigned: fn(U256, bool, &mut Vec<U256>),
    found: &mut Vec<U256>,
) {
    let sign = U256::ONE << 255;
    let mut shifted = Vec::new();
    unsigned(bound ^ sign, holds, &mut shifted);
    found.extend(shifted.into_iter().map(|number| number ^ sign));
    let (zero, one) = (U256::ZERO, U256::ONE);
    found.extend([zero, one, U256::MAX]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::arithmetic;
    use proptest::prelude::*;

    fn any_word() -> impl Strategy<Value = U256> {
        let small = (0..300_u64).prop_map(U256::from);
        let wide = (any::<[u64; 4]>(), 0..256_usize).prop_map(|(limbs, by)| U256::from_limbs(limbs) >> by);
        prop_oneof![small, wide]
    }

    /// Operators with the operand that is looked for, whose values always have the wanted result.
    const EXACT: [(WordOperator, usize); 13] = [
        (WordOperator::Add, 0),
        (WordOperator::Sub, 0),
        (WordOperator::Sub, 1),
        (WordOperator::Mul, 0),
        (WordOperator::Div, 0),
        (WordOperator::Div, 1),
        (WordOperator::Mod, 0),
        (WordOperator::Mod, 1),
        (WordOperator::And, 0),
        (WordOperator::Or, 0),
        (WordOperator::Xor, 1),
        (WordOperator::Byte, 1),
        (WordOperator::Less, 0),
    ];

    proptest! {
        #[test]
        fn operands_that_exist_are_found_and_have_the_wanted_result(
            (operator, place) in prop::sample::select(&EXACT[..]),
            [right, start, other, random] in [any_word(), any_word(), any_word(), any_word()],
        ) {
            let mut program = WordProgram::default();
            let constant = program.push(Computation::Constant(other));
            let variable = program.push(Computation::Variable(0));
            let operands = if place == 0 { [variable, constant] } else { [constant, variable] };
            let word = program.push(Computation::Operation(operator, operands.into()));
            let wanted = program.evaluate(&[right])[word];
            let values = program.evaluate(&[start]);
            let mut found = Vec::new();
            Inversion { program: &program, values: &values, variable: 0, random, ends: &[], steps: 0 }.invert(word, wanted, &mut found);
            let trivial = matches!(operator, WordOperator::Mul | WordOperator::Div | WordOperator::Mod)
                && (other.is_zero() || right.is_zero())
                || operator == WordOperator::Mod && place == 1
                || operator == WordOperator::Byte && other >= U256::from(32);
            prop_assert!(trivial || !found.is_empty());
            for value in found {
                let pair = if place == 0 { [value, other] } else { [other, value] };
                prop_assert_eq!(arithmetic::apply(operator, &pair), wanted, "{:?} {}", operator, value);
            }
        }
    }
}
