//! A `call` in place of a `delegatecall`.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "elim-delegate",
    reason: "Code that should work on the caller's storage works on its own.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    match &expression.kind {
        ExprKind::Member(_, name) if name.as_str() == "delegatecall" => {
            vec![scope.replace(name.span, "call")]
        }
        _ => Vec::new(),
    }
}
