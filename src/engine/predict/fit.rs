//! The approximation step of the Secant method (Harvey section 4.2), in exact arithmetic.
//!
//! An element of the input changed from `i0` to `i1`, and the gap between the operands of a comparison from
//! `g0` to `g1`. The line through the two points is solved for the gap that flips the comparison. EVM words
//! wrap, so that `5 * x - 17 == 42` has a solution although 59 is not a multiple of 5. If the line has no
//! integer root, it is therefore also solved modulo powers of two.

use crate::model::{Branch, Relation};
use alloy_primitives::{Signed, U256, Uint};

/// Exact integer: gaps take 257 bits with their sign, differences of gaps 258, and products of two
/// differences 516.
pub(in crate::engine) type Int = Signed<576, 9>;
/// Absolute value of an [`Int`].
pub(in crate::engine) type Magnitude = Uint<576, 9>;

/// Bits of an EVM word.
const WORD: usize = 256;

/// Range of gaps that flip a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Aim {
    /// Zero exactly.
    Zero,
    /// Any gap below zero.
    Below,
    /// Zero or more.
    Above,
}

impl Aim {
    /// Returns the aim that makes the relation of `branch` come out as `outcome`; `None` if any change of
    /// either operand suffices, so that there is nothing to predict.
    pub(in crate::engine) fn of(branch: &Branch, outcome: bool) -> Option<Self> {
        match (branch.relation, outcome) {
            (Relation::Equal, true) => Some(Self::Zero),
            (Relation::Equal, false) => None,
            (Relation::Less | Relation::SignedLess, true) => Some(Self::Below),
            (Relation::Less | Relation::SignedLess, false) => Some(Self::Above),
        }
    }

    /// Tells whether `gap` meets the aim.
    pub(in crate::engine) fn is_met(self, gap: Int) -> bool {
        match self {
            Self::Zero => gap.is_zero(),
            Self::Below => gap.is_negative(),
            Self::Above => !gap.is_negative(),
        }
    }

    /// Returns the gap that flips the comparison and is nearest to those that do not.
    pub(in crate::engine) fn goal(self) -> Int {
        match self {
            Self::Below => Int::MINUS_ONE,
            Self::Zero | Self::Above => Int::ZERO,
        }
    }
}

/// Range of integers that an element can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Domain {
    /// Width in bits, 1 to 256.
    pub(in crate::engine) bits: usize,
    /// True if the element is in two's complement.
    pub(in crate::engine) signed: bool,
}

impl Domain {
    pub(in crate::engine) fn unsigned(bits: usize) -> Self {
        Self { bits, signed: false }
    }

    pub(in crate::engine) fn min(self) -> Int {
        if self.signed { -power(self.bits - 1) } else { Int::ZERO }
    }

    pub(in crate::engine) fn max(self) -> Int {
        power(if self.signed { self.bits - 1 } else { self.bits }) - Int::ONE
    }

    pub(in crate::engine) fn contains(self, value: Int) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    fn clamp(self, value: Int) -> Int {
        value.clamp(self.min(), self.max())
    }

    /// Returns the value as the EVM holds it: the low bits, signed if the domain is.
    pub(in crate::engine) fn wrap(self, value: Int) -> Int {
        let low = modulo(value, self.bits);
        if low > self.max() { low - power(self.bits) } else { low }
    }
}

/// Returns `left - right` of a comparison; operands of signed comparisons are read as signed.
pub(in crate::engine) fn gap(branch: &Branch) -> Int {
    let signed = branch.relation == Relation::SignedLess;
    int(branch.left, signed) - int(branch.right, signed)
}

/// Converts a word to an exact integer.
pub(in crate::engine) fn int(word: U256, signed: bool) -> Int {
    let value = Int::from_raw(word.to());
    if signed && word.bit(WORD - 1) { value - power(WORD) } else { value }
}

/// Converts an integer to an EVM word: its low 256 bits.
pub(in crate::engine) fn word(value: Int) -> U256 {
    modulo(value, WORD).into_raw().to()
}

fn power(exponent: usize) -> Int {
    Int::from_raw(Magnitude::ONE << exponent)
}

/// Returns the representative of `value` in `0..2^bits`.
fn modulo(value: Int, bits: usize) -> Int {
    Int::from_raw(value.into_raw() & (power(bits) - Int::ONE).into_raw())
}

/// Point of the function from the element to the gap: the value of the element, and the gap.
pub(in crate::engine) type Point = (Int, Int);

/// Returns the values of the element that flip the comparison if the gap is a line, in exact or in wrapping
/// arithmetic. The most likely value comes first, and the values of the two points are left out. Empty if no
/// integer of the domain flips the comparison.
pub(in crate::engine) fn roots(aim: Aim, p0: Point, p1: Point, domain: Domain) -> Vec<Int> {
    let lines = lines(aim, p0, p1).filter(|(_, exact)| *exact || aim != Aim::Zero).map(|(value, _)| value);
    let mut found: Vec<Int> = lines.collect();
    if aim == Aim::Zero {
        // Arithmetic that is narrower than a word cannot result in gaps wider than itself.
        let is_narrow = [p0, p1].iter().all(|(_, gap)| gap.unsigned_abs() < power(domain.bits).into_raw());
        let widths = [WORD].into_iter().chain(is_narrow.then_some(domain.bits));
        found.extend(widths.filter_map(|bits| ring_root(p0, p1, bits, domain)));
    }
    new_values(found.into_iter().filter(|value| domain.contains(*value)), p0, p1)
}

