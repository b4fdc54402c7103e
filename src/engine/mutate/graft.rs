//! Runs the last call behind another sequence: Harvey's third operator (section 5).

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { corpus, rng, .. } = material;
    let Some(other) = corpus.any(rng).filter(|other| other.extendable) else { return false };
    let before = builder.len() - 1;
    // Either in place of what stood before the last call, or between the two.
    if rng.coin() {
        builder.remove(0, before);
    }
    builder.insert(builder.len() - 1, other.calls.iter().cloned());
    true
}
