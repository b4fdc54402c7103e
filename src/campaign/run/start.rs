//! What properties say of the state after `setUp`.

use super::{
    super::{confirmer::FailurePredicate, verdict::failed_invariant},
    Campaign,
};
use crate::model::{Property, PropertyKind, Sequence, Status, TestKind, TestReport, Verdict};
use std::collections::BTreeMap;

impl Campaign<'_> {
    /// Asks every property once on the state after `setUp`: some skip, some are broken already.
    pub(super) fn probe(&mut self) {
        for index in self.properties.alive.clone() {
            let property = self.test_env.properties[index].clone();
            if property.kind == PropertyKind::Scan {
                continue;
            }
            let signature = property.function.signature();
            if !property.function.inputs.is_empty() {
                let reason = "failed to set up invariant testing environment: \
                              Invariant test function should have no inputs";
                self.properties.set_aside(index, failed_invariant(signature, reason.to_owned()));
                continue;
            }
            self.probe_one(index, &property);
            if let Some(unsupported) = self.executor.take_unsupported() {
                self.properties.set_aside(index, failed_invariant(signature, unsupported));
            }
        }
        if let Some(reason) = self.test_env.targets_fault.clone() {
            self.fail_all(&reason);
        }
    }

    fn probe_one(&mut self, index: usize, property: &Property) {
        match self.executor.property_call(&property.function, property.kind).verdict {
            Verdict::Skipped(reason) => {
                let kind = TestKind::Invariant {
                    runs: 1,
                    calls: 1,
                    reverts: 1,
                    metrics: BTreeMap::new(),
                    best: None,
                };
                let skipped = failed_invariant(property.function.signature(), String::new());
                let report = TestReport { status: Status::Skipped, reason, kind, ..skipped };
                self.properties.set_aside(index, report);
            }
            _ if self.test_env.targets_fault.is_some() => {}
            Verdict::Holds => {}
            Verdict::Value(value) => self.optima.start_with(index, value),
            Verdict::Broken(reason) => self.broken_at_start(index, property, &reason),
        }
    }

    fn broken_at_start(&mut self, index: usize, property: &Property, reason: &str) {
        let reason = format!("failed to set up invariant testing environment: {reason}");
        let predicate =
            FailurePredicate::Broken { property: index, by_revert: false, after_invariant: false };
        let mut report = failed_invariant(property.function.signature(), reason);
        if let Some(confirmed) = self.confirmer.replay(&self.test_env, &Sequence::new(), &predicate) {
            report.evidence.traces = confirmed.traces;
            report.evidence.logs = confirmed.logs;
        }
        self.properties.set_aside(index, report);
    }
}
