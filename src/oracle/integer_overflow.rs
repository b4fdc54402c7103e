//! Arithmetic that leaves the range of its type, and whose result is used as a quantity (SWC-101).
//!
//! A sum, difference or product that wrapped is not a bug by itself: hashes, random number generators and
//! differences of times wrap on purpose. It is a bug if the result, stored or not, is compared with another
//! quantity or sent, if it goes back to the slot that an operand came from, or if a difference below zero is
//! stored. Whom the contract trusts may enter absurd numbers; then only what grows counts.

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule, is_view};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "integer-overflow",
        name: "IntegerOverflow",
        summary: "A result that wrapped around is taken for a quantity",
        swc: Some(101),
        severity: Some(8.0),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "An addition, subtraction or multiplication left the range of its type, in `unchecked` code, in \
               assembly, or before Solidity 0.8, and the result was compared with another number by its size, sent \
               as wei, or written back to the slot of one operand, as in `total += amount`. Results that are only \
               hashed, shifted, divided or taken modulo something, and differences of times, are not reported, nor \
               are checks that compare a result with its own operands. Of what the owner enters, only sums and \
               products that are added up in storage are reported.\n\n\
               Use checked arithmetic, or compare the operands before.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    // What only looks changes nothing.
    if view.tx().input.function().is_some_and(|function| is_view(function)) {
        return Vec::new();
    }
    let wraps = view.done().into_iter().flat_map(|taint| &taint.wraps);
    wraps
        .filter(|wrap| wrap.grows || view.is_stranger(wrap.by))
        .map(|wrap| violation(&wrap.site, "a result that wrapped around is taken for a quantity (SWC-101)"))
        .collect()
}
