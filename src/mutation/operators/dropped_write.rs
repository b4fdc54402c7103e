//! A state write that is left out.

use super::{MutationOperator, Node, alone};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "dropped-write",
    reason: "Books that are not updated, and checkpoints that are not set, are what invariants are for.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((place, expression)) = alone(node) else { return Vec::new() };
    // There is an operator for these.
    let is_delete = matches!(expression.kind, ExprKind::Delete(_));
    let drops = scope.writes_state(place.statement()) && !is_delete;
    drops.then(|| scope.drop_statement(place.statement())).into_iter().collect()
}
