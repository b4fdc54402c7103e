//! State of each property, and confirmation of broken ones.

use super::{
    super::{
        confirmer::{Confirmed, FailurePredicate},
        store::forge::Shows,
        verdict::failed,
    },
    Campaign, MOST_TRIES, ending, events,
};
use crate::model::{Broken, Observation, Sequence, Status, TestKind, TestReport, Violation};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, time::Instant};

/// Properties of a campaign, by their indices into the suite's properties.
pub(super) struct Properties {
    /// Properties that are not broken yet.
    pub(super) alive: Vec<usize>,
    /// Reports of the others.
    pub(super) reports: BTreeMap<usize, TestReport>,
    /// Start of the campaign.
    pub(super) started: Instant,
    /// Number of failed confirmations of each property.
    unconfirmed: FxHashMap<usize, u32>,
}

impl Properties {
    pub(super) fn new(alive: Vec<usize>) -> Self {
        Self { alive, reports: BTreeMap::new(), started: Instant::now(), unconfirmed: FxHashMap::default() }
    }

    /// Ends the search for a failure of a property.
    pub(super) fn set_aside(&mut self, index: usize, mut report: TestReport) {
        self.alive.retain(|alive| *alive != index);
        report.duration = self.started.elapsed();
        self.reports.insert(index, report);
    }

    pub(super) fn is_broken(&self, index: usize) -> bool {
        self.reports.get(&index).is_some_and(|report| report.status == Status::Failure)
    }

    /// Returns the number of broken properties.
    pub(super) fn broken(&self) -> usize {
        self.reports.keys().filter(|index| self.is_broken(**index)).count()
    }

    /// Tells whether there are any properties, and all of them skipped themselves.
    pub(super) fn all_skipped(&self) -> bool {
        self.alive.is_empty()
            && !self.reports.is_empty()
            && self.reports.values().all(|report| report.status == Status::Skipped)
    }

    fn is_to_be_confirmed(&self, index: usize) -> bool {
        self.alive.contains(&index) && self.unconfirmed.get(&index).is_none_or(|tried| *tried < MOST_TRIES)
    }
}

/// Confirms the properties that are broken after the last step of an execution.
pub(super) fn confirm_properties(
    campaign: &mut Campaign<'_>,
    sequence: &Sequence,
    observation: &Observation,
    replayed: bool,
) {
    let ran = sequence[..observation.steps.len()].to_vec();
    let last = observation.steps.last();
    // A revert breaks all properties, so the confirmation of the first one serves the others, too.
    let mut by_this_revert = None;
    for broken in observation.broken.clone() {
        if !campaign.results.properties.is_to_be_confirmed(broken.property) {
            continue;
        }
        // A step has a reason only if its revert broke the run.
        let by_revert = !broken.after_invariant && last.is_some_and(|step| step.reason.is_some());
        let predicate = FailurePredicate::Broken {
            property: broken.property,
            by_revert,
            after_invariant: broken.after_invariant,
        };
        let mut confirm = || campaign.confirmer.confirm(&campaign.test_env, &ran, observation, &predicate);
        let confirmed =
            if by_revert { by_this_revert.get_or_insert_with(confirm).clone() } else { confirm() };
        match confirmed {
            Some(confirmed) => {
                warn_unless_replayed(campaign, &confirmed);
                add_broken(campaign, broken.property, confirmed, by_revert, replayed);
            }
            None if !replayed => note_unconfirmed(campaign, &broken),
            None => {}
        }
    }
}

/// Warns that a failure is shown as the search found it, because it was not replayed.
pub(super) fn warn_unless_replayed(campaign: &mut Campaign<'_>, confirmed: &Confirmed) {
    if !confirmed.is_replayed {
        let calls = confirmed.sequence.len();
        campaign.results.warnings.push(format!(
            "the run ended before a failure was shrunk and replayed; it is shown as it was found, after {calls} calls"
        ));
    }
}

fn note_unconfirmed(campaign: &mut Campaign<'_>, broken: &Broken) {
    let tries = campaign.results.properties.unconfirmed.entry(broken.property).or_insert(0);
    *tries += 1;
    if *tries == 1 {
        let signature = campaign.test_env.suite.properties[broken.property].function.signature();
        let reason = &broken.reason;
        campaign.results.warnings.push(format!(
            "{signature} failed ({reason}), but not when replayed from a fresh deployment; it is not reported"
        ));
    }
}

fn add_broken(
    campaign: &mut Campaign<'_>,
    index: usize,
    confirmed: Confirmed,
    by_revert: bool,
    replayed: bool,
) {
    let property = campaign.test_env.suite.properties[index].clone();
    let kind = match ending::figures(campaign) {
        TestKind::Invariant { workers, .. } if replayed => TestKind::Invariant {
            runs: 1,
            calls: 1,
            reverts: 1,
            workers,
            metrics: BTreeMap::new(),
            best: None,
        },
        figures => figures,
    };
    let mut report = TestReport {
        counterexample: Some(confirmed.counterexample),
        kind,
        evidence: confirmed.evidence,
        violation: Violation {
            echidna_style: property.kind.is_echidna_style().then_some(property.kind),
            by_revert,
            after_invariant: campaign.test_env.suite.after_invariant.is_some(),
        },
        found: Some(campaign.found()),
        ..failed(property.function.signature(), confirmed.reason)
    };
    if campaign.spec.test.is_some() {
        report.reason = report.reason.filter(|reason| !reason.is_empty());
        let warnings = campaign.persistence.save_test(&property, &mut report);
        events::warn_at_once(campaign, warnings);
    } else {
        let shows = if by_revert { Shows::Revert } else { Shows::Invariant };
        let warnings = campaign.persistence.save_broken(&property, &mut report, &shows);
        events::warn_at_once(campaign, warnings);
    }
    events::emit_broken(campaign, &property.function.name, &report);
    campaign.results.properties.set_aside(index, report);
}
