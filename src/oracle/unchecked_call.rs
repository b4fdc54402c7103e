//! A call whose failure is ignored (SWC-104; exception disorder in sFuzz section 4).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule, Scheme};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "unchecked-call",
        name: "UncheckedCall",
        summary: "A call failed, and the contract went on as if it had not",
        swc: Some(104),
        severity: Some(6.5),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "A low-level call or `send` failed, its result was neither decided by nor stored, logged or returned, \
               and the transaction succeeded: the contract believes that something happened that did not.\n\n\
               Check the result, or let the call revert.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some(taint) = view.done() else { return Vec::new() };
    let ignored = taint.calls.iter().filter(|call| {
        !call.success
            && !call.is_checked
            && !call.is_undone
            && call.message.scheme != Scheme::Static
            && (call.message.is_stipend || !call.out_of_gas)
    });
    ignored.map(|call| violation(&call.site, "the failure of this call is ignored (SWC-104)")).collect()
}
