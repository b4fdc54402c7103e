//! Authorisation by `tx.origin` (SWC-115).

use super::{
    Oracle,
    view::{ExecutionView, violation},
};
use crate::model::{AssertionFailure, Confidence, Origins, Rule};

pub(super) const ORACLE: Oracle = Oracle {
    rule: Rule {
        id: "tx-origin",
        name: "TxOriginAuthorization",
        summary: "`tx.origin` decides who may do something",
        swc: Some(115),
        severity: Some(5.0),
        confidence: Some(Confidence::High),
        by_default: false,
        help: "A decision depends on `tx.origin`: whoever the rightful account calls can act in its name. To \
               compare it with `msg.sender`, which tells contracts from accounts, is not reported.\n\n\
               Use `msg.sender`.",
    },
    in_suites: true,
    decide,
};

fn decide(view: &ExecutionView<'_>) -> Vec<AssertionFailure> {
    let decisions = view.taint().into_iter().flat_map(|taint| &taint.decisions);
    let by_origin = decisions.filter(|decision| {
        decision.origins.has(Origins::ORIGIN) && !decision.origins.has(Origins::ANY_CALLER)
    });
    by_origin.map(|decision| violation(&decision.site, "tx.origin decides here (SWC-115)")).collect()
}
