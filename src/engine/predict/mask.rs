//! Root of an equation that is not linear because the element was combined with a mask: `x ^ mask == word`.

use super::fit::{Aim, Domain, Int, Point, word};
use alloy_primitives::U256;

/// Operand of an equation that stays the same while an element changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct FixedOperand {
    /// Value of the operand.
    pub(in crate::engine) operand: U256,
    /// True if it is the left operand.
    pub(in crate::engine) is_left: bool,
}

impl FixedOperand {
    /// Returns the other operand for a given gap.
    fn other(self, gap: Int) -> U256 {
        let gap = word(gap);
        if self.is_left { self.operand.wrapping_sub(gap) } else { self.operand.wrapping_add(gap) }
    }
}

/// Returns the value that closes the gap, if all points agree that the other operand is the element with the
/// same bits flipped.
pub(in crate::engine) fn masked_root(
    aim: Aim,
    points: &[Point],
    fixed: FixedOperand,
    domain: Domain,
) -> Option<Int> {
    let mut masks = points.iter().map(|(value, gap)| word(*value) ^ fixed.other(*gap));
    let mask = masks.next()?;
    if aim != Aim::Zero || masks.any(|other| other != mask) {
        return None;
    }
    let value = domain.wrap(super::int(mask ^ fixed.operand, false));
    // The mask may flip bits that a narrower element does not have.
    (word(value) == mask ^ fixed.operand && points.iter().all(|(known, _)| *known != value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(bits: usize, mask: u64, target: u64, from: u64, is_left: bool) -> Option<Int> {
        let fixed = FixedOperand { operand: U256::from(target), is_left };
        let points: Vec<Point> = (from..from + 3)
            .map(|x| {
                let gap = Int::unchecked_from(x ^ mask) - Int::unchecked_from(target);
                (Int::unchecked_from(x), if is_left { -gap } else { gap })
            })
            .collect();
        masked_root(Aim::Zero, &points, fixed, Domain::unsigned(bits))
    }

    #[test]
    fn flipped_bits_are_flipped_back() {
        for (mask, target, from) in [(0xdead_beef, 0x1234_5678, 0), (0x0f0f, 0xffff, 77)] {
            let root = Some(Int::unchecked_from(mask ^ target));
            assert_eq!(solve(256, mask, target, from, false), root);
            assert_eq!(solve(64, mask, target, from, true), root);
        }
    }

    #[test]
    fn what_is_too_wide_or_no_mask_has_no_root() {
        assert_eq!(solve(16, 0xdead_beef, 0x1234_5678, 0, false), None);
        let fixed = FixedOperand { operand: U256::from(1_000), is_left: false };
        let line: Vec<Point> =
            (0..3).map(|x| (Int::unchecked_from(x), Int::unchecked_from(3 * x + 7 - 1_000))).collect();
        assert_eq!(masked_root(Aim::Zero, &line, fixed, Domain::unsigned(256)), None);
    }
}
