//! Wei that enters the contract and cannot leave it (sFuzz section 4).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule, Site};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "freezing-ether",
        name: "FreezingEther",
        summary: "The contract takes wei that nobody can get out again",
        swc: None,
        severity: Some(6.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "The contract received wei, and no instruction of its code can send any: there is no call with a \
               value, no delegatecall, no creation and no selfdestruct. A contract that another one of the project \
               inherits from is left out.\n\n\
               Make the function not payable, or add a way to withdraw.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some((taint, scene)) = view.done().zip(view.scene) else { return Vec::new() };
    let [before, after] = taint.balance;
    match !scene.can_pay && after > before {
        true => vec![violation(&Site::default(), "wei comes in, and no code can send it out")],
        false => Vec::new(),
    }
}
