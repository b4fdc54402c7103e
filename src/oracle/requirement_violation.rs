//! A call between contracts of the system that breaks a requirement of the callee (SWC-123).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule, Scheme};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "requirement-violation",
        name: "RequirementViolation",
        summary: "A call between contracts breaks a requirement of the callee",
        swc: Some(123),
        severity: Some(3.5),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "A contract of the system called another one, whose own `require` or `revert` failed, and with it the \
               transaction. Either the caller passes on what it should have checked, or the requirement is too \
               strong.\n\n\
               Check before the call, or weaken the requirement.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    // The arguments of a constructor, or those of whom the contract trusts, may make no sense.
    let is_strangers = || view.creation().is_none() && view.is_stranger(view.tx().sender);
    let taint = view.undone().filter(|taint| taint.is_passed_on && is_strangers());
    let Some(taint) = taint else { return Vec::new() };
    let broken = taint.calls.iter().filter(|call| {
        call.message.scheme != Scheme::Delegate
            && call.message.from != call.message.to
            && !call.message.to_origins.has(Origins::INPUT)
            && !view.is_actor(call.message.from)
            && !view.is_actor(call.message.to)
            && !view.is_guessed(call.message.to)
    });
    let sites = broken.filter_map(|call| call.reverted_at.as_ref());
    sites.map(|site| violation(site, "a contract of the system breaks this requirement (SWC-123)")).collect()
}
