//! Parabola through three points that are not on a line, for costs that are quadratic in an element.

use super::fit::{Aim, Domain, Int, Point, wrapped};

/// Tells whether three equidistant points are on one line. For equations a line in wrapping arithmetic counts
/// as well.
pub(in crate::engine) fn is_line(aim: Aim, [p0, p1, p2]: [Point; 3]) -> bool {
    let bend = (p2.1 - p1.1) - (p1.1 - p0.1);
    bend.is_zero() || aim == Aim::Zero && wrapped(bend).is_zero()
}

/// Returns the values at which the parabola through three equidistant points meets the aim, the nearest
/// first.
pub(in crate::engine) fn parabola_roots(aim: Aim, points: [Point; 3], domain: Domain) -> Vec<Int> {
    let [g0, g1, g2] = points.map(|(_, gap)| if aim == Aim::Zero { wrapped(gap) } else { gap });
    let (slope, bend) = (g1 - g0, g2 - g1 - (g1 - g0));
    if bend.is_zero() {
        return Vec::new();
    }
    // Twice the gap after `t` steps is `bend * t^2 + linear * t + 2 * g0`.
    let linear = slope + slope - bend;
    let twice = |t: Int| bend * t * t + linear * t + g0 + g0;
    let four = Int::unchecked_from(4);
    let goal = aim.goal();
    let discriminant = linear * linear - four * bend * (g0 - goal + g0 - goal);
    if discriminant.is_negative() {
        return Vec::new();
    }
    let root = Int::from_raw(discriminant.into_raw().root(2));
    let ends = [root, -root].map(|root| (root - linear) / (bend + bend));
    let mut steps: Vec<Int> = ends
        .into_iter()
        .flat_map(|end| [end - Int::ONE, end, end + Int::ONE])
        .filter(|t| aim.is_met(twice(*t)))
        .collect();
    steps.sort_by_key(|t| t.unsigned_abs());
    steps.dedup();
    let run = points[1].0 - points[0].0;
    let known = points.map(|(value, _)| value);
    let values = steps.into_iter().map(|t| points[0].0 + run * t);
    values.filter(|value| domain.contains(*value) && !known.contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(start: i128, gap: impl Fn(i128) -> i128) -> [Point; 3] {
        [0, 1, 2].map(|t| (Int::unchecked_from(start + t), Int::unchecked_from(gap(start + t))))
    }

    const WIDE: Domain = Domain { bits: 256, signed: true };

    #[test]
    fn a_square_is_solved_at_once() {
        for start in [0, 7, -40_000, 1 << 40] {
            let found = parabola_roots(Aim::Zero, points(start, |x| x * x + 10 - 10_010), WIDE);
            assert!(
                found.contains(&Int::unchecked_from(if start < 0 { -100 } else { 100 })),
                "from {start}: {found:?}"
            );
        }
    }

    #[test]
    fn an_order_wants_the_first_value_on_the_other_side() {
        let found = parabola_roots(Aim::Above, points(0, |x| x * x - 1_000), WIDE);
        assert_eq!(found.first(), Some(&Int::unchecked_from(32)));
        let found = parabola_roots(Aim::Below, points(50, |x| x * x - 1_000), WIDE);
        assert_eq!(found.first(), Some(&Int::unchecked_from(31)));
    }

    #[test]
    fn what_has_no_integer_root_or_bends_nowhere_gives_nothing() {
        assert!(parabola_roots(Aim::Zero, points(0, |x| x * x - 1_001), WIDE).is_empty());
        assert!(parabola_roots(Aim::Zero, points(0, |x| x * x + 1), WIDE).is_empty());
        assert!(parabola_roots(Aim::Zero, points(0, |x| 3 * x - 9), WIDE).is_empty());
        assert!(is_line(Aim::Zero, points(0, |x| 3 * x - 9)) && !is_line(Aim::Zero, points(0, |x| x * x)));
    }
}
