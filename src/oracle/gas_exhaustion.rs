//! A list that strangers can make too long for a block (SWC-128).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "gas-exhaustion",
        name: "GasExhaustion",
        summary: "Strangers can make a call need more gas than a block has",
        swc: Some(128),
        severity: Some(6.0),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "A call loops over a list in storage that anybody can make longer. It was run with a list of a million \
               entries and ran out of a block's gas, while adding to the list still worked.\n\n\
               Bound the list, or let callers choose which part of it a call handles.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let site = view.done().and_then(|taint| taint.proofs.exhausted.as_ref());
    let reason = "strangers can make this list too long for a block's gas (SWC-128)";
    site.map(|site| violation(site, reason)).into_iter().collect()
}
