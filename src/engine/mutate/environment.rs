//! Changes who calls, with how much value, or how much time passes before.

use super::{MutationContext, late_index};
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(draft: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { world, rng, .. } = material;
    let index = late_index(draft, rng);
    match rng.below(8) {
        0..=3 => draft.edit(index).sender = world.sender(rng),
        // The same account again: what it was given, it can use.
        4 => {
            let Some(sender) = rng.pick(draft.calls()).map(|call| call.sender) else { return false };
            draft.edit(index).sender = sender;
        }
        5 => {
            let function = draft.calls()[index].input.function();
            let Some(method) = function.and_then(|function| world.surface.method(function)) else {
                return false;
            };
            draft.edit(index).value = world.value(&method, rng);
        }
        6 => draft.edit(index).warp = world.warp(rng),
        _ => draft.edit(index).roll = world.roll(rng),
    }
    true
}
