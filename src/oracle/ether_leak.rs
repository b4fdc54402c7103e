//! Wei for an account that never paid in (SWC-105).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "ether-leak",
        name: "EtherLeak",
        summary: "An account that never paid in gets wei out",
        swc: Some(105),
        severity: Some(9.5),
        confidence: Some(Confidence::High),
        by_default: true,
        help: "An account received wei from the contract though it never sent any, does not own the contract, and \
               was named by no other caller, neither at deployment nor later.\n\n\
               Check who may withdraw, and how much is theirs. Where giving away is what the contract is for, \
               exclude the rule.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    // Wei that somebody forced into a contract is nobody's loss.
    if view.scene.is_some_and(|scene| !scene.prepared.forced.is_zero()) {
        return Vec::new();
    }
    let takers = view.done().into_iter().flat_map(|taint| &taint.proofs.takers);
    let mut leaked = takers.filter(|account| view.is_thief(**account));
    let reason = "an account that never paid in gets wei out (SWC-105)";
    leaked.next().map(|account| violation(&view.payment_to(*account), reason)).into_iter().collect()
}
