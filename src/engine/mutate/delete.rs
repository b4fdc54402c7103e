//! Mutation operators that remove calls.

use super::MutationContext;
use crate::engine::{rng::Rng, seed::SequenceBuilder};

/// Removes a few consecutive calls.
pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let rng = &mut *material.rng;
    if builder.len() < 2 {
        return false;
    }
    let count = rng.few(builder.len() - 1);
    let start = rng.below(builder.len() - count + 1);
    builder.remove(start, count);
    true
}

/// Removes a large part of the calls before the last one, to find out whether the path of the last call needs
/// them.
pub(in crate::engine) fn trim(builder: &mut SequenceBuilder, rng: &mut Rng) {
    let before = builder.len().saturating_sub(1);
    if before == 0 {
        return;
    }
    let count = (before / rng.few(before)).max(1);
    let start = rng.below(before - count + 1);
    builder.remove(start, count);
}
