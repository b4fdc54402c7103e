//! Failed attempts to reach an edge, which are repeated less and less often.

use super::{
    input::{InputElement, InputPart},
    traced_run::TracedRun,
};
use crate::engine::tuning::failed_predictions::{DOUBLINGS, FREE, KNOWN, PAUSE};
use crate::model::{Branch, EdgeId};
use alloy_primitives::{Address, Selector};
use rustc_hash::FxHashMap;

/// Edge, and the parameter through which it was to be reached: contract, function and part of the input, and
/// true if the call was the last of its sequence.
type FailureKey = (EdgeId, Address, Selector, InputPart, bool);

#[derive(Clone, Copy, Debug, Default)]
struct FailureRecord {
    failures: u32,
    /// Number of sequences of the campaign from which on the next attempt is allowed.
    next: u64,
    /// Class of the operands at the time of the failures: their bit lengths.
    class: (usize, usize),
}

/// Failures by edge, function and parameter. A record is discarded when the operands take values of another
/// class.
#[derive(Debug, Default)]
pub(super) struct FailedPredictions {
    known: FxHashMap<FailureKey, FailureRecord>,
}

impl FailedPredictions {
    /// Tells whether another attempt at `edge` through `element` is allowed by now.
    pub(super) fn is_due(
        &self,
        base: &TracedRun,
        element: InputElement,
        edge: EdgeId,
        branch: Option<&Branch>,
        now: u64,
    ) -> bool {
        let Some(record) = key(base, element, edge).and_then(|key| self.known.get(&key)) else { return true };
        record.class != class(branch) || record.failures < FREE || now >= record.next
    }

    /// Records a failed attempt.
    pub(super) fn fail(
        &mut self,
        base: &TracedRun,
        element: InputElement,
        edge: EdgeId,
        branch: Option<&Branch>,
        now: u64,
    ) {
        let Some(key) = key(base, element, edge) else { return };
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        let record = self.known.entry(key).or_default();
        if record.class != class(branch) {
            *record = FailureRecord { class: class(branch), ..FailureRecord::default() };
        }
        record.failures += 1;
        record.next = now + (PAUSE << record.failures.saturating_sub(FREE).min(DOUBLINGS));
    }

    /// Discards the failures because an attempt brought the edge nearer.
    pub(super) fn succeed(&mut self, base: &TracedRun, element: InputElement, edge: EdgeId) {
        if let Some(key) = key(base, element, edge) {
            self.known.remove(&key);
        }
    }
}

fn class(branch: Option<&Branch>) -> (usize, usize) {
    branch.map_or((0, 0), |branch| (branch.left.bit_len(), branch.right.bit_len()))
}

fn key(base: &TracedRun, element: InputElement, edge: EdgeId) -> Option<FailureKey> {
    let tx = base.seed.calls.get(element.step)?;
    let selector = tx.input.function()?.selector();
    let part = match element.part {
        // All words of a byte string count as one parameter.
        InputPart::Word(node, _) => InputPart::Word(node, 0),
        part => part,
    };
    Some((edge, tx.target, selector, part, element.step + 1 == base.seed.calls.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy},
        model::Observation,
    };
    use std::sync::Arc;

    fn branch(left: u64) -> Branch {
        toy::missed([7, 8], left)
    }

    #[test]
    fn attempts_that_fail_are_repeated_ever_more_seldom_until_the_operands_are_of_another_class() {
        let seed = Seed { calls: vec![toy::call("add", &[1]); 2], born: Arc::default(), extendable: true };
        let base = TracedRun::new(1, Arc::new(seed), &Observation::default(), &toy::generator());
        let [first, last] = [0, 1].map(|step| InputElement { step, part: InputPart::Scalar(0) });
        let mut failures = FailedPredictions::default();
        let mut attempts = 0;
        for now in 0..100_000 {
            if failures.is_due(&base, last, 8, Some(&branch(500)), now) {
                failures.fail(&base, last, 8, Some(&branch(500)), now);
                attempts += 1;
            }
        }
        assert!((15..25).contains(&attempts), "{attempts}");
        let now = 100_000;
        assert!(!failures.is_due(&base, last, 8, Some(&branch(500)), now));
        assert!(!failures.is_due(&base, last, 8, Some(&branch(400)), now), "the same class");
        assert!(failures.is_due(&base, last, 8, Some(&branch(5000)), now), "another class");
        assert!(failures.is_due(&base, last, 9, Some(&branch(500)), now), "another edge");
        assert!(failures.is_due(&base, first, 8, Some(&branch(500)), now), "another place in the sequence");
        failures.succeed(&base, last, 8);
        assert!(failures.is_due(&base, last, 8, Some(&branch(500)), now));
    }
}
