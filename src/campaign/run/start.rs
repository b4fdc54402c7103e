//! Check of the properties in the state after `setUp`.

use super::{
    super::{confirmer::FailurePredicate, verdict::failed_invariant},
    Campaign, ending, events,
};
use crate::model::{Property, PropertyKind, Sequence, Status, TestKind, TestReport, Verdict};
use std::collections::BTreeMap;

/// Calls every property once in the state after `setUp`. Some skip themselves, and some are already broken.
pub(super) fn check_initial_state(campaign: &mut Campaign<'_>) {
    for index in campaign.results.properties.alive.clone() {
        let property = campaign.test_env.suite.properties[index].clone();
        if property.kind == PropertyKind::Scan {
            continue;
        }
        let signature = property.function.signature();
        if !property.function.inputs.is_empty() {
            let reason = "failed to set up invariant testing environment: \
                          Invariant test function should have no inputs";
            campaign.results.properties.set_aside(index, failed_invariant(signature, reason.to_owned()));
            continue;
        }
        check_initial(campaign, index, &property);
        if let Some(unsupported) = campaign.executor.take_unsupported() {
            campaign.results.properties.set_aside(index, failed_invariant(signature, unsupported));
        }
    }
    if let Some(reason) = campaign.test_env.targets_fault.clone() {
        ending::fail_all(campaign, &reason);
    }
}

fn check_initial(campaign: &mut Campaign<'_>, index: usize, property: &Property) {
    match campaign.executor.property_call(&property.function, property.kind).verdict {
        Verdict::Skipped(reason) => {
            let kind = TestKind::Invariant {
                runs: 1,
                calls: 1,
                reverts: 1,
                workers: 1,
                metrics: BTreeMap::new(),
                best: None,
            };
            let skipped = failed_invariant(property.function.signature(), String::new());
            let report = TestReport { status: Status::Skipped, reason, kind, ..skipped };
            campaign.results.properties.set_aside(index, report);
        }
        _ if campaign.test_env.targets_fault.is_some() => {}
        Verdict::Holds => {}
        Verdict::Value(value) => campaign.results.optima.start_with(index, value),
        Verdict::Broken(reason) => broken_at_start(campaign, index, property, &reason),
    }
}

fn broken_at_start(campaign: &mut Campaign<'_>, index: usize, property: &Property, reason: &str) {
    let reason = format!("failed to set up invariant testing environment: {reason}");
    let predicate = FailurePredicate::Broken { property: index, by_revert: false, after_invariant: false };
    let mut report = failed_invariant(property.function.signature(), reason);
    if let Some(confirmed) = campaign.confirmer.replay(&campaign.test_env, &Sequence::new(), &predicate) {
        report.evidence = confirmed.evidence;
    }
    events::emit_broken(campaign, &property.function.name, &report);
    campaign.results.properties.set_aside(index, report);
}
