//! Puts a fresh call in the place of another.

use super::Material;
use crate::engine::seed::Draft;

pub(super) fn apply(draft: &mut Draft, material: &mut Material<'_>) -> bool {
    let Material { world, rng, .. } = material;
    let index = rng.below(draft.len());
    let Some(call) = world.call(draft.born_before(index), None, rng) else { return false };
    *draft.edit(index) = call;
    true
}
