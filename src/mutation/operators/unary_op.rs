//! A unary operation that is left out, or that counts the other way.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{ExprKind, UnOpKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "unary-op",
    reason: "A negation turns a condition or a sign round, and a counter that counts down loses what it counted.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    let ExprKind::Unary(sign, inner) = &expression.kind else { return Vec::new() };
    vec![match sign.kind {
        UnOpKind::Not | UnOpKind::Neg | UnOpKind::BitNot => {
            scope.replace(expression.span, scope.text(inner.span))
        }
        UnOpKind::PreInc | UnOpKind::PostInc => scope.replace(sign.span, "--"),
        UnOpKind::PreDec | UnOpKind::PostDec => scope.replace(sign.span, "++"),
    }]
}
