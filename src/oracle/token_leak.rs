//! Tokens held by an account that never got any from others.

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule, Site};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "token-leak",
        name: "TokenLeak",
        summary: "An account takes tokens that are others\' or nobody\'s",
        swc: None,
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: true,
        help: "An account gained tokens of the contract, by its `balanceOf`, though it never paid any wei, does not \
               own the contract, and was named by no other caller: so nobody sent or allowed them to it.\n\n\
               Check allowances, and who may mint. Where everybody may mint, exclude the rule.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    // A token that was only guessed may not be what the contract expects.
    if view.scene.is_some_and(|scene| !scene.guessed.is_empty()) {
        return Vec::new();
    }
    let gains = view.done().into_iter().flat_map(|taint| &taint.gains);
    let mut taken = gains
        .filter(|gain| !gain.tokens.is_zero() && view.is_actor(gain.account) && view.is_thief(gain.account));
    let reason = "an account takes tokens that nobody gave it";
    taken.next().map(|_| violation(&Site::default(), reason)).into_iter().collect()
}
