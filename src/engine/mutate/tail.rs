//! Mutation operator that appends random calls.

use super::MutationContext;
use crate::engine::tuning::mutate_tail::MOST;
use crate::engine::{functions::Swarm, seed::SequenceBuilder};

pub(super) fn apply(builder: &mut SequenceBuilder, material: &mut MutationContext<'_>) -> bool {
    let MutationContext { generator, rng, .. } = material;
    let count = rng.few(MOST).min(builder.room());
    let swarm = rng.coin().then(|| Swarm(rng.next()));
    for _ in 0..count {
        let Some(call) = generator.call(builder.born_before(builder.len()), swarm, rng) else { return false };
        builder.push(call);
    }
    count > 0
}
