//! Calls that take the campaign's time.

use super::Hunt;
use crate::model::{Observation, Sequence, Transaction};

/// Calls that used all of their gas, and the one that was ended since the time was up, which is told from the others.
pub(super) fn slow_calls<'a>(
    sequence: &'a Sequence,
    observation: &'a Observation,
) -> impl Iterator<Item = (&'a Transaction, bool)> {
    let exhausted = sequence.iter().zip(&observation.steps).filter(|(_, step)| step.out_of_gas);
    let ended = observation.ended_in.map(|index| (&sequence[index], true));
    exhausted.map(|(tx, _)| (tx, false)).chain(ended)
}

impl Hunt<'_> {
    /// Names functions that run until their gas or the time is spent, once each: they leave little to the others.
    pub(super) fn warn_of_slow_calls(&mut self, sequence: &Sequence, observation: &Observation) {
        for (tx, was_ended) in slow_calls(sequence, observation) {
            let contract = self.stage.called(tx.target);
            let function = tx.input.function().map_or("", |function| function.signature()).to_owned();
            if self.slow.insert((contract.clone(), function.clone())) {
                let what = match was_ended {
                    true => "was still running when the time was up".to_owned(),
                    false => format!("used all of its {} gas", self.config.env.gas_limit),
                };
                self.warnings.push(format!("{contract}.{function} {what}; does it loop without end?"));
            }
        }
    }
}
