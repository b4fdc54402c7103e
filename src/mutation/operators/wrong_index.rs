//! Another variable as the key of a mapping or the index of an array.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{Expr, ExprKind, IndexKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "wrong-index",
    reason: "The balance of the one in place of that of the other: the compiler sees two addresses.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    let ExprKind::Index(_, IndexKind::Index(Some(index))) = &expression.kind else { return Vec::new() };
    let Some(kind) = kind_of(index, scope) else { return Vec::new() };
    let text = scope.text(index.span);
    let locals = scope.locals().filter(|(name, other)| *other == kind && *name != text).map(|(name, _)| name);
    let sender = (kind == "address" && text != "msg.sender").then_some("msg.sender");
    locals.chain(sender).map(|name| scope.replace(index.span, name)).collect()
}

fn kind_of<'s>(index: &Expr<'_>, scope: &'s NodeScope<'_, '_>) -> Option<&'s str> {
    if scope.text(index.span) == "msg.sender" { Some("address") } else { scope.type_of(index) }
}
