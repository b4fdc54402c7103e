//! A payment with too little gas for its receiver (sFuzz section 4).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Outcome, OutwardCall, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "gasless-send",
        name: "GaslessSend",
        summary: "A `send` or `transfer` gives its receiver too little gas",
        swc: None,
        severity: Some(4.0),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "Wei was sent with no more gas than comes with it (2300), and the receiver, a contract, needed more, \
               so that it cannot be paid. Not reported are payments to the caller, and to whomever the caller \
               names or has named: these can be made to another account. Nor are payments of the contract to itself, and \
               to those for whom it was created.\n\n\
               Send with `call` and check the result, guarded against calls back.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let calls = view.taint().into_iter().flat_map(|taint| &taint.calls);
    // A contract that notices the failure and goes on owes the wei, and may pay them in another way.
    let handles = |call: &OutwardCall| call.is_checked && view.step().outcome == Outcome::Success;
    // The caller may name another receiver, unless the wei are kept for this one.
    let is_named = |call: &OutwardCall| {
        let is_chosen =
            call.message.to_origins.has(Origins::INPUT) || view.was_named_by_caller(call.message.to);
        is_chosen && !call.message.value_origins.has(Origins::KEYED)
    };
    let starved = calls.filter(|call| {
        call.message.is_stipend
            && !call.success
            && call.out_of_gas
            && call.message.to != view.tx().sender
            && !view.is_tested(call.message.to)
            && !is_named(call)
            && !view.is_chosen_by_creator(call.message.to)
            && !handles(call)
    });
    starved.map(|call| violation(&call.site, "the receiver needs more gas than it is given")).collect()
}
