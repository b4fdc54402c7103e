//! Puts a fresh call in the place of another.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(draft: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { world, rng, .. } = material;
    let index = rng.below(draft.len());
    let Some(call) = world.call(draft.born_before(index), None, rng) else { return false };
    *draft.edit(index) = call;
    true
}
