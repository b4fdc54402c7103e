//! A modifier that a function has no more.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::FunctionKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "dropped-modifier",
    reason: "A function without its guard is open to everybody, at any time, and to callbacks.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Function(function) = node else { return Vec::new() };
    // Constructors call those of their bases in the same way.
    if function.kind == FunctionKind::Constructor || function.body.is_none() {
        return Vec::new();
    }
    function.header.modifiers.iter().map(|modifier| scope.replace(modifier.span(), "")).collect()
}
