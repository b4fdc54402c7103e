//! Mutation operators: a file and a line of the table for each.
//!
//! The first eleven are those of Akca, Peng and Rajan (ESEM 2021, section 3.3), the next seven have the names that they
//! have in Forge 1.8, and the rest change what audits find wrong.

mod arithmetic;
mod assembly;
mod assignment;
mod binary_op;
mod delete_expression;
mod division_by_zero;
mod dropped_cap;
mod dropped_event;
mod dropped_modifier;
mod dropped_write;
mod elim_delegate;
mod integer_overflow;
mod integer_underflow;
mod logical;
mod moved_write;
mod off_by_one;
mod reentrancy;
mod relational;
mod repeated_call;
mod require;
mod rounding;
mod swapped_arguments;
mod timestamp;
mod tx_origin;
mod unary_op;
mod unchecked;
mod unchecked_send;
mod wrong_index;

use super::scope::{Edit, NodeScope, StatementPlace};
use solar::ast::{BinOp, BinOpKind, Expr, ExprKind, ItemFunction, Stmt, StmtKind, yul};

/// Part of the syntax tree that operators are shown.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Expression(&'a Expr<'a>),
    Statement(StatementPlace<'a>),
    Function(&'a ItemFunction<'a>),
    /// Expression of inline assembly.
    Assembly(&'a yul::Expr<'a>),
}

/// A kind of change.
pub struct MutationOperator {
    /// Name in options and reports.
    pub id: &'static str,
    /// Why a suite should notice such a change, in a sentence.
    pub reason: &'static str,
    /// Returns the changes of a node.
    pub(super) apply: fn(Node<'_>, &NodeScope<'_, '_>) -> Vec<Edit>,
}

/// All operators.
pub const OPERATORS: [&MutationOperator; 27] = [
    &integer_overflow::OPERATOR,
    &integer_underflow::OPERATOR,
    &division_by_zero::OPERATOR,
    &timestamp::OPERATOR,
    &tx_origin::OPERATOR,
    &unchecked_send::OPERATOR,
    &repeated_call::OPERATOR,
    &relational::OPERATOR,
    &logical::OPERATOR,
    &arithmetic::OPERATOR,
    &reentrancy::OPERATOR,
    &assembly::OPERATOR,
    &assignment::OPERATOR,
    &binary_op::OPERATOR,
    &delete_expression::OPERATOR,
    &elim_delegate::OPERATOR,
    &require::OPERATOR,
    &unary_op::OPERATOR,
    &off_by_one::OPERATOR,
    &rounding::OPERATOR,
    &swapped_arguments::OPERATOR,
    &dropped_modifier::OPERATOR,
    &dropped_write::OPERATOR,
    &moved_write::OPERATOR,
    &wrong_index::OPERATOR,
    &dropped_event::OPERATOR,
    &dropped_cap::OPERATOR,
];

/// Returns the operator with this id.
#[must_use]
pub fn operator(id: &str) -> Option<&'static MutationOperator> {
    OPERATORS.into_iter().find(|operator| operator.id == id)
}

/// Returns the operator sign of a binary operation or of a compound assignment, and its operands.
fn operation<'a>(node: Node<'a>) -> Option<(BinOp, &'a Expr<'a>, &'a Expr<'a>)> {
    let Node::Expression(expression) = node else { return None };
    match &expression.kind {
        ExprKind::Binary(left, sign, right) | ExprKind::Assign(left, Some(sign), right) => {
            Some((*sign, left, right))
        }
        _ => None,
    }
}

/// Replaces the sign of a binary operation or of a compound assignment by that which `other` returns.
fn replaced_sign(
    node: Node<'_>,
    scope: &NodeScope<'_, '_>,
    other: fn(BinOpKind) -> Option<&'static str>,
) -> Vec<Edit> {
    let replaced = operation(node).and_then(|(sign, ..)| {
        let end = if scope.text(sign.span).ends_with('=') && is_assignable(sign) { "=" } else { "" };
        Some(scope.replace(sign.span, format!("{}{end}", other(sign.kind)?)))
    });
    replaced.into_iter().collect()
}

/// True for signs that a compound assignment can have. Comparisons end with `=`, too.
fn is_assignable(sign: BinOp) -> bool {
    sign.kind.assignable()
}

/// Returns the name of the function that an expression calls without a receiver, and the arguments.
fn named_call<'a>(expression: &'a Expr<'a>) -> Option<(&'a str, Vec<&'a Expr<'a>>)> {
    let ExprKind::Call(callee, arguments) = &expression.kind else { return None };
    let ExprKind::Ident(name) = &callee.kind else { return None };
    Some((name.as_str(), arguments.exprs().collect()))
}

/// Returns the receiver, the name and the arguments of a call `receiver.name(...)` or `receiver.name{...}(...)`.
fn member_call<'a>(expression: &'a Expr<'a>) -> Option<(&'a Expr<'a>, &'a str, Vec<&'a Expr<'a>>)> {
    let ExprKind::Call(callee, arguments) = &expression.kind else { return None };
    let callee = match &callee.kind {
        ExprKind::CallOptions(callee, _) => callee,
        _ => callee,
    };
    let ExprKind::Member(receiver, name) = &callee.kind else { return None };
    Some((receiver, name.as_str(), arguments.exprs().collect()))
}

/// Returns the condition of a statement that reverts: of `require(...)`, or of `if (...) revert` without `else`.
fn guard<'a>(statement: &'a Stmt<'a>) -> Option<&'a Expr<'a>> {
    match &statement.kind {
        StmtKind::Expr(expression) => match named_call(expression)? {
            ("require" | "assert", arguments) => arguments.first().copied(),
            _ => None,
        },
        StmtKind::If(condition, then, None) => reverts(then).then_some(&**condition),
        _ => None,
    }
}

/// Tells whether all that a statement does is to revert.
fn reverts<'a>(statement: &'a Stmt<'a>) -> bool {
    match &statement.kind {
        StmtKind::Revert(..) => true,
        StmtKind::Expr(expression) => named_call(expression).is_some_and(|(name, _)| name == "revert"),
        StmtKind::Block(block) => matches!(&block[..], [single] if reverts(single)),
        _ => false,
    }
}

/// Returns the expression of an expression statement.
fn alone<'a>(node: Node<'a>) -> Option<(StatementPlace<'a>, &'a Expr<'a>)> {
    let Node::Statement(place) = node else { return None };
    match &place.statement().kind {
        StmtKind::Expr(expression) => Some((place, expression)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
