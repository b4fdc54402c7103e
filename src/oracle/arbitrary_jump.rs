//! A jump to a destination that the caller chooses (SWC-127).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "arbitrary-jump",
        name: "ArbitraryJump",
        summary: "The caller chooses where the code goes on",
        swc: Some(127),
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "The destination of a jump stems from arguments, now or of an earlier call, and it was no destination \
               at all: so any other can be chosen too, and with it any part of the code. Usual causes are pointers \
               to internal functions that assembly or an overlapping variable overwrites.\n\n\
               Never let data reach a variable of a function type.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    // Code that runs after the first such jump is not part of the program.
    let jumps = view.taint().and_then(|taint| taint.wild_jumps.first());
    jumps
        .map(|site| violation(site, "a caller chooses where this jump leads (SWC-127)"))
        .into_iter()
        .collect()
}
