//! An event that is not logged.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::StmtKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "dropped-event",
    reason: "Indexers and front ends know only what is logged.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    let is_event = matches!(place.statement().kind, StmtKind::Emit(..));
    is_event.then(|| scope.drop_statement(place.statement())).into_iter().collect()
}
