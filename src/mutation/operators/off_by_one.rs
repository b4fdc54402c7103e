//! Bounds that are wrong by one.

use super::{MutationOperator, Node, operation};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, ExprKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "off-by-one",
    reason: "Deadlines, caps and loops are wrong by one more often than by much, and only the bound itself shows it.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((sign, left, right)) = operation(node) else { return Vec::new() };
    let near = match sign.kind {
        BinOpKind::Lt => "<=",
        BinOpKind::Le => "<",
        BinOpKind::Gt => ">=",
        BinOpKind::Ge => ">",
        BinOpKind::Add | BinOpKind::Sub => {
            // `x + 1` becomes `x`.
            let Node::Expression(whole) = node else { return Vec::new() };
            let is_one = matches!(whole.kind, ExprKind::Binary(..)) && scope.text(right.span) == "1";
            return is_one.then(|| scope.replace(whole.span, scope.text(left.span))).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    vec![scope.replace(sign.span, near)]
}
