//! Root search: the Secant method on one element and one comparison.
//!
//! A prediction that did not flip its comparison is a third point, and the search continues with it. If there
//! are points on both sides of the aim, it divides the interval between them. Otherwise it fits a new line
//! through the newest points. If a value led elsewhere (a revert, another path), it goes back half of the
//! way.

use super::{
    fit::{Aim, Domain, Int, Magnitude, Point, roots, step},
    parabola::{is_line, parabola_roots},
};
use crate::engine::tuning::predict_root_search::{ASTRAY, ASTRAY_IN_A_ROW, BALANCE, PATIENCE, STEPS};
use std::collections::VecDeque;

/// State of a root search.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) struct RootSearch {
    aim: Aim,
    domain: Domain,
    /// Known points, the newest last.
    points: Vec<Point>,
    /// Guesses of the last fit that are not tried yet.
    guesses: VecDeque<Int>,
    /// Ends of the interval in which the search goes back: the best point when the comparison was last not
    /// reached, and the value that did not reach it.
    lost: Option<(Int, Int)>,
    /// True if the first guess meets the aim, provided that the gap behaves as the points suggest.
    is_prediction: bool,
    /// Number of values tried.
    steps: u32,
    /// Maximum number of values tried.
    most_steps: u32,
    /// Remaining distances when one of them last halved: the gap at the best point, and the sum of the gaps
    /// at both ends of the bracket.
    left: [Magnitude; 2],
    /// Number of values tried since then, apart from the first guesses.
    stuck: u32,
    /// Number of first guesses left.
    first: u32,
    /// Number of consecutive values that led elsewhere.
    astray: u32,
}

impl RootSearch {
    /// Creates a search from two points, or from three to distinguish lines from curves. An additional guess
    /// is the value `masked`, if there is one. Returns `None` if there are no guesses.
    pub(in crate::engine) fn new(
        aim: Aim,
        domain: Domain,
        points: &[Point],
        masked: Option<Int>,
    ) -> Option<Self> {
        let (mut predicted, steps) = match *points {
            [p0, p1] => (roots(aim, p0, p1, domain), step(aim, p0, p1, domain)),
            [p0, p1, p2] if is_line(aim, [p0, p1, p2]) => (roots(aim, p0, p1, domain), Vec::new()),
            [p0, p1, p2] => (parabola_roots(aim, [p0, p1, p2], domain), step(aim, p1, p2, domain)),
            _ => return None,
        };
        predicted.extend(masked);
        let is_prediction = !predicted.is_empty();
        let guesses: VecDeque<Int> = predicted.into_iter().chain(steps).collect();
        (!guesses.is_empty()).then(|| Self::from_guesses(aim, domain, points, guesses, is_prediction))
    }

    /// Creates a search that steps towards the aim from two points far apart and predicts nothing.
    pub(in crate::engine) fn approach(aim: Aim, domain: Domain, points: [Point; 2]) -> Option<Self> {
        let guesses = VecDeque::from(step(aim, points[0], points[1], domain));
        (!guesses.is_empty()).then(|| Self::from_guesses(aim, domain, &points, guesses, false))
    }

    fn from_guesses(
        aim: Aim,
        domain: Domain,
        points: &[Point],
        guesses: VecDeque<Int>,
        is_prediction: bool,
    ) -> Self {
        let first = guesses.len() as u32;
        let mut search = Self {
            aim,
            domain,
            points: points.to_vec(),
            guesses,
            lost: None,
            is_prediction,
            steps: 0,
            most_steps: STEPS,
            left: [Magnitude::ZERO; 2],
            stuck: 0,
            first,
            astray: 0,
        };
        search.left = search.distances();
        search
    }

    /// Returns the same search with at most `most_steps` values.
    pub(in crate::engine) fn limited(self, most_steps: u32) -> Self {
        Self { most_steps: most_steps.min(STEPS), ..self }
    }

    /// Tells whether the first value is a prediction that it flips the comparison, and not only a step in
    /// that direction.
    pub(in crate::engine) fn is_prediction(&self) -> bool {
        self.is_prediction
    }

