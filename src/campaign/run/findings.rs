//! What the oracles report, told apart by where it happened and confirmed one by one.

use super::{
    super::confirmer::{Confirmed, FailurePredicate},
    Campaign, MOST_TRIES,
};
use crate::{
    model::{
        ContractId, EntryPoint, Evidence, Finding, ForgeReplay, Observation, ReportSettings, Sequence, Site,
    },
    oracle,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of findings.
#[derive(Default)]
pub(super) struct Findings {
    /// Those that were confirmed.
    pub(super) all: Vec<Finding>,
    /// Those that are not judged any more.
    seen: BTreeSet<oracle::Key>,
    /// How often each showed in the search and not when it was judged.
    unconfirmed: BTreeMap<oracle::Key, u32>,
}

impl Findings {
    /// Whether the finding of this id is among them.
    pub(super) fn found(&self, id: &str) -> bool {
        self.all.iter().any(|finding| finding.id == id)
    }
}

impl Campaign<'_> {
    /// Findings that no earlier execution showed, with the step that shows each.
    pub(super) fn new_findings(
        &self,
        sequence: &Sequence,
        observation: &Observation,
    ) -> Vec<(usize, oracle::Key)> {
        let detections =
            self.confirmer.detectors.detect(sequence, observation, &|address| self.test_env.called(address));
        let detections = detections.into_iter().map(|detection| (detection.step, detection.key));
        detections.filter(|(_, key)| !self.findings.seen.contains(key)).collect()
    }

    /// Confirms what shows for the first time.
    pub(super) fn judge_findings(&mut self, sequence: &Sequence, observation: &Observation, replayed: bool) {
        for (step, key) in self.new_findings(sequence, observation) {
            let mut until = observation.clone();
            until.steps.truncate(step + 1);
            let prefix = sequence[..=step].to_vec();
            let predicate = FailurePredicate::Finding(key.clone());
            match self.confirmer.confirm(&self.test_env, &prefix, &until, &predicate) {
                Some(confirmed) => {
                    self.warn_unless_replayed(&confirmed);
                    self.add_finding(&key, confirmed, replayed);
                    self.findings.seen.insert(key);
                }
                None => self.note_unconfirmed_finding(key),
            }
        }
    }

    fn note_unconfirmed_finding(&mut self, key: oracle::Key) {
        let tries = self.findings.unconfirmed.entry(key.clone()).or_insert(0);
        *tries += 1;
        if *tries == 1 {
            let oracle::Key { contract, function, .. } = &key;
            self.warnings.push(format!(
                "{}: {contract}.{function} failed, but not when replayed from a fresh deployment; it is not reported",
                key.oracle
            ));
        }
        if *tries >= MOST_TRIES {
            self.findings.seen.insert(key);
        }
    }

    /// Where an oracle names no instruction, what was called is the place.
    fn placed(&self, site: Site, key: &oracle::Key) -> Site {
        let declared = || {
            let contract = ContractId::parse(&key.contract)?;
            let project = self.context.project;
            project.function_declared(&contract, &key.function).or_else(|| project.declared(&contract))
        };
        let location = site.location.clone().or_else(|| if site.code.is_zero() { declared() } else { None });
        Site { location, ..site }
    }

    fn add_finding(&mut self, key: &oracle::Key, confirmed: Confirmed, replayed: bool) {
        let Some(mut failure) = confirmed.assertion else { return };
        failure.site = self.placed(failure.site, key);
        let fingerprint =
            failure.site.location.as_ref().and_then(|place| self.context.project.fingerprint(place));
        let id = key.id(fingerprint.as_deref());
        if self.findings.found(&id) {
            // The compiler made two of one place.
            return;
        }
        let finding = Finding {
            id,
            oracle: key.oracle,
            failure,
            entry: EntryPoint {
                contract: key.contract.clone(),
                address: confirmed.sequence.last().map_or(self.test_env.test, |tx| tx.target),
                function: key.function.clone(),
            },
            reverts: confirmed.reverts,
            counterexample: confirmed.counterexample,
            evidence: Evidence { traces: confirmed.traces, logs: confirmed.logs, ..Evidence::default() },
            replayed,
            found: self.found(),
            settings: ReportSettings {
                show_solidity: self.context.suite.config.invariant.show_solidity,
                comments: self.comments.clone(),
            },
            forge_replay: ForgeReplay::default(),
        };
        let warnings = self.persistence.save_finding(&finding);
        self.warn_at_once(warnings);
        self.tell_broken(&finding.entry.function, &finding.failure.reason);
        self.findings.all.push(finding);
    }
}
