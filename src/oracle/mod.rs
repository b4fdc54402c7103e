//! Oracles, which decide what counts as a bug: one file per oracle, and a line in `ORACLES`.
//!
//! An oracle looks at one step of an execution, and at the steps before it. A [`Key`] identifies each report,
//! so that the same bug is one finding, however often it occurs. `assertion` and `arbitrary-write` forward what
//! the executor found. Those that need to know the accounts of a scan check only contracts that are called without
//! a test contract.

mod arbitrary_jump;
mod arbitrary_write;
mod assertion;
mod block_number_dependence;
mod delegatecall;
mod ether_leak;
mod excess_withdrawal;
mod failed_call_dos;
mod freezing_ether;
mod gas_exhaustion;
mod gasless_send;
mod integer_overflow;
mod ownership_takeover;
mod panic;
mod reentrancy;
mod requirement_violation;
mod rules;
mod selfdestruct;
#[cfg(test)]
mod tests;
mod timestamp_dependence;
mod token_leak;
mod tx_origin;
mod unchecked_call;
mod view;

pub use rules::{RULES, rule};

use crate::model::{AssertionFailure, Observation, Rule, Scene, Sequence, Site, Step, Transaction};
use alloy_primitives::{B256, hex, keccak256};
use std::collections::BTreeSet;
use view::ExecutionView;

/// A rule that decides whether a step shows a bug.
struct Oracle {
    /// Description of the rule.
    rule: Rule,
    /// True if it can judge the calls of a test contract, where nobody knows whom the tested contracts trust.
    in_suites: bool,
    /// Function that returns the failures shown by the last step of the view.
    decide: fn(&ExecutionView<'_>) -> Vec<AssertionFailure>,
}

/// All oracles.
const ORACLES: [Oracle; 21] = [
    assertion::ORACLE,
    arbitrary_write::ORACLE,
    ether_leak::ORACLE,
    token_leak::ORACLE,
    excess_withdrawal::ORACLE,
    integer_overflow::ORACLE,
    reentrancy::ORACLE,
    unchecked_call::ORACLE,
    failed_call_dos::ORACLE,
    gas_exhaustion::ORACLE,
    requirement_violation::ORACLE,
    panic::ORACLE,
    arbitrary_jump::ORACLE,
    delegatecall::ORACLE,
    ownership_takeover::ORACLE,
    selfdestruct::ORACLE,
    tx_origin::ORACLE,
    freezing_ether::ORACLE,
    gasless_send::ORACLE,
    timestamp_dependence::ORACLE,
    block_number_dependence::ORACLE,
];

/// Name that stands for all oracles.
const ALL: &str = "all";

/// Oracles of a campaign.
#[derive(Clone)]
pub struct Detectors {
    oracles: Vec<&'static Oracle>,
    /// State before the first call, if the contract is called without a test contract.
    scene: Option<Scene>,
}

impl Default for Detectors {
    fn default() -> Self {
        Self::new(&[], None).expect("no name is a wrong one")
    }
}

impl Detectors {
    /// Creates detectors with the default oracles and the named ones; `all` means all of them.
    ///
    /// # Errors
    /// When a name is unknown; the error lists the known names.
    pub fn new(named: &[String], scene: Option<Scene>) -> Result<Self, String> {
        static ALL_ORACLES: [Oracle; ORACLES.len()] = ORACLES;
        let known = |name: &str| name == ALL || ORACLES.iter().any(|oracle| oracle.rule.id == name);
        if let Some(wrong) = named.iter().find(|name| !known(name)) {
            let ids: Vec<_> = ORACLES.iter().map(|oracle| oracle.rule.id).collect();
            return Err(format!("no oracle is named `{wrong}`; there are {ALL}, {}", ids.join(", ")));
        }
        let wanted = |oracle: &&'static Oracle| {
            oracle.rule.by_default || named.iter().any(|name| name == ALL || name == oracle.rule.id)
        };
        Ok(Self { oracles: ALL_ORACLES.iter().filter(wanted).collect(), scene })
    }

    /// Returns all reports of the oracles on an execution of `sequence`: each finding once, at its first
    /// step. `entered` returns the name of the contract and the signature of the function that a call enters.
    pub fn detect(
        &self,
        sequence: &Sequence,
        seen: &Observation,
        entered: &dyn Fn(&Transaction) -> (String, String),
    ) -> Vec<Detection> {
        let mut known = BTreeSet::new();
        let mut detections = Vec::new();
        let oracles = || self.oracles.iter().filter(|oracle| oracle.in_suites || self.scene.is_some());
        for (step, tx) in sequence.iter().enumerate().take(seen.steps.len()) {
            let Some(view) = ExecutionView::at(step, sequence, &seen.steps, self.scene.as_ref()) else {
                break;
            };
            for oracle in oracles() {
                for failure in (oracle.decide)(&view) {
                    let (contract, function) = entered(tx);
                    let Site { code, pc, .. } = failure.site;
                    let key = Key { oracle: oracle.rule.id, code, pc, contract, function };
                    if known.insert(key.clone()) {
                        detections.push(Detection { key, step, failure });
                    }
                }
            }
        }
        detections
    }

    /// Tells whether an oracle is among them.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.oracles.iter().any(|oracle| oracle.rule.id == id)
    }

    /// Returns the failure with this key, if the last of these steps shows it.
    #[must_use]
    pub fn shows(&self, key: &Key, sequence: &Sequence, steps: &[Step]) -> Option<AssertionFailure> {
        let last = steps.len().checked_sub(1)?;
        let view = ExecutionView::at(last, sequence, steps, self.scene.as_ref())?;
        let oracle = self.oracles.iter().find(|oracle| oracle.rule.id == key.oracle)?;
        (oracle.decide)(&view)
            .into_iter()
            .find(|failure| failure.site.code == key.code && failure.site.pc == key.pc)
    }
}

/// Identity of a finding: two failures with the same key are the same finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Id of the rule.
    pub oracle: &'static str,
    /// Identity of the code in which it happened.
    pub code: B256,
    /// Program counter in that code.
    pub pc: usize,
    /// Identifier of the contract called (the entry point, not the contract of the code).
    pub contract: String,
    /// Signature of the function called; empty if it is not known.
    pub function: String,
}

impl Key {
    /// Returns sixteen hexadecimal digits that are the same in every run on the same code. With the
    /// `fingerprint` of a place in the sources, they are the same as long as the fingerprint is, even if
    /// other code is edited.
    #[must_use]
    pub fn id(&self, fingerprint: Option<&str>) -> String {
        let Self { oracle, code, pc, contract, function } = self;
        let place = fingerprint.map_or_else(|| format!("{code}\n{pc}"), str::to_owned);
        hex::encode(&keccak256(format!("{oracle}\n{place}\n{contract}\n{function}"))[..8])
    }
}

/// A failure that a rule reports.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Identity of the finding.
    pub key: Key,
    /// Index of the step that shows it. The calls up to this one reproduce it.
    pub step: usize,
    /// Kind, place and reason.
    pub failure: AssertionFailure,
}
