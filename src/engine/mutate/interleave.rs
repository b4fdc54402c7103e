//! Merges two sequences, each in its order: what two accounts or two parts of a system do at the same time.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { corpus, rng, .. } = material;
    if builder.room() == 0 {
        return false;
    }
    let Some(other) = corpus.any(rng).filter(|other| other.extendable) else { return false };
    let most = builder.room().min(other.calls.len());
    // From behind, so that places in front stay as they are. Every merge is as likely.
    let mut place = builder.len();
    for (left, call) in other.calls[other.calls.len() - most..].iter().enumerate().rev() {
        while place > 0 && rng.below(place + left + 1) > left {
            place -= 1;
        }
        builder.insert(place, [call.clone()]);
    }
    true
}
