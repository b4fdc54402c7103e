//! A write to a slot of storage that the caller chose (SWC-124).

use super::{Oracle, view::ExecutionView};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "arbitrary-write",
        name: "ArbitraryStorageWrite",
        summary: "The caller chooses which slot of storage is written",
        swc: Some(124),
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: true,
        help: "A sequence of calls writes a slot that no program means to write: whoever makes these calls can \
               write any slot, and so become the owner or take what the contract holds. Usual causes are an array \
               whose length can be made to underflow (before Solidity 0.6), an index in inline assembly that is not \
               checked, and storage pointers that were never initialised.\n\n\
               Check the index or length before the write.",
    },
    in_suites: true,
    decide,
};

/// Reports a write to the slot that no program means to write.
fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    view.step().arbitrary_write.iter().cloned().collect()
}