    /// Returns the number of values tried so far.
    pub(in crate::engine) fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the next value to try.
    pub(in crate::engine) fn next(&mut self) -> Option<Int> {
        if self.steps >= self.most_steps || self.stuck >= PATIENCE || self.astray >= ASTRAY_IN_A_ROW {
            return None;
        }
        let guess = self.guesses.pop_front()?;
        self.first = self.first.saturating_sub(1);
        self.steps += 1;
        Some(guess)
    }

    /// Records the gap at `value`, or `None` if the comparison was not reached, and prepares the next guess.
    pub(in crate::engine) fn learn(&mut self, value: Int, gap: Option<Int>) {
        let best = self.best();
        let Some(gap) = gap else {
            self.astray += 1;
            if self.guesses.is_empty() {
                self.turn_back(best.0, value);
            }
            return;
        };
        self.lost = self.lost.filter(|(from, _)| *from != value);
        let closer = gap.unsigned_abs() < best.1.unsigned_abs();
        let was_bracketed = self.bracket().is_some();
        self.points.push((value, gap));
        self.astray = 0;
        self.stuck += u32::from(self.first == 0);
        let left = self.distances();
        let halves = (0..2).any(|which| left[which] <= self.left[which] >> 1);
        if halves || self.bracket().is_some() && !was_bracketed {
            (self.left, self.stuck) = (left, 0);
        }
        if closer || self.guesses.is_empty() {
            self.fit();
        }
    }

    /// Returns the point nearest to the aim.
    fn best(&self) -> Point {
        *self.points.iter().min_by_key(|(_, gap)| gap.unsigned_abs()).expect("a search has points")
    }

    /// Returns the remaining distances: the gap at the best point, and the sum of the gaps at both ends of
    /// the bracket.
    fn distances(&self) -> [Magnitude; 2] {
        let best = self.best().1.unsigned_abs();
        let both = self.bracket().map(|(low, high)| low.1.unsigned_abs() + high.1.unsigned_abs());
        [best, both.unwrap_or(best)]
    }

    /// Returns the nearest points on either side of the aim.
    fn bracket(&self) -> Option<(Point, Point)> {
        let nearest = |negative: bool| {
            let side = self.points.iter().filter(move |(_, gap)| gap.is_negative() == negative);
            side.min_by_key(|(_, gap)| gap.unsigned_abs()).copied()
        };
        nearest(true).zip(nearest(false))
    }

    fn turn_back(&mut self, from: Int, lost: Int) {
        self.lost = Some((from, lost));
        let (first, last) = (from.min(lost), from.max(lost));
        let middle = middle(first, last);
        if middle != from && middle != lost {
            self.guesses.push_back(middle);
        }
    }

    /// Prepares guesses from all known points.
    fn fit(&mut self) {
        self.guesses.clear();
        match self.bracket().filter(|_| self.steps > 1) {
            Some((low, high)) => self.divide(low, high),
            None => self.extrapolate(),
        }
        if let (true, Some((from, lost))) = (self.guesses.is_empty(), self.lost) {
            self.turn_back(from, lost);
        }
    }

    /// Guesses with the line through the two points nearest to the aim, or through the nearest and the newest
    /// point.
    fn extrapolate(&mut self) {
        if self.steps == ASTRAY && self.domain.contains(Int::ZERO) && !self.knows(Int::ZERO) {
            self.guesses.push_back(Int::ZERO);
            return;
        }
        let best = self.best();
        let others = self.points.iter().filter(|point| point.0 != best.0);
        let second = others.min_by_key(|(_, gap)| gap.unsigned_abs());
        for other in [second, self.points.last()].into_iter().flatten().filter(|point| point.0 != best.0) {
            let found = step(self.aim, *other, best, self.domain);
            self.guesses.extend(found.into_iter().find(|value| !self.knows(*value)));
            if !self.guesses.is_empty() {
                return;
            }
        }
    }

