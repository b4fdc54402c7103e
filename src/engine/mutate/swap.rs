//! Swaps two calls.

use super::Material;
use crate::engine::seed::Draft;

pub(super) fn apply(draft: &mut Draft, material: &mut Material<'_>) -> bool {
    let rng = &mut *material.rng;
    if draft.len() < 2 {
        return false;
    }
    let one = rng.below(draft.len() - 1);
    let other = 1 + rng.below(draft.len() - one - 1);
    draft.edit_from(one).swap(0, other);
    true
}
