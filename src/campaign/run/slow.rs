//! Calls that take much of the campaign's time.

use super::Campaign;
use crate::model::{Exhausted, Observation, Sequence, Transaction};
use std::time::Duration;

/// CPU time after which a call counts as slow if the end of the campaign ends it. Usual calls take less than a
/// thousandth of it.
const LONG_CALL: Duration = Duration::from_millis(500);

/// Returns the calls that used all of their gas, time or memory, and the call that was running when the
/// campaign's time was up, if it had run for long.
pub(super) fn slow_calls<'a>(
    sequence: &'a Sequence,
    observation: &'a Observation,
) -> impl Iterator<Item = (&'a Transaction, Option<Exhausted>)> {
    let steps = sequence.iter().zip(&observation.steps);
    let exhausted = steps.filter_map(|(tx, step)| Some((tx, Some(step.exhausted?))));
    let ended = observation.ended_in.filter(|ended| ended.cpu >= LONG_CALL);
    exhausted.chain(ended.map(|ended| (&sequence[ended.index], None)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Input, InterruptedCall};
    use alloy_primitives::{Address, Bytes, U256};

    #[test]
    fn a_call_that_the_end_cuts_is_slow_only_if_it_ran_for_long() {
        let sequence = vec![Transaction {
            sender: Address::ZERO,
            target: Address::ZERO,
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Raw(Bytes::new()),
            reentry: None,
        }];
        let slow = |millis| {
            let cpu = Duration::from_millis(millis);
            let observation =
                Observation { ended_in: Some(InterruptedCall { index: 0, cpu }), ..Observation::default() };
            slow_calls(&sequence, &observation).count()
        };
        assert_eq!([0, 100, 500, 1500].map(slow), [0, 0, 1, 1]);
    }
}