    /// Guesses alternately with the line between two points on either side of the aim, which is fast, and
    /// with their middle, which is safe.
    fn divide(&mut self, low: Point, high: Point) {
        let (first, last) = (low.0.min(high.0), low.0.max(high.0));
        let middle = middle(first, last);
        let line =
            step(self.aim, low, high, self.domain).into_iter().find(|value| (first..=last).contains(value));
        // A line from a small gap to a large one hardly moves away from the small one.
        let [low, high] = [low, high].map(|point| point.1.unsigned_abs());
        let is_even = low.max(high) >> BALANCE <= low.min(high);
        let fast = line.filter(|value| is_even && self.steps.is_multiple_of(2) && !self.knows(*value));
        let guess = fast.unwrap_or(middle);
        if !self.knows(guess) {
            self.guesses.push_back(guess);
        }
    }

    fn knows(&self, value: Int) -> bool {
        self.points.iter().any(|(known, _)| *known == value)
    }
}

/// Returns a value between two others: the geometric mean if their magnitudes differ, else the arithmetic
/// mean.
fn middle(first: Int, last: Int) -> Int {
    let sixteen = Int::unchecked_from(16);
    if !first.is_negative() && last > first.max(Int::ONE) * sixteen {
        return Int::from_raw((first.max(Int::ONE) * last).into_raw().root(2));
    }
    first + (last - first) / Int::unchecked_from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of values tried until `f` meets the aim, from `start`, `start + 1` and `start + 2`.
    /// `f` returns `None` if it reverts.
    fn tries(aim: Aim, bits: usize, start: i128, f: impl Fn(i128) -> Option<i128>) -> Option<u32> {
        let point =
            |i: i128| (Int::unchecked_from(i), Int::unchecked_from(f(i).expect("the start is reached")));
        let domain = Domain::unsigned(bits);
        let mut search =
            RootSearch::new(aim, domain, &[point(start), point(start + 1), point(start + 2)], None)?;
        while let Some(value) = search.next() {
            let gap = f(i128::try_from(value).expect("small")).map(Int::unchecked_from);
            if gap.is_some_and(|gap| aim.is_met(gap)) {
                return Some(search.steps());
            }
            search.learn(value, gap);
        }
        None
    }

    #[test]
    fn a_line_is_solved_by_the_first_value() {
        assert_eq!(tries(Aim::Zero, 64, 0, |i| Some(3 * i - 3_000_000)), Some(1));
        assert_eq!(tries(Aim::Below, 64, 10, |i| Some(1_000 - i)), Some(1));
    }

    #[test]
    fn the_polynomial_of_the_papers_is_solved_by_iterating() {
        // `a**4 + a**2 == 228901770` in checked arithmetic on uint64, which reverts on overflow.
        let polynomial = |a: i128| {
            let value = a.checked_pow(4)?.checked_add(a * a)?;
            (value < 1 << 64).then(|| value - 228_901_770)
        };
        for start in [0, 1, 7, 1_000, 60_000] {
            let tries = tries(Aim::Zero, 64, start, polynomial);
            assert!(tries.is_some_and(|tries| tries <= 60), "from {start}: {tries:?}");
        }
    }

    #[test]
    fn a_steep_curve_is_left_from_far_up() {
        let polynomial = |a: i128| (a < 1 << 30).then(|| a.pow(4) + a * a - 228_901_770);
        for start in [1 << 12, 1 << 20, (1 << 30) - 3] {
            let tries = tries(Aim::Zero, 64, start, polynomial);
            assert!(tries.is_some_and(|tries| tries <= 30), "from {start}: {tries:?}");
        }
    }

    #[test]
    fn a_square_is_found_from_far_away() {
        let square = |x: i128| x.checked_mul(x).map(|square| square - 10_000);
        assert!(tries(Aim::Zero, 60, 0, square).is_some());
        assert!(tries(Aim::Zero, 60, 40_000_000, square).is_some());
    }

    #[test]
    fn a_chase_without_progress_ends() {
        let jumping = |i: i128| Some(if i < 2 { i + 5 } else { 1_000 + (i * 7_919) % 1_000 });
        assert_eq!(tries(Aim::Zero, 64, 0, jumping), None);
    }
}
