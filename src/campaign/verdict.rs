//! Results of tests that had no campaign, and the base of other results.

use crate::model::{Status, TestKind, TestReport};
use std::collections::BTreeMap;

/// Returns a failed result without a campaign.
pub(super) fn failed(signature: &str, reason: String) -> TestReport {
    TestReport { reason: Some(reason), ..TestReport::new(signature, Status::Failure) }
}

/// Returns the result of an invariant that failed before any call.
pub(super) fn failed_invariant(signature: &str, reason: String) -> TestReport {
    let kind = TestKind::Invariant {
        runs: 0,
        calls: 0,
        reverts: 0,
        workers: 1,
        metrics: BTreeMap::new(),
        best: None,
    };
    TestReport { kind, ..failed(signature, reason) }
}
