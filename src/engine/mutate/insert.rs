//! Mutation operator that inserts a random call, or a call from the corpus, before another (Harvey's second
//! operator).

use super::{MutationContext, late_index};
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { generator, corpus, rng, .. } = material;
    if builder.room() == 0 {
        return false;
    }
    let index = late_index(builder, rng);
    let kept = rng.coin().then(|| corpus.any(rng)).flatten();
    let call = match kept.and_then(|other| other.calls.last()) {
        Some(call) => Some(call.clone()),
        None => generator.call(builder.born_before(index), None, rng),
    };
    builder.insert(index, call);
    true
}
