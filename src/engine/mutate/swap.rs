//! Swaps two calls.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(draft: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let rng = &mut *material.rng;
    if draft.len() < 2 {
        return false;
    }
    let one = rng.below(draft.len() - 1);
    let other = 1 + rng.below(draft.len() - one - 1);
    draft.edit_from(one).swap(0, other);
    true
}
