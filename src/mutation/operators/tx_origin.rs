//! `tx.origin` in place of `msg.sender` in a comparison.

use super::{MutationOperator, Node, operation};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::BinOpKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "tx-origin",
    reason: "Any contract that the owner calls can act for him if `tx.origin` is compared.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((sign, left, right)) = operation(node) else { return Vec::new() };
    if !matches!(sign.kind, BinOpKind::Eq | BinOpKind::Ne) {
        return Vec::new();
    }
    let is_sender = |side: &&solar::ast::Expr<'_>| scope.text(side.span) == "msg.sender";
    let senders = [left, right].into_iter().filter(is_sender);
    senders.map(|side| scope.replace(side.span, "tx.origin")).collect()
}
