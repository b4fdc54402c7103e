//! Two neighbouring arguments of a call that are swapped.

use super::{MutationOperator, Node, assignment::is_integer, named_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, CallArgsKind, Expr, ExprKind};

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
    let is_symmetric = name(callee).is_some_and(is_symmetric);
    let pairs = arguments.windows(2).skip(usize::from(is_symmetric)).filter_map(|pair| {
        let [first, second] = [0, 1].map(|index| kind(pair[index], scope));
        if first.is_none() || first != second {
            return None;
        }
        let [first, second] = [0, 1].map(|index| scope.range(pair[index].span));
        let texts = [&first, &second].map(|range| scope.slice(range.clone()));
        if texts[0] == texts[1] {
            return None;
        }
        let between = scope.slice(first.end..second.start);
        Some(Edit { range: first.start..second.end, replacement: [texts[1], between, texts[0]].concat() })
    });
    pairs.collect()
}

/// Tells whether the result of an operation is a boolean.
fn is_condition(sign: BinOpKind) -> bool {
    use BinOpKind::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(sign, Lt | Le | Gt | Ge | Eq | Ne | And | Or)
}

/// Returns the name of a function that is called.
fn name<'s>(callee: &'s Expr<'_>) -> Option<&'s str> {
    match &callee.kind {
        ExprKind::Ident(name) | ExprKind::Member(_, name) => Some(name.as_str()),
        ExprKind::CallOptions(callee, _) => name(callee),
        _ => None,
    }
}

/// Tells whether a function with this name usually does the same if its first two arguments are swapped.
fn is_symmetric(name: &str) -> bool {
    ["add", "average", "max", "min", "mul"].iter().any(|start| name.starts_with(start))
}

/// Returns the type of an expression, if it is known. All integers have the same.
fn kind<'s>(expression: &'s Expr<'_>, scope: &'s NodeScope<'_, '_>) -> Option<&'s str> {
    let known = match &expression.peel_parens().kind {
        ExprKind::Lit(..)
            if scope.text(expression.span).starts_with(|first: char| first.is_ascii_digit()) =>
        {
            Some("number")
        }
        ExprKind::Binary(_, sign, _) if !is_condition(sign.kind) => Some("number"),
        ExprKind::Member(..) => match scope.text(expression.span) {
            "msg.sender" | "tx.origin" => Some("address"),
            "msg.value" | "block.timestamp" | "block.number" => Some("number"),
            _ => None,
        },
        ExprKind::Call(callee, _) if matches!(callee.kind, ExprKind::Type(_)) => {
            Some(scope.text(callee.span))
        }
        _ => scope.type_of(expression),
    };
    known.map(|kind| if is_integer(kind) { "number" } else { kind })
}
