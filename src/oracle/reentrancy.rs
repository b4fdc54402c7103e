//! A callee that calls back and so changes the outcome (SWC-107).
//!
//! The executor proves the change: it makes the same two calls one after the other, in both orders, and
//! compares the resulting states with that of the callback.

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, OutwardCall, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "reentrancy",
        name: "ReentrantCall",
        summary: "A callee that calls back gets what it would not get otherwise",
        swc: Some(107),
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "While the contract called an account that it does not control, that account called it back, and what \
               both calls left differs from what they leave when they are made one after the other, in whatever \
               order. The contract was in a state that it should not be seen in. A callback that only reads does not \
               count, nor does one by an account that the owner brought in.\n\n\
               Change the state before the call, or guard all functions that share it with one lock.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let reentered = view.done().and_then(|taint| taint.proofs.reentered.as_ref());
    // What a contract keeps for a contract that the caller names, a token for example, concerns nobody else.
    let is_named =
        |call: &OutwardCall| call.message.to_origins.has(Origins::INPUT) && !call.message.is_payment;
    let calls = || view.taint().into_iter().flat_map(|taint| &taint.calls);
    let reentered = reentered.filter(|reentered| {
        !view.is_answered_by_trusted() && !calls().any(|call| call.site == reentered.site && is_named(call))
    });
    let reason = "calling back makes a difference (SWC-107)";
    reentered.map(|reentered| violation(&reentered.site, reason)).into_iter().collect()
}
