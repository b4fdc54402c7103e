//! Mutation operator that changes the sender, the value or the time and block advance of a call.

use super::{MutationContext, late_index};
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { generator, rng, .. } = material;
    let index = late_index(builder, rng);
    match rng.below(8) {
        0..=3 => builder.edit(index).sender = generator.sender(rng),
        // Takes the sender of another call: an account can use what earlier calls gave to it.
        4 => {
            let Some(sender) = rng.pick(builder.calls()).map(|call| call.sender) else { return false };
            builder.edit(index).sender = sender;
        }
        5 => {
            let function = builder.calls()[index].input.function();
            let Some(method) = function.and_then(|function| generator.functions.method(function)) else {
                return false;
            };
            builder.edit(index).value = generator.value(&method, rng);
        }
        6 => builder.edit(index).warp = generator.warp(rng),
        _ => builder.edit(index).roll = generator.roll(rng),
    }
    true
}
