//! Reports of the oracles, distinguished by place and confirmed one by one.

use super::{
    super::confirmer::{Confirmed, FailurePredicate},
    Campaign, MOST_TRIES, events, properties,
};
use crate::{
    model::{
        ContractId, EntryPoint, Finding, ForgeReplay, Observation, ReportSettings, Sequence, Site,
        Transaction,
    },
    oracle,
    project::CodeKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Findings of a campaign so far.
#[derive(Default)]
pub(super) struct Findings {
    /// Confirmed findings.
    pub(super) all: Vec<Finding>,
    /// Keys of findings that are no longer to be confirmed.
    seen: BTreeSet<oracle::Key>,
    /// Number of failed confirmations of each finding.
    unconfirmed: BTreeMap<oracle::Key, u32>,
}

impl Findings {
    /// Tells whether the finding with this id was confirmed.
    pub(super) fn found(&self, id: &str) -> bool {
        self.all.iter().any(|finding| finding.id == id)
    }
}

/// Returns the detections of an execution that are still to be confirmed.
pub(super) fn new_findings(
    campaign: &Campaign<'_>,
    sequence: &Sequence,
    observation: &Observation,
) -> Vec<oracle::Detection> {
    let detections =
        campaign.confirmer.detectors.detect(sequence, observation, &|call| campaign.test_env.entered(call));
    let is_new = |detection: &oracle::Detection| !campaign.results.findings.seen.contains(&detection.key);
    let scene = campaign.test_env.scene();
    let is_own = |detection: &oracle::Detection| {
        scene.is_none_or(|scene| !scene.has_other_suite(&detection.key.contract))
    };
    detections.into_iter().filter(|detection| is_new(detection) && is_own(detection)).collect()
}

/// Confirms the new findings of an execution.
pub(super) fn confirm_findings(
    campaign: &mut Campaign<'_>,
    sequence: &Sequence,
    observation: &Observation,
    replayed: bool,
) {
    for oracle::Detection { key, step, failure } in new_findings(campaign, sequence, observation) {
        let site = placed(campaign, failure.site, &key);
        let entry = entry_point(campaign, &key, sequence.get(step));
        if is_known(campaign, &key, &site, &entry) {
            campaign.results.findings.seen.insert(key);
            continue;
        }
        let mut until = observation.clone();
        until.steps.truncate(step + 1);
        let prefix = sequence[..=step].to_vec();
        let predicate = FailurePredicate::Finding(key.clone());
        match campaign.confirmer.confirm(&campaign.test_env, &prefix, &until, &predicate) {
            Some(confirmed) => {
                properties::warn_unless_replayed(campaign, &confirmed);
                add_finding(campaign, &key, confirmed, replayed);
                campaign.results.findings.seen.insert(key);
            }
            None => note_unconfirmed_finding(campaign, key),
        }
    }
}

/// Returns the function by which a finding was reached.
fn entry_point(campaign: &Campaign<'_>, key: &oracle::Key, tx: Option<&Transaction>) -> EntryPoint {
    EntryPoint {
        contract: key.contract.clone(),
        address: tx.map_or(campaign.test_env.suite.test, |tx| tx.target),
        function: key.function.clone(),
    }
}

/// Returns the id of a finding. In a scan, a place is one finding, whatever function reaches it.
fn id_of(campaign: &Campaign<'_>, key: &oracle::Key, site: &Site) -> String {
    let fingerprint = site.location.as_ref().and_then(|place| campaign.context.project.fingerprint(place));
    match campaign.test_env.scene() {
        Some(_) => oracle::Key { function: String::new(), ..key.clone() }.id(fingerprint.as_deref()),
        None => key.id(fingerprint.as_deref()),
    }
}

/// Tells whether the place of a detection is a finding already, and adds the function to it.
fn is_known(campaign: &mut Campaign<'_>, key: &oracle::Key, site: &Site, entry: &EntryPoint) -> bool {
    let id = id_of(campaign, key, site);
    let Some(known) = campaign.results.findings.all.iter_mut().find(|finding| finding.id == id) else {
        return false;
    };
    if known.entry != *entry && !known.others.contains(entry) {
        known.others.push(entry.clone());
    }
    true
}

fn note_unconfirmed_finding(campaign: &mut Campaign<'_>, key: oracle::Key) {
    let tries = campaign.results.findings.unconfirmed.entry(key.clone()).or_insert(0);
    *tries += 1;
    if *tries == 1 {
        let oracle::Key { contract, function, .. } = &key;
        campaign.results.warnings.push(format!(
            "{}: {contract}.{function} failed, but not when replayed from a fresh deployment; it is not reported",
            key.oracle
        ));
    }
    if *tries >= MOST_TRIES {
        campaign.results.findings.seen.insert(key);
    }
}

/// Returns the site of a finding. If the oracle names no instruction, or one that the compiler generated, the location
/// is the declaration of the called function, or else that of its contract.
fn placed(campaign: &Campaign<'_>, site: Site, key: &oracle::Key) -> Site {
    let declared = || {
        let id = ContractId::parse(&key.contract)?;
        let project = campaign.context.project;
        let declared = project.function_declared(&id, &key.function).or_else(|| project.declared(&id));
        // The first instruction belongs to the contract as a whole, even if its source has no syntax tree.
        let first = || project.locate(project.contract(&id)?, CodeKind::Runtime, 0);
        declared.or_else(|| first().map(|location| location.place))
    };
    let location = site.location.clone().or_else(declared);
    Site { location, ..site }
}

fn add_finding(campaign: &mut Campaign<'_>, key: &oracle::Key, confirmed: Confirmed, replayed: bool) {
    let Some(mut failure) = confirmed.assertion else { return };
    failure.site = placed(campaign, failure.site, key);
    let entry = entry_point(campaign, key, confirmed.sequence.last());
    // The compiler may generate the code of one place twice.
    if is_known(campaign, key, &failure.site, &entry) {
        return;
    }
    let finding = Finding {
        id: id_of(campaign, key, &failure.site),
        oracle: key.oracle,
        failure,
        entry,
        others: Vec::new(),
        reverts: confirmed.reverts,
        counterexample: confirmed.counterexample,
        evidence: confirmed.evidence,
        replayed,
        found: campaign.found(),
        settings: ReportSettings {
            show_solidity: campaign.context.suite.config.invariant.show_solidity,
            comments: campaign.spec.comments.clone(),
        },
        forge_replay: ForgeReplay::default(),
    };
    let warnings = campaign.persistence.save_finding(&finding);
    events::warn_at_once(campaign, warnings);
    events::emit_finding(campaign, &finding);
    campaign.results.findings.all.push(finding);
}
