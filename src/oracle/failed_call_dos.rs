//! An account that rejects a payment and so makes the calls of others fail (SWC-113).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "failed-call-dos",
        name: "FailedCallDenialOfService",
        summary: "An account that rejects a payment makes the calls of others fail",
        swc: Some(113),
        severity: Some(6.0),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "A call reverted because it paid an account that rejects what it is sent. That account is not who \
               called, nor an argument of the call: it had entered itself before, so that whoever calls now is \
               stopped by it.\n\n\
               Let everybody withdraw what they are owed instead of sending it to them.",
    },
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some(taint) = view.undone().filter(|taint| taint.is_passed_on) else { return Vec::new() };
    let own = Origins::INPUT | Origins::CALLER | Origins::KEYED;
    let refused = taint.calls.iter().filter(|call| {
        !call.success
            && call.is_checked
            && view.is_actor(call.to)
            && call.to != view.tx().sender
            && Some(call.to) != view.owner()
            && call.to_origins.has(Origins::PAST_CALLER)
            && !call.to_origins.has(own)
    });
    refused
        .map(|call| violation(&call.site, "whoever rejects this call stops all others (SWC-113)"))
        .collect()
}
