//! Mutation operator that runs the last call after another sequence: Harvey's third operator (section 5).

use super::MutationContext;
use crate::engine::seed::SequenceBuilder;

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { corpus, rng, .. } = material;
    let Some(other) = corpus.any(rng).filter(|other| other.extendable) else { return false };
    let before = builder.len() - 1;
    // The other sequence replaces the calls before the last one, or is inserted after them.
    if rng.coin() {
        builder.remove(0, before);
    }
    builder.insert(builder.len() - 1, other.calls.iter().cloned());
    true
}
