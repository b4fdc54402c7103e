//! What counts as a bug: a file a rule, a line in `ORACLES`.
//!
//! An oracle looks at one step of an execution at a time. What it reports is named by a [`Key`], so that
//! the same bug is one finding however often it shows.

mod arbitrary_write;
mod assertion;
mod rules;

pub use rules::{RULES, rule};

use crate::model::{AssertionFailure, Observation, Sequence, Step};
use alloy_primitives::{Address, B256, hex, keccak256};
use std::collections::BTreeSet;

/// A rule that decides whether a step shows a bug.
struct Oracle {
    /// Stable, as it stands in reports.
    name: &'static str,
    /// The failure that the step shows, if any.
    decide: fn(&Step) -> Option<&AssertionFailure>,
}

/// All rules.
const ORACLES: [Oracle; 2] = [
    Oracle { name: "assertion", decide: assertion::decide },
    Oracle { name: "arbitrary-write", decide: arbitrary_write::decide },
];

/// What a step shows by the rule of this name.
#[must_use]
pub fn decide<'a>(oracle: &str, step: &'a Step) -> Option<&'a AssertionFailure> {
    ORACLES.iter().find(|known| known.name == oracle).and_then(|known| (known.decide)(step))
}

/// What makes two failures the same finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The rule.
    pub oracle: &'static str,
    /// Identity of the code in which it happened.
    pub code: B256,
    /// Program counter in that code.
    pub pc: usize,
    /// Identifier of the contract called (the entry point, not the code's).
    pub contract: String,
    /// Signature of the function called; empty when it is not known.
    pub function: String,
}

impl Key {
    /// Sixteen hexadecimal digits, the same in every run on the same code.
    #[must_use]
    pub fn id(&self) -> String {
        let Self { oracle, code, pc, contract, function } = self;
        hex::encode(&keccak256(format!("{oracle}\n{code}\n{pc}\n{contract}\n{function}"))[..8])
    }
}

/// A failure that a rule reports.
#[derive(Clone, Debug)]
pub struct Hit<'a> {
    /// What it is.
    pub key: Key,
    /// Index of the step that shows it: the calls up to this one reproduce it.
    pub step: usize,
    /// Kind, place and reason.
    pub failure: &'a AssertionFailure,
}

/// Everything that the rules report on an execution of `sequence`, each finding once, at its first step.
/// `identify` gives the identifier of the contract at an address.
pub fn judge<'a>(
    sequence: &Sequence,
    seen: &'a Observation,
    identify: &dyn Fn(Address) -> String,
) -> Vec<Hit<'a>> {
    let mut known = BTreeSet::new();
    let mut hits = Vec::new();
    for (step, (tx, run)) in sequence.iter().zip(&seen.steps).enumerate() {
        for oracle in &ORACLES {
            let Some(failure) = (oracle.decide)(run) else { continue };
            let key = Key {
                oracle: oracle.name,
                code: failure.site.code,
                pc: failure.site.pc,
                contract: identify(tx.target),
                function: tx.input.function().map_or("", |function| function.signature()).to_owned(),
            };
            if known.insert(key.clone()) {
                hits.push(Hit { key, step, failure });
            }
        }
    }
    hits
}
