//! Appends random calls.

use super::MutationContext;
use crate::engine::{functions::Swarm, seed::SequenceBuilder};

/// Most calls appended.
const MOST: usize = 8;

pub(super) fn apply(draft: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { world, rng, .. } = material;
    let count = rng.few(MOST).min(draft.room());
    let swarm = rng.coin().then(|| Swarm(rng.next()));
    for _ in 0..count {
        let Some(call) = world.call(draft.born_before(draft.len()), swarm, rng) else { return false };
        draft.push(call);
    }
    count > 0
}
