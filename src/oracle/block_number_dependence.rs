//! A payment that depends on the number, hash or randomness of the block (SWC-120).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "block-number-dependence",
        name: "BlockNumberDependence",
        summary: "The number or hash of the block decides about a payment",
        swc: Some(120),
        severity: Some(3.0),
        confidence: Some(Confidence::Low),
        by_default: false,
        help: "A payment was made whose receiver or amount depends on the number, hash or randomness of the block, \
               or that a decision by it led to. Who produces the block, and often everybody else, can choose it or \
               know it before. What is only recorded is not reported.\n\n\
               Take randomness from where nobody can foresee it, and let no narrow time decide.",
    },
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let reason = "the number, hash or randomness of the block decides about this payment (SWC-120)";
    let paid = view.payments_by(Origins::BLOCK, Origins::PAST_BLOCK);
    paid.map(|call| violation(&call.site, reason)).collect()
}
