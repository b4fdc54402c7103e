//! Two neighbouring arguments of a call that are swapped.

use super::{MutationOperator, Node, assignment::is_integer, named_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{CallArgsKind, Expr, ExprKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "swapped-arguments",
    reason: "Sender and receiver, amount and limit have the same types; the compiler cannot tell them apart.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    let ExprKind::Call(callee, arguments) = &expression.kind else { return Vec::new() };
    let CallArgsKind::Unnamed(arguments) = &arguments.kind else { return Vec::new() };
    let is_check = matches!(named_call(expression), Some(("require" | "assert" | "revert", _)));
    if is_check || matches!(callee.kind, ExprKind::Type(_)) {
        return Vec::new();
    }
    let pairs = arguments.windows(2).filter_map(|pair| {
        // The types of other expressions are not known.
        let kinds = [0, 1].map(|index| kind(pair[index], scope));
        let is_known_to_differ = matches!(kinds, [Some(first), Some(second)] if first != second);
        let [first, second] = [0, 1].map(|index| scope.range(pair[index].span));
        let texts = [&first, &second].map(|range| scope.slice(range.clone()));
        if is_known_to_differ || texts[0] == texts[1] {
            return None;
        }
        let between = scope.slice(first.end..second.start);
        Some(Edit { range: first.start..second.end, replacement: [texts[1], between, texts[0]].concat() })
    });
    pairs.collect()
}

/// Returns the type of an expression, if it is known. All integers have the same.
fn kind<'s>(expression: &Expr<'_>, scope: &'s NodeScope<'_, '_>) -> Option<&'s str> {
    if scope.text(expression.span).starts_with(|first: char| first.is_ascii_digit()) {
        return Some("number");
    }
    scope.type_of(expression).map(|kind| if is_integer(kind) { "number" } else { kind })
}
