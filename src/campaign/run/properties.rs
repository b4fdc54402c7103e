//! What is known of each property, and how a broken one is confirmed.

use super::{
    super::{
        confirmer::{Confirmed, FailurePredicate},
        store::forge::Shows,
        verdict::failed,
    },
    Campaign, MOST_TRIES,
};
use crate::model::{Broken, Evidence, Observation, Sequence, Status, TestKind, TestReport, Violation};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, time::Instant};

/// Properties by their indices into the stage's.
pub(super) struct Properties {
    /// Those that are still to be broken.
    pub(super) alive: Vec<usize>,
    /// Reports of the others.
    pub(super) reports: BTreeMap<usize, TestReport>,
    /// When the campaign began.
    pub(super) started: Instant,
    /// How often each failed in the search and not when it was judged.
    unconfirmed: FxHashMap<usize, u32>,
}

impl Properties {
    pub(super) fn new(alive: Vec<usize>) -> Self {
        Self { alive, reports: BTreeMap::new(), started: Instant::now(), unconfirmed: FxHashMap::default() }
    }

    /// Ends the search for a way to break a property.
    pub(super) fn set_aside(&mut self, index: usize, mut report: TestReport) {
        self.alive.retain(|alive| *alive != index);
        report.duration = self.started.elapsed();
        self.reports.insert(index, report);
    }

    pub(super) fn is_broken(&self, index: usize) -> bool {
        self.reports.get(&index).is_some_and(|report| report.status == Status::Failure)
    }

    /// How many are broken.
    pub(super) fn broken(&self) -> usize {
        self.reports.keys().filter(|index| self.is_broken(**index)).count()
    }

    /// Whether there were some, and all asked to be skipped.
    pub(super) fn all_skipped(&self) -> bool {
        self.alive.is_empty()
            && !self.reports.is_empty()
            && self.reports.values().all(|report| report.status == Status::Skipped)
    }

    fn is_to_be_judged(&self, index: usize) -> bool {
        self.alive.contains(&index) && self.unconfirmed.get(&index).is_none_or(|tried| *tried < MOST_TRIES)
    }
}

impl Campaign<'_> {
    /// Confirms the properties that are broken after the last step of an execution.
    pub(super) fn judge_properties(
        &mut self,
        sequence: &Sequence,
        observation: &Observation,
        replayed: bool,
    ) {
        let ran = sequence[..observation.steps.len()].to_vec();
        let last = observation.steps.last();
        // One revert breaks all properties alike, so what was confirmed for the first serves the others.
        let mut by_this_revert = None;
        for broken in observation.broken.clone() {
            if !self.properties.is_to_be_judged(broken.property) {
                continue;
            }
            // A step has a reason only where its revert broke the run.
            let by_revert = !broken.after_invariant && last.is_some_and(|step| step.reason.is_some());
            let predicate = FailurePredicate::Broken {
                property: broken.property,
                by_revert,
                after_invariant: broken.after_invariant,
            };
            let mut confirm = || self.confirmer.confirm(&self.test_env, &ran, observation, &predicate);
            let confirmed =
                if by_revert { by_this_revert.get_or_insert_with(confirm).clone() } else { confirm() };
            match confirmed {
                Some(confirmed) => {
                    self.warn_unless_replayed(&confirmed);
                    self.add_broken(broken.property, confirmed, by_revert, replayed);
                }
                None if !replayed => self.note_unconfirmed(&broken),
                None => {}
            }
        }
    }

    /// Says that a failure is shown as the search found it.
    pub(super) fn warn_unless_replayed(&mut self, confirmed: &Confirmed) {
        if !confirmed.is_replayed {
            let calls = confirmed.sequence.len();
            self.warnings.push(format!(
                "the run ended before a failure was shrunk and replayed; it is shown as it was found, after {calls} calls"
            ));
        }
    }

    fn note_unconfirmed(&mut self, broken: &Broken) {
        let tries = self.properties.unconfirmed.entry(broken.property).or_insert(0);
        *tries += 1;
        if *tries == 1 {
            let signature = self.test_env.properties[broken.property].function.signature();
            let reason = &broken.reason;
            self.warnings.push(format!(
                "{signature} failed ({reason}), but not when replayed from a fresh deployment; it is not reported"
            ));
        }
    }

    fn add_broken(&mut self, index: usize, confirmed: Confirmed, by_revert: bool, replayed: bool) {
        let property = self.test_env.properties[index].clone();
        let kind = match self.figures() {
            TestKind::Invariant { .. } if replayed => {
                TestKind::Invariant { runs: 1, calls: 1, reverts: 1, metrics: BTreeMap::new(), best: None }
            }
            figures => figures,
        };
        let mut report = TestReport {
            counterexample: Some(confirmed.counterexample),
            kind,
            evidence: Evidence { traces: confirmed.traces, logs: confirmed.logs, ..Evidence::default() },
            violation: Violation {
                echidna_style: property.kind.is_echidna_style().then_some(property.kind),
                by_revert,
                after_invariant: self.test_env.after_invariant.is_some(),
            },
            found: Some(self.found()),
            ..failed(property.function.signature(), confirmed.reason)
        };
        if self.test.is_some() {
            report.reason = report.reason.filter(|reason| !reason.is_empty());
            let warnings = self.persistence.save_test(&property, &mut report);
            self.warn_at_once(warnings);
        } else {
            let shows = if by_revert { Shows::Revert } else { Shows::Invariant };
            let warnings = self.persistence.save_broken(&property, &mut report, &shows);
            self.warn_at_once(warnings);
            self.tell_broken(&property.function.name, report.reason.as_deref().unwrap_or_default());
        }
        self.properties.set_aside(index, report);
    }
}
