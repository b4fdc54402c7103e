//! Coverage of contracts by instructions, branches, events and calls.

use crate::model::coverage::{Extent, counts, merge_outcomes};
use std::{collections::BTreeMap, sync::Arc};

/// Coverage of the runtime code of a contract, in the four kinds of Akca, Peng and Rajan (ESEM 2021, section 3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractCoverage {
    /// True for each instruction that ran, in the order of the code.
    pub instructions: Vec<bool>,
    /// True for each instruction that logged an event.
    pub events: Vec<bool>,
    /// True for each CALL that ran.
    pub calls: Vec<bool>,
    /// True for each outcome of a condition that occurred (first false, then true), by source and place.
    pub branches: BTreeMap<(Arc<str>, Extent), [bool; 2]>,
}

/// Numbers of a contract, each as covered and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractCounts {
    /// Instructions.
    pub instructions: (usize, usize),
    /// Outcomes of conditions, two for each.
    pub branches: (usize, usize),
    /// Instructions that log events.
    pub events: (usize, usize),
    /// CALL instructions.
    pub calls: (usize, usize),
}

impl ContractCoverage {
    /// Adds the coverage of another campaign, or of another instance.
    pub fn add(&mut self, other: &Self) {
        merge(&mut self.instructions, &other.instructions);
        merge(&mut self.events, &other.events);
        merge(&mut self.calls, &other.calls);
        for (place, was) in &other.branches {
            merge_outcomes(self.branches.entry(place.clone()).or_default(), *was);
        }
    }

    /// Returns the covered and total numbers of the contract.
    #[must_use]
    pub fn counts(&self) -> ContractCounts {
        ContractCounts {
            instructions: counts(&self.instructions),
            branches: counts(self.branches.values().flatten()),
            events: counts(&self.events),
            calls: counts(&self.calls),
        }
    }
}

/// Merges two lists about the same instructions.
fn merge(known: &mut Vec<bool>, other: &[bool]) {
    known.resize(known.len().max(other.len()), false);
    known.iter_mut().zip(other).for_each(|(known, other)| *known |= other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_any_instance_ran_is_covered() {
        let place = |line| ("A.sol".into(), Extent { line, column: 1, last_line: line, last_column: 9 });
        let coverage = |ran: &[bool], was| ContractCoverage {
            instructions: ran.to_vec(),
            events: vec![ran[0]],
            calls: Vec::new(),
            branches: [(place(1), was), (place(2), [false; 2])].into(),
        };
        let mut sum = ContractCoverage::default();
        sum.add(&coverage(&[true, false, false], [true, false]));
        sum.add(&coverage(&[false, true, false], [false, true]));
        let counts = ContractCounts { instructions: (2, 3), branches: (2, 4), events: (1, 1), calls: (0, 0) };
        assert_eq!(sum.counts(), counts);
    }
}