/// Returns steps towards the aim, cut to the domain, for gaps that may not be a line.
pub(in crate::engine) fn step(aim: Aim, p0: Point, p1: Point, domain: Domain) -> Vec<Int> {
    new_values(lines(aim, p0, p1).map(|(value, _)| domain.clamp(value)), p0, p1)
}

/// Returns the values at which the line meets the aim, each with true if it does so exactly. Operands that
/// wrapped (a difference, a negative number) are near zero on the other side, so that there can be a second
/// value.
fn lines(aim: Aim, p0: Point, p1: Point) -> impl Iterator<Item = (Int, bool)> {
    let wrapped = if aim == Aim::Zero { root(aim, near(p0), near(p1)) } else { None };
    [root(aim, p0, p1), wrapped].into_iter().flatten()
}

/// Returns each distinct value that is not the value of one of the points.
fn new_values(values: impl Iterator<Item = Int>, p0: Point, p1: Point) -> Vec<Int> {
    let mut found = Vec::new();
    for value in values {
        if value != p0.0 && value != p1.0 && !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Returns the point with its gap read as a wrapped signed difference.
fn near((value, gap): Point) -> Point {
    (value, wrapped(gap))
}

/// Reads a difference of words as a signed word.
pub(in crate::engine) fn wrapped(gap: Int) -> Int {
    Domain { bits: WORD, signed: true }.wrap(gap)
}

/// Returns the value at which the line through two points meets the aim, with true if it does so exactly.
fn root(aim: Aim, (i0, g0): Point, (i1, g1): Point) -> Option<(Int, bool)> {
    let (run, rise) = (i1 - i0, g1 - g0);
    if rise.is_zero() {
        return None;
    }
    let (numerator, denominator) = ((aim.goal() - g0) * run, rise);
    let (quotient, rest) = (numerator / denominator, numerator % denominator);
    let toward = if numerator.is_negative() == denominator.is_negative() { Int::ONE } else { Int::MINUS_ONE };
    // For an equality the value is rounded to the nearest integer, for an order to the first one that flips
    // it.
    let round_away = match aim {
        _ if rest.is_zero() => false,
        Aim::Zero => {
            let (rest, denominator) = (rest.unsigned_abs(), denominator.unsigned_abs());
            rest >= denominator - rest
        }
        Aim::Below | Aim::Above => true,
    };
    let step = if round_away { quotient + toward } else { quotient };
    Some((i0 + step, rest.is_zero()))
}

/// Returns the root of a line in wrapping arithmetic of `bits` bits. The slope is known only if the distance
/// between the points is odd. If the slope is even, there are several roots; the one nearest to `i0` is
/// returned.
fn ring_root((i0, g0): Point, (i1, g1): Point, bits: usize, domain: Domain) -> Option<Int> {
    let ring = |value: Int| modulo(value, bits).into_raw();
    let inverse = |odd: Magnitude| -> Option<Magnitude> { odd.inv_ring() };
    let run = ring(i1 - i0);
    if !run.bit(0) {
        return None;
    }
    let slope = ring(Int::from_raw(ring(g1 - g0).wrapping_mul(inverse(run)?)));
    if slope.is_zero() {
        return None;
    }
    let target = ring(-g0);
    let shift = slope.trailing_zeros();
    if target.trailing_zeros() < shift {
        return None;
    }
    let width = bits - shift;
    let step = (target >> shift).wrapping_mul(inverse(slope >> shift)?);
    let step = modulo(Int::from_raw(step), width);
    // Smallest step in either direction that leads to a value of the domain.
    let back = step - power(width);
    let (first, second) = if step <= -back { (step, back) } else { (back, step) };
    [i0 + first, i0 + second].into_iter().find(|value| domain.contains(*value)).or_else(|| {
        let value = domain.wrap(i0 + step);
        (domain.bits >= width).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDE: Domain = Domain { bits: 256, signed: true };

    fn n(value: i128) -> Int {
        Int::unchecked_from(value)
    }

    fn first(aim: Aim, p0: (i128, i128), p1: (i128, i128), domain: Domain) -> Option<Int> {
        roots(aim, (n(p0.0), n(p0.1)), (n(p1.0), n(p1.1)), domain).first().copied()
    }

    #[test]
    fn the_example_of_the_paper_is_solved() {
        // Table 1: a = -1 and a = 7 against a == 42.
        assert_eq!(first(Aim::Zero, (-1, -43), (7, -35), WIDE), Some(n(42)));
    }

    #[test]
    fn an_order_is_overshot_by_as_little_as_possible() {
        // 3 * i < 100 from i = 50, and back from i = 0; a gap of -1 is enough, one of 0 is not.
        assert_eq!(first(Aim::Below, (50, 50), (49, 47), WIDE), Some(n(33)));
        assert_eq!(first(Aim::Above, (0, -100), (1, -97), WIDE), Some(n(34)));
        assert_eq!(first(Aim::Below, (10, 0), (11, 1), WIDE), Some(n(9)));
    }

    #[test]
    fn what_leaves_the_domain_is_no_prediction_but_a_step_is_cut_to_it() {
        for (aim, p0, p1, cut) in [
            (Aim::Above, (0, -1000), (1, -999), Some(n(255))),
            (Aim::Zero, (5, -1000), (6, -998), Some(n(255))),
            (Aim::Above, (255, -9), (254, -10), None),
        ] {
            assert_eq!(first(aim, p0, p1, Domain::unsigned(8)), None);
            let [p0, p1] = [p0, p1].map(|(i, g)| (n(i), n(g)));
            assert_eq!(step(aim, p0, p1, Domain::unsigned(8)).first().copied(), cut);
        }
    }

    #[test]
    fn a_flat_line_predicts_nothing() {
        assert_eq!(first(Aim::Zero, (0, 7), (1, 7), WIDE), None);
    }

    /// Points of `i -> (slope * i + offset) mod 2^bits - constant`.
    fn wrapping(slope: U256, offset: U256, constant: U256, bits: usize, at: [Int; 2]) -> [Point; 2] {
        at.map(|i| {
            let value = word(i).wrapping_mul(slope).wrapping_add(offset);
            (i, modulo(int(value, false), bits) - int(constant, false))
        })
    }

    #[test]
    fn wrapping_arithmetic_is_inverted() {
        // unchecked { 5 * x - 17 == 42 } on int256.
        let offset = U256::ZERO - U256::from(17);
        let [p0, p1] = wrapping(U256::from(5), offset, U256::from(42), 256, [n(0), n(1)]);
        let solution = roots(Aim::Zero, p0, p1, WIDE);
        let value = |i: &Int| word(*i).wrapping_mul(U256::from(5)).wrapping_add(offset);
        assert!(solution.iter().any(|i| value(i) == U256::from(42)), "{solution:?}");
    }

    #[test]
    fn a_negative_number_is_near_a_positive_one() {
        // int256(-1) == 42, compared as words.
        let p0 = (n(-1), int(U256::MAX, false) - n(42));
        let p1 = (n(0), n(-42));
        assert_eq!(roots(Aim::Zero, p0, p1, WIDE)[0], n(42));
    }

    proptest! {
        #[test]
        fn lines_with_integer_roots_are_solved_at_once(
            root in any::<i64>(), slope in prop_oneof![-1000i64..0, 1i64..1000], i0 in any::<i64>(), run in 1i64..100
        ) {
            let line = |i: i128| i128::from(slope) * (i - i128::from(root));
            let (i0, i1) = (i128::from(i0), i128::from(i0) + i128::from(run));
            prop_assume!(i0 != i128::from(root) && i1 != i128::from(root));
            prop_assert_eq!(first(Aim::Zero, (i0, line(i0)), (i1, line(i1)), WIDE), Some(n(root.into())));
        }

        #[test]
        fn odd_slopes_have_a_root_in_any_ring(
            slope in any::<[u64; 4]>(), offset in any::<[u64; 4]>(), constant in any::<[u64; 4]>(), i0 in any::<u32>(),
            bits in prop_oneof![Just(256usize), Just(64), Just(128)]
        ) {
            let mask = if bits == 256 { U256::MAX } else { (U256::ONE << bits) - U256::ONE };
            let [slope, offset, constant] = [slope, offset, constant].map(U256::from_limbs);
            let (slope, constant) = (slope | U256::ONE, constant & mask);
            let domain = Domain::unsigned(bits);
            let points = [n(i0.into()), n(i128::from(i0) + 1)];
            let [p0, p1] = wrapping(slope, offset, constant, bits, points);
            prop_assume!(!p0.1.is_zero() && !p1.1.is_zero());
            let found = roots(Aim::Zero, p0, p1, domain);
            let solves = |i: &Int| (word(*i).wrapping_mul(slope).wrapping_add(offset) & mask) == constant;
            prop_assert!(found.iter().any(solves), "{:?}", found);
        }

        #[test]
        fn what_is_predicted_is_in_the_domain_and_new(
            p in any::<(i64, i64, i64, i64)>(), bits in 1usize..=64, signed in any::<bool>()
        ) {
            let domain = Domain { bits: bits.max(2), signed };
            let point = |i: i64, g: i64| (domain.wrap(n(i.into())), n(g.into()));
            let (p0, p1) = (point(p.0, p.1), point(p.2, p.3));
            prop_assume!(p0.0 != p1.0);
            for aim in [Aim::Zero, Aim::Below, Aim::Above] {
                for value in roots(aim, p0, p1, domain) {
                    prop_assert!(domain.contains(value) && value != p0.0 && value != p1.0);
                }
            }
        }
    }
}
