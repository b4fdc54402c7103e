//! A state write that comes after the next statement.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::StmtKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "moved-write",
    reason: "What the next statement reads is then still the old value: a checkpoint that is set too late.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    let Some(next) = place.next().filter(|_| scope.writes_state(place.statement())) else {
        return Vec::new();
    };
    // Behind a return it would be a dropped write.
    if matches!(next.kind, StmtKind::Return(_) | StmtKind::Revert(..) | StmtKind::Break | StmtKind::Continue)
    {
        return Vec::new();
    }
    let [first, second] = [place.statement(), next].map(|statement| scope.statement_range(statement));
    let between = scope.slice(first.end..second.start);
    let replacement = [scope.slice(second.clone()), between, scope.slice(first.clone())].concat();
    vec![Edit { range: first.start..second.end, replacement }]
}
