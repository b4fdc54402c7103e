//! An account that rejects a payment and so makes the calls of others fail (SWC-113).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, OutwardCall, Rule};

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
               called, nor an argument of the call: it had entered itself before, or is one of several that the \
               code names and pays together, so that whoever calls now is stopped by it.\n\n\
               Let everybody withdraw what they are owed instead of sending it to them.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some(taint) = view.undone().filter(|taint| taint.is_passed_on) else { return Vec::new() };
    let own = Origins::INPUT | Origins::CALLER | Origins::KEYED;
    // The account entered itself, or is one of several that the same instruction pays.
    let is_one_of_many = |call: &OutwardCall| {
        view.is_named_in_code(call.message.to)
            && !call.message.to_origins.has(Origins::PAST_INPUT)
            && taint
                .calls
                .iter()
                .any(|paid| paid.success && paid.site == call.site && paid.message.to != call.message.to)
    };
    let entered = |call: &OutwardCall| {
        call.message.to_origins.has(Origins::PAST_CALLER) && view.is_stranger(call.message.to)
    };
    let refused = taint.calls.iter().filter(|call| {
        !call.success
            && call.is_checked
            && view.is_rejecting(call.message.to)
            && call.message.to != view.tx().sender
            && Some(call.message.to) != view.owner()
            && (entered(call) || is_one_of_many(call))
            && !call.message.to_origins.has(own)
    });
    refused
        .map(|call| violation(&call.site, "whoever rejects this call stops all others (SWC-113)"))
        .collect()
}
