//! A stranger who takes the place of the owner (SWC-118, and unprotected setters and initializers).

use super::{
    Oracle,
    view::{ExecutionView, contains, violation},
};
use crate::model::{AssertionFailure, Confidence, Rule, Takeover};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "ownership-takeover",
        name: "OwnershipTakeover",
        summary: "A stranger becomes the account whom the contract trusts",
        swc: Some(118),
        severity: Some(9.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "Somebody who does not own the contract, never paid, and was named by nobody, wrote himself into a \
               fixed slot of storage, and a later call compared him with it. The owner was there before, or the call \
               paid wei, destroyed the contract, or wrote another account there.\n\n\
               Name the constructor as the compiler demands, let initializers run once, and protect the functions \
               that set owners.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let Some(taint) = view.done() else { return Vec::new() };
    let caller = view.tx().sender;
    let is_powerful = view.payments().next().is_some() || !taint.destroyed.is_empty();
    let replaces_owner = |takeover: &Takeover| {
        let replaced = takeover.replaced.to_be_bytes::<32>();
        view.owner().into_iter().chain(view.named_on_chain()).any(|owner| contains(&replaced, owner))
    };
    let taken = taint.takeovers.iter().filter(|takeover| {
        let is_taken = replaces_owner(takeover) || is_powerful || takeover.is_handed_on;
        takeover.by == caller && is_taken && view.is_thief(caller)
    });
    let reason = "a stranger makes himself the account that the contract trusts (SWC-118)";
    taken.map(|takeover| violation(&takeover.site, reason)).collect()
}
