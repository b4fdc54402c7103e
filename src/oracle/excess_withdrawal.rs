//! Somebody who gets out more than he paid in, at the cost of others.

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "excess-withdrawal",
        name: "ExcessWithdrawal",
        summary: "An account gets more wei out than it paid in",
        swc: Some(105),
        severity: Some(9.0),
        confidence: Some(Confidence::Medium),
        by_default: false,
        help: "An account that paid wei into the contract has got more out than that, although it does not own the \
               contract and was named by no other caller. It profits even if all others act first and it then makes \
               all its calls at once: it is not paid for waiting, nor by those who come later, nor by chance.\n\n\
               Check what reduces the account's balance, and whether shares are computed from the right amounts.",
    },
    in_suites: false,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let takers = view.done().into_iter().flat_map(|taint| &taint.proofs.takers);
    let mut excess =
        takers.filter(|account| view.is_stranger(**account) && !view.paid_by(**account).is_zero());
    let is_drawn = view.payments_by(Origins::DRAWN).next().is_some();
    // A call that takes a stake and pays a prize is a game, in which the others lose by its rules.
    let is_game = !view.tx().value.is_zero();
    let reason = "an account gets more wei out than it paid in, at the cost of others (SWC-105)";
    let found = excess.next().filter(|_| !is_drawn && !is_game);
    found.map(|account| violation(&view.payment_to(*account), reason)).into_iter().collect()
}
