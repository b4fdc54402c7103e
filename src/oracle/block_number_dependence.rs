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
        help: "A number was drawn from the number, hash or randomness of the block, and it decides about a payment. \
               Who produces the block, and often everybody else, can choose it or know it before. What is only \
               recorded, and mere deadlines, are not reported.\n\n\
               Take randomness from where nobody can foresee it, and let no narrow time decide.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let reason = "a number drawn from this data of the block decides about a payment (SWC-120)";
    let paid = view.payments_by(Origins::DRAWN_BLOCK | Origins::PAST_DRAWN_BLOCK);
    paid.map(|call| violation(call.source_or_call(), reason)).collect()
}
