//! A contract that anybody can destroy (SWC-106).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "selfdestruct",
        name: "UnprotectedSelfdestruct",
        summary: "Anybody can destroy the contract",
        swc: Some(106),
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "An account that neither created the contract nor was named by anybody else made it destroy itself.\n\n\
               Let the owner alone do that, or nobody.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some((taint, scene)) = view.done().zip(view.scene) else { return Vec::new() };
    let destroyed = taint
        .destroyed
        .iter()
        .filter(|(_, account)| *account == scene.contract.address && view.is_stranger(view.tx().sender));
    destroyed.map(|(site, _)| violation(site, "anybody can destroy the contract (SWC-106)")).collect()
}
