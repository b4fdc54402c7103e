//! Calls that take much of the campaign's time.

use super::Campaign;
use crate::model::{Exhausted, Observation, Sequence, Transaction};

/// Returns the calls that used all of their gas, time or memory, and the call that was running when the
/// campaign's time was up.
pub(super) fn slow_calls<'a>(
    sequence: &'a Sequence,
    observation: &'a Observation,
) -> impl Iterator<Item = (&'a Transaction, Option<Exhausted>)> {
    let steps = sequence.iter().zip(&observation.steps);
    let exhausted = steps.filter_map(|(tx, step)| Some((tx, Some(step.exhausted?))));
    exhausted.chain(observation.ended_in.map(|index| (&sequence[index], None)))
}

/// Warns of functions that run until their gas or the time is spent, once for each: they leave little time to
/// the others.
pub(super) fn warn_of_slow_calls(
    campaign: &mut Campaign<'_>,
    sequence: &Sequence,
    observation: &Observation,
) {
    for (tx, exhausted) in slow_calls(sequence, observation) {
        let contract = campaign.test_env.called(tx.target);
        let function = tx.input.function().map_or("", |function| function.signature()).to_owned();
        if campaign.results.slow.insert((contract.clone(), function.clone())) {
            let what = match exhausted {
                None => "was still running when the time was up".to_owned(),
                Some(Exhausted::Gas) => format!("used all of its {} gas", campaign.spec.config.env.gas_limit),
                Some(Exhausted::Time) => "used all of its time (harvey.call_timeout)".to_owned(),
                Some(Exhausted::Memory) => "used all the memory that a run may use".to_owned(),
            };
            campaign
                .results
                .warnings
                .push(format!("{contract}.{function} {what}; does it loop without end?"));
        }
    }
}
