//! Crossover: continues the front of one sequence with the back of another (sFuzz section 3.3).

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { corpus, rng, .. } = material;
    let Some(other) = corpus.any(rng) else { return false };
    let cut = 1 + rng.below(builder.len());
    let back = &other.calls[rng.below(other.calls.len())..];
    builder.truncate(cut);
    builder.insert(cut, back.iter().cloned());
    true
}
