//! Mutation operator that swaps two calls.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let rng = &mut *material.rng;
    if builder.len() < 2 {
        return false;
    }
    let one = rng.below(builder.len() - 1);
    let other = 1 + rng.below(builder.len() - one - 1);
    builder.edit_from(one).swap(0, other);
    true
}
