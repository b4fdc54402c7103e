//! A payment whose failure is not noticed.

use super::{MutationOperator, Node, guard, member_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{Expr, ExprKind, StmtKind, UnOpKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "unchecked-send",
    reason: "A receiver can make a payment fail; then the books say that it was made.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    let statement = place.statement();
    if let Some(send) = guard(statement).and_then(send) {
        return vec![scope.replace_statement(statement, format!("{};", scope.text(send.span)))];
    }
    let StmtKind::Expr(expression) = &statement.kind else { return Vec::new() };
    // Tokens have a `transfer` with two arguments.
    let payment =
        member_call(expression).filter(|(_, name, arguments)| *name == "transfer" && arguments.len() == 1);
    let Some((receiver, _, arguments)) = payment else { return Vec::new() };
    let text = format!("{}.send({})", scope.text(receiver.span), scope.text(arguments[0].span));
    vec![scope.replace(expression.span, text)]
}

/// Returns the call of `send` that is a condition, or negated in one.
fn send<'a>(condition: &'a Expr<'a>) -> Option<&'a Expr<'a>> {
    let condition = condition.peel_parens();
    match &condition.kind {
        ExprKind::Unary(sign, inner) if sign.kind == UnOpKind::Not => send(inner),
        _ => member_call(condition).filter(|(_, name, _)| *name == "send").map(|_| condition),
    }
}
