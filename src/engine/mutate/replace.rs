//! Mutation operator that replaces a call by a random one.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { generator, rng, .. } = material;
    let index = rng.below(builder.len());
    let Some(call) = generator.call(builder.born_before(index), None, rng) else { return false };
    *builder.edit(index) = call;
    true
}
