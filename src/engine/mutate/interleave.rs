//! Mutation operator that interleaves two sequences and keeps the order of each. It imitates two accounts, or
//! two parts of a system, that act at the same time.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { corpus, rng, .. } = material;
    if builder.room() == 0 {
        return false;
    }
    let Some(other) = corpus.any(rng).filter(|other| other.extendable) else { return false };
    let most = builder.room().min(other.calls.len());
    // Inserts from the back, so that the places in front stay valid. All interleavings are equally likely.
    let mut place = builder.len();
    for (left, call) in other.calls[other.calls.len() - most..].iter().enumerate().rev() {
        while place > 0 && rng.below(place + left + 1) > left {
            place -= 1;
        }
        builder.insert(place, [call.clone()]);
    }
    true
}
