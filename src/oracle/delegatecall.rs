//! A delegatecall to code that the caller chooses, which runs on the contract's own storage (SWC-112).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule, Scheme};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "delegatecall",
        name: "DangerousDelegatecall",
        summary: "The caller chooses whose code a delegatecall runs",
        swc: Some(112),
        severity: Some(9.5),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "A delegatecall ran code of an account that somebody brought in whom nobody had allowed to: with the \
               contract's storage and wei at its disposal.\n\n\
               Delegate to addresses only that the constructor or the owner has set.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let calls = view.done().into_iter().flat_map(|taint| &taint.calls);
    // Whoever the contract trusts may choose, and so may contracts that it trusts. What is undone does no harm.
    if view.trusts_an_actor() {
        return Vec::new();
    }
    let is_owners = || !view.is_stranger(view.tx().sender);
    let chosen = calls.filter(|call| {
        let origins = call.message.to_origins;
        call.message.scheme == Scheme::Delegate
            && (origins.has(Origins::PAST_INPUT) || origins.has(Origins::INPUT) && !is_owners())
            && !call.is_undone
            && view.is_foreign(call.message.to)
    });
    chosen.map(|call| violation(&call.site, "a caller chooses whose code runs here (SWC-112)")).collect()
}
