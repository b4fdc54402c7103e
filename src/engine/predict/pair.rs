//! Prediction for two elements that are moved together if one alone does not suffice: an equation with two
//! unknowns over the integers.

use super::fit::{Domain, Int};

/// Change of the gap of a comparison when one element moves by one, with the value of the element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::engine) struct Slope {
    /// Value of the element.
    pub(in crate::engine) at: Int,
    /// Change of the gap for each step up.
    pub(in crate::engine) rise: Int,
    pub(in crate::engine) domain: Domain,
}

/// Returns values of both elements that close `gap` if the gap is linear in both: the nearest solution of
/// `first.rise * x + second.rise * y = -gap` that is in the domains of both elements. `None` if either
/// element closes the gap alone, or if there is no such solution.
pub(in crate::engine) fn solve(gap: Int, first: Slope, second: Slope) -> Option<(Int, Int)> {
    let (a, b) = (first.rise, second.rise);
    if a.is_zero() || b.is_zero() || alone(gap, first) || alone(gap, second) {
        return None;
    }
    let (divisor, inverse) = euclid(a, b);
    if !(gap % divisor).is_zero() {
        return None;
    }
    // All solutions differ from this one by multiples of the period.
    let period = abs(b / divisor);
    let smallest = modulo(modulo(inverse, period) * modulo(-gap / divisor, period), period);
    [smallest, smallest - period].into_iter().find_map(|x| {
        let y = (-gap - a * x) / b;
        let (x, y) = (first.at + x, second.at + y);
        (first.domain.contains(x) && second.domain.contains(y)).then_some((x, y))
    })
}

/// Tells whether one element alone closes the gap.
fn alone(gap: Int, slope: Slope) -> bool {
    (gap % slope.rise).is_zero() && slope.domain.contains(slope.at - gap / slope.rise)
}

/// Returns the greatest common divisor of two numbers, and the factor of the first number that yields it
/// modulo the second.
fn euclid(a: Int, b: Int) -> (Int, Int) {
    let (mut rest, mut next) = (a, b);
    let (mut factor, mut other) = (Int::ONE, Int::ZERO);
    while !next.is_zero() {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (factor, other) = (other, factor - quotient * other);
    }
    (rest, factor)
}

fn abs(value: Int) -> Int {
    if value.is_negative() { -value } else { value }
}

/// Returns the representative of `value` in `0..modulus`.
fn modulo(value: Int, modulus: Int) -> Int {
    let rest = value % modulus;
    if rest.is_negative() { rest + modulus } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn n(value: i128) -> Int {
        Int::unchecked_from(value)
    }

    fn slope(at: i128, rise: i128, bits: usize) -> Slope {
        Slope { at: n(at), rise: n(rise), domain: Domain { bits, signed: true } }
    }

    #[test]
    fn neither_suffices_but_both_do() {
        // 5 * x + 9 * y = 7.
        let (x, y) = solve(n(-7), slope(0, 5, 32), slope(0, 9, 16)).expect("a solution");
        assert_eq!(n(5) * x + n(9) * y, n(7));
    }

    #[test]
    fn what_one_does_alone_or_both_cannot_do_is_no_pair() {
        assert_eq!(solve(n(-10), slope(0, 5, 32), slope(0, 9, 16)), None);
        assert_eq!(solve(n(-7), slope(0, 6, 32), slope(0, 9, 16)), None);
        assert_eq!(solve(n(-1_000_001), slope(0, 5, 8), slope(0, 9, 8)), None);
    }

    proptest! {
        #[test]
        fn what_is_solved_closes_the_gap(
            at in any::<(i16, i16)>(), rise in any::<(i32, i32)>(), gap in any::<i64>()
        ) {
            let (first, second) = (slope(at.0.into(), rise.0.into(), 128), slope(at.1.into(), rise.1.into(), 128));
            if let Some((x, y)) = solve(n(gap.into()), first, second) {
                let moved = first.rise * (x - first.at) + second.rise * (y - second.at);
                prop_assert_eq!(moved, n(-i128::from(gap)));
            }
        }
    }
}
