//! A `delete` that is left out.

use super::{MutationOperator, Node, alone};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "delete-expression",
    reason: "What should have been deleted can be used again.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((place, expression)) = alone(node) else { return Vec::new() };
    let is_delete = matches!(expression.kind, ExprKind::Delete(_));
    is_delete.then(|| scope.drop_statement(place.statement())).into_iter().collect()
}
