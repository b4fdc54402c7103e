//! A check that also depends on the time of the block.

use super::{MutationOperator, Node, guard, named_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{StateMutability, StmtKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "timestamp",
    reason: "Who makes the block chooses its time within limits; what is allowed must not depend on it.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    // A pure function cannot read the block.
    if scope.function.is_some_and(|function| function.header.state_mutability() == StateMutability::Pure) {
        return Vec::new();
    }
    let statement = place.statement();
    let is_call = matches!(&statement.kind, StmtKind::Expr(call) if named_call(call).is_some());
    // A requirement may fail then, and so may what reverts.
    let (condition, sign, parity) = match (&statement.kind, guard(statement)) {
        (_, Some(condition)) if is_call => (condition, "&&", "== 0"),
        (_, Some(condition)) => (condition, "||", "!= 0"),
        (StmtKind::If(condition, ..), None) => (&**condition, "&&", "== 0"),
        _ => return Vec::new(),
    };
    let text = scope.text(condition.span);
    vec![scope.replace(condition.span, format!("({text}) {sign} block.timestamp % 2 {parity}"))]
}
