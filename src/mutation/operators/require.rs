//! A check that is left out.

use super::{MutationOperator, Node, guard};
use crate::mutation::scope::{Edit, NodeScope};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "require",
    reason: "A check that no test needs is a check that can be lost.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    guard(place.statement()).map(|_| scope.drop_statement(place.statement())).into_iter().collect()
}
