//! Results that no campaign gave, and the base of those that one did.

use crate::model::{Status, TestKind, TestReport};
use std::{collections::BTreeMap, time::Duration};

/// A failed result without a campaign.
pub(super) fn failed(signature: &str, reason: String) -> TestReport {
    TestReport {
        signature: signature.to_owned(),
        status: Status::Failure,
        reason: Some(reason),
        counterexample: None,
        kind: TestKind::Unit { gas: 0 },
        logs: Vec::new(),
        traces: Vec::new(),
        labels: BTreeMap::new(),
        duration: Duration::ZERO,
        by_revert: false,
        after_invariant: false,
        replayed: false,
        show_solidity: false,
        comments: vec![],
        forge_file: None,
        unforgeable: None,
        found: None,
    }
}

/// An invariant that failed before any call.
pub(super) fn failed_invariant(signature: &str, reason: String) -> TestReport {
    let kind = TestKind::Invariant { runs: 0, calls: 0, reverts: 0, metrics: BTreeMap::new(), best: None };
    TestReport { kind, ..failed(signature, reason) }
}
