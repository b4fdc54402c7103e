//! Mutation operators that change a sequence: one file each, registered in [`OPERATORS`].

mod argument;
mod crossover;
mod delete;
mod duplicate;
mod environment;
mod graft;
mod insert;
mod interleave;
mod replace;
mod swap;
mod tail;

pub(super) use delete::trim;

use crate::engine::tuning::mutate::{ATTEMPTS, MOST};
use crate::engine::{call_generator::CallGenerator, corpus::Corpus, rng::Rng, seed::SequenceBuilder};

/// Sources that operators draw from.
pub(super) struct MutationContext<'a> {
    pub(super) generator: &'a CallGenerator,
    pub(super) corpus: &'a Corpus,
    pub(super) rng: &'a mut Rng,
    /// True if operators that lengthen a sequence are allowed.
    pub(super) lengthens: bool,
}

/// Operator that changes a sequence builder with at least one call.
pub(super) struct Operator {
    /// Name in reports.
    pub(super) name: &'static str,
    /// Relative probability of the operator.
    weight: usize,
    /// True if the operator makes a sequence longer.
    lengthens: bool,
    /// Function that applies the operator. It returns false if it found nothing to change.
    apply: fn(&mut SequenceBuilder, &mut MutationContext<'_>) -> bool,
}

/// All operators: those of Harvey (section 5) and sFuzz (section 3.3).
const OPERATORS: [Operator; 11] = [
    Operator { name: "argument", weight: 30, lengthens: false, apply: argument::apply },
    Operator { name: "tail", weight: 20, lengthens: true, apply: tail::apply },
    Operator { name: "insert", weight: 12, lengthens: true, apply: insert::apply },
    Operator { name: "graft", weight: 8, lengthens: true, apply: graft::apply },
    Operator { name: "replace", weight: 6, lengthens: false, apply: replace::apply },
    Operator { name: "duplicate", weight: 6, lengthens: true, apply: duplicate::apply },
    Operator { name: "crossover", weight: 6, lengthens: true, apply: crossover::apply },
    Operator { name: "interleave", weight: 6, lengthens: true, apply: interleave::apply },
    Operator { name: "environment", weight: 6, lengthens: false, apply: environment::apply },
    Operator { name: "delete", weight: 4, lengthens: false, apply: delete::apply },
    Operator { name: "swap", weight: 2, lengthens: false, apply: swap::apply },
];

/// Applies one operator, or a few in a row, and returns the name of the first; `None` if none could be
/// applied.
pub(super) fn mutate(
    builder: &mut SequenceBuilder,
    material: &mut MutationContext<'_>,
) -> Option<&'static str> {
    if material.generator.calls_back(material.rng) && builder.len() > 0 {
        let index = late_index(builder, material.rng);
        let call = builder.edit(index);
        call.reentry = material.generator.reentry(call, material.rng);
        return Some("reentry");
    }
    let mut first = None;
    for _ in 0..material.rng.few(MOST) {
        let applied = (0..ATTEMPTS).find_map(|_| {
            let operator = choose(material.rng);
            let may_apply = builder.len() > 0 && (material.lengthens || !operator.lengthens);
            (may_apply && (operator.apply)(builder, material)).then_some(operator.name)
        });
        first = first.or(applied);
    }
    first
}

fn choose(rng: &mut Rng) -> &'static Operator {
    let mut ticket = rng.below(OPERATORS.iter().map(|operator| operator.weight).sum());
    let drawn = OPERATORS.iter().find(|operator| {
        let hit = ticket < operator.weight;
        ticket = ticket.saturating_sub(operator.weight);
        hit
    });
    drawn.unwrap_or(&OPERATORS[0])
}

/// Returns an index into the sequence builder. It is the last call half of the time, because the seed was
/// kept for the path of its last call.
fn late_index(builder: &SequenceBuilder, rng: &mut Rng) -> usize {
    let length = builder.len();
    if rng.coin() { length - 1 } else { rng.below(length) }
}

#[cfg(test)]
mod tests;
