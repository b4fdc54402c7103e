//! Continues the front of one sequence with the back of another (sFuzz section 3.3).

use super::Material;
use crate::engine::seed::Draft;

pub(super) fn apply(draft: &mut Draft, material: &mut Material<'_>) -> bool {
    let Material { corpus, rng, .. } = material;
    let Some(other) = corpus.any(rng) else { return false };
    let cut = 1 + rng.below(draft.len());
    let back = &other.calls[rng.below(other.calls.len())..];
    draft.truncate(cut);
    draft.insert(cut, back.iter().cloned());
    true
}
