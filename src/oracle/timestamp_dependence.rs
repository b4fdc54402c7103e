//! A payment that depends on the time of the block (SWC-116).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, OutwardCall, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "timestamp-dependence",
        name: "TimestampDependence",
        summary: "The time of the block decides about a payment",
        swc: Some(116),
        severity: Some(3.0),
        confidence: Some(Confidence::Low),
        by_default: false,
        help: "A number was drawn from the time of the block (a remainder, a part of a hash, an exact match), and it \
               decides about a payment; or the pot goes to whoever was the last to act before a time. Who produces the \
               block, and often everybody else, can choose the time or know it before. A mere deadline is not \
               reported.\n\n\
               Take randomness from where nobody can foresee it, and let no narrow time decide.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let drawn = view.payments_by(Origins::DRAWN_TIME | Origins::PAST_DRAWN_TIME);
    // Without a scan, nobody knows who owns the contract.
    let raced = view.payments().filter(|_| view.scene.is_some());
    // What grows with the time is interest.
    let is_race = |call: &OutwardCall| {
        call.decided.has(Origins::TIME) && !call.message.value_origins.has(Origins::TIME)
    };
    let raced = raced.filter(|call| is_race(call) && goes_to_the_last(view, call));
    let report = |call: &OutwardCall, reason| violation(call.source_or_call(), reason);
    let drawn =
        drawn.map(|call| report(call, "a number drawn from this time decides about a payment (SWC-116)"));
    let raced =
        raced.map(|call| report(call, "who was the last before this time gets the payment (SWC-116)"));
    drawn.chain(raced).collect()
}

/// Tells whether a payment goes to an account that was stored in a single place, as the last one who paid. He
/// gets more than he paid and than came in with the call, others paid too, and he does not own the contract.
fn goes_to_the_last(view: &ExecutionView<'_>, call: &OutwardCall) -> bool {
    let message = &call.message;
    let is_stored = message.to_origins.has(Origins::PAST_CALLER) && !message.to_origins.has(Origins::KEYED);
    let owner = view.owner();
    let paid = view.paid_by(message.to);
    (is_stored || call.decided.has(Origins::PAST_CALLER))
        && Some(message.to) != owner
        && view.is_stranger(view.tx().sender)
        && !paid.is_zero()
        && view.others_paid(message.to)
        && message.value > paid
        // What comes in with the call is paid by whoever makes it.
        && message.value > view.tx().value
}
