//! A failed assertion in a called function: an assert property.

use super::{Oracle, view::ExecutionView};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "assertion",
        name: "AssertionViolation",
        summary: "An assertion in the code under test fails",
        swc: Some(110),
        severity: Some(7.0),
        confidence: Some(Confidence::High),
        by_default: true,
        help: "An `assert`, a `vm.assert*` or `fail()` was reached by a sequence of calls and failed. An assertion \
               says what cannot happen, so that a failing one is a bug of the program, or a condition that should \
               be a `require`.\n\n\
               Counted are Panic(0x01), the INVALID opcode (`assert` before Solidity 0.8), failing assertions of \
               cheatcodes with or without a message, and the global failure flag. Overflows and other panics are \
               not.",
    },
    in_suites: true,
    decide,
};

/// Reports the failed assertion that the executor found.
fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    view.step().assertion.iter().cloned().collect()
}
