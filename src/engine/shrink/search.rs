//! Search functions that several passes share.

use crate::engine::tuning::shrink_search::SMALL;
use alloy_primitives::U256;

/// Calls `remove` for chunks of a list of `length` items: first the whole list, then halves and ever smaller
/// chunks down to single items, from back to front. At least `least` items stay (delta debugging, Zeller and
/// Hildebrandt, TSE 2002). `remove(start, count)` returns true if the chunk could be removed.
pub(super) fn chunks(mut length: usize, least: usize, mut remove: impl FnMut(usize, usize) -> bool) {
    let mut size = length;
    while size > 0 {
        let mut end = length;
        while end > 0 {
            let start = end.saturating_sub(size);
            if length - (end - start) >= least && remove(start, end - start) {
                length -= end - start;
            }
            end = start;
        }
        size /= 2;
    }
}

/// Searches for the smallest number below `start` that `holds` accepts: first the small numbers, then by
/// magnitude, then by bisection. The result is the minimum if `holds` accepts every number above an accepted
/// one, and a local minimum otherwise. There is no bisection if the predecessor of the number found by magnitude
/// is not accepted.
pub(super) fn minimise(start: U256, mut holds: impl FnMut(U256) -> bool) {
    let small = (0..=SMALL).map(U256::from);
    if small.take_while(|small| *small < start).any(&mut holds) || start <= U256::from(SMALL) {
        return;
    }
    // A shift by `kept` bits is accepted, a shift by `lost` bits is not.
    let (mut kept, mut lost) = (0, start.bit_len());
    while lost - kept > 1 {
        let middle = kept.midpoint(lost);
        if holds(start >> middle) {
            kept = middle;
        } else {
            lost = middle;
        }
    }
    let (mut good, mut bad) = (start >> kept, start >> lost);
    if !holds(good - U256::ONE) {
        return;
    }
    good -= U256::ONE;
    while good - bad > U256::ONE {
        let middle = bad + ((good - bad) >> 1);
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_leave_what_is_needed() {
        let mut items: Vec<usize> = (0..100).collect();
        let mut attempts = 0;
        let needed = |items: &[usize]| [3, 50, 51].iter().all(|needed| items.contains(needed));
        chunks(items.len(), 1, |start, count| {
            attempts += 1;
            let mut fewer = items.clone();
            fewer.drain(start..start + count);
            let enough = needed(&fewer);
            if enough {
                items = fewer;
            }
            enough
        });
        assert_eq!(items, [3, 50, 51]);
        assert!(attempts < 60, "{attempts}");
        chunks(2, 2, |_, _| panic!("nothing to spare"));
    }

    fn least(start: U256, mut holds: impl FnMut(U256) -> bool) -> (U256, usize) {
        let (mut best, mut attempts) = (start, 0);
        minimise(start, |number| {
            attempts += 1;
            let good = holds(number);
            if good {
                best = number;
            }
            good
        });
        (best, attempts)
    }

    #[test]
    fn the_least_number_above_a_threshold_is_found() {
        for threshold in [0, 1, 2, 3, 42, 1_000_000_007] {
            let threshold = U256::from(threshold);
            assert_eq!(least(U256::MAX, |number| number >= threshold).0, threshold);
            assert_eq!(least(threshold, |number| number >= threshold).0, threshold);
        }
        let (found, attempts) = least(U256::MAX, |number| number > U256::from(1) << 200);
        assert_eq!(found, (U256::from(1) << 200) + U256::from(1));
        assert!(attempts < 230, "{attempts}");
    }

    #[test]
    fn what_is_taken_modulo_something_becomes_small() {
        let seven = U256::from(7);
        assert_eq!(least(U256::from(19_328_993), |number| number % seven > U256::from(4)).0, U256::from(5));
    }

    #[test]
    fn a_number_that_must_be_exact_costs_few_attempts() {
        let exact = U256::MAX / U256::from(3);
        let (found, attempts) = least(exact, |number| number == exact);
        assert_eq!(found, exact);
        assert!(attempts < 24, "{attempts}");
    }
}
