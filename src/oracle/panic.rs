//! A failed check of the compiler that is no `assert` (SWC-110).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "panic",
        name: "FailedCompilerCheck",
        summary: "Earlier calls make a call fail a check of the compiler",
        swc: Some(110),
        severity: Some(4.0),
        confidence: Some(Confidence::Low),
        by_default: false,
        help: "A call failed with an arithmetic overflow, a division by zero, an index out of bounds, or another check \
               of the compiler. Neither its arguments nor its caller decide about the check, and the same call succeeds \
               right after the deployment: earlier calls lead to a state in which it fails for everybody.\n\n\
               Check what the function assumes about the state, and revert with a reason where it does not hold.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let site = view.undone().and_then(|taint| taint.proofs.panicked.as_ref());
    let reason = "a check of the compiler fails here for everybody (SWC-110)";
    site.map(|site| violation(site, reason)).into_iter().collect()
}
