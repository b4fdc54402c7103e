//! Mutation operator that repeats one call, or a few consecutive calls, directly after themselves.

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;
use crate::engine::tuning::mutate_duplicate::REPETITIONS;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let rng = &mut *material.rng;
    if builder.room() == 0 {
        return false;
    }
    let count = rng.few(builder.len());
    let start = rng.below(builder.len() - count + 1);
    let block = builder.calls()[start..start + count].to_vec();
    let times = if count == 1 { 1 + rng.below(REPETITIONS) } else { 1 };
    builder.insert(start + count, std::iter::repeat_n(block, times).flatten());
    true
}
