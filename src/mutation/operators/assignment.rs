//! Another value in an assignment.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::ExprKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "assignment",
    reason: "Whether a value is stored or its default should make a difference to somebody.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    let ExprKind::Assign(to, None, value) = &expression.kind else { return Vec::new() };
    let Some(kind) = scope.type_of(to) else { return Vec::new() };
    let text = scope.text(value.span);
    let other = match kind {
        "bool" => format!("!({text})"),
        "address" | "address payable" if text != "address(0)" => "payable(address(0))".to_owned(),
        _ if is_integer(kind) => if text == "0" { "1" } else { "0" }.to_owned(),
        _ if kind.starts_with("bytes") && kind != "bytes" && !kind.contains('[') => format!("{kind}(0)"),
        _ => return Vec::new(),
    };
    vec![scope.replace(value.span, other)]
}

/// Tells whether a type is one of integers.
pub(super) fn is_integer(kind: &str) -> bool {
    let bits = kind.strip_prefix("uint").or_else(|| kind.strip_prefix("int"));
    bits.is_some_and(|bits| bits.bytes().all(|digit| digit.is_ascii_digit()))
}
