//! Removes calls.

use super::MutationContext;
use crate::engine::{rng::Rng, seed::SequenceBuilder};

/// Removes a few calls in a row.
pub(super) fn apply(draft: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let rng = &mut *material.rng;
    if draft.len() < 2 {
        return false;
    }
    let count = rng.few(draft.len() - 1);
    let start = rng.below(draft.len() - count + 1);
    draft.remove(start, count);
    true
}

/// Removes a large part of what precedes the last call, to learn whether its path needs it.
pub(in crate::engine) fn trim(draft: &mut SequenceBuilder, rng: &mut Rng) {
    let before = draft.len().saturating_sub(1);
    if before == 0 {
        return;
    }
    let count = (before / rng.few(before)).max(1);
    let start = rng.below(before - count + 1);
    draft.remove(start, count);
}
