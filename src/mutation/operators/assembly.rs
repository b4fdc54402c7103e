//! Another instruction in inline assembly.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::yul::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "assembly",
    reason: "The compiler checks nothing in assembly, so that tests must.",
    apply,
};

/// Instructions with those that take their places.
const OTHERS: [(&str, &str); 18] = [
    ("add", "sub"),
    ("sub", "add"),
    ("mul", "div"),
    ("div", "mul"),
    ("sdiv", "mul"),
    ("mod", "div"),
    ("addmod", "mulmod"),
    ("mulmod", "addmod"),
    ("lt", "gt"),
    ("gt", "lt"),
    ("slt", "sgt"),
    ("sgt", "slt"),
    ("and", "or"),
    ("or", "and"),
    ("xor", "and"),
    ("shl", "shr"),
    ("shr", "shl"),
    ("sar", "shl"),
];

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Assembly(expression) = node else { return Vec::new() };
    let ExprKind::Call(call) = &expression.kind else { return Vec::new() };
    if let ("iszero", [argument]) = (call.name.as_str(), &call.arguments[..]) {
        return vec![scope.replace(expression.span, scope.text(argument.span))];
    }
    let other = OTHERS.iter().find(|(name, _)| *name == call.name.as_str());
    other.map(|(_, other)| scope.replace(call.name.span, *other)).into_iter().collect()
}
