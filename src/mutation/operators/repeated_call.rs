//! A call that is made twice.

use super::{MutationOperator, Node, alone, named_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "repeated-call",
    reason: "What is paid, minted or counted twice should show.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((place, expression)) = alone(node) else { return Vec::new() };
    let is_check = matches!(named_call(expression), Some(("require" | "assert" | "revert", _)));
    if is_check || !matches!(expression.kind, ExprKind::Call(..)) {
        return Vec::new();
    }
    let text = scope.slice(scope.statement_range(place.statement()));
    vec![scope.replace_statement(place.statement(), format!("{{ {text} {text} }}"))]
}
