//! Arithmetic without the checks for overflows.

use super::{Node, member_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, Expr, ExprKind, Stmt, StmtKind, UnOpKind, visit::Visit};
use std::ops::ControlFlow;

/// Operations that can overflow in one direction.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub(super) binary: &'static [BinOpKind],
    pub(super) unary: &'static [UnOpKind],
    /// Functions of SafeMath with the signs of what they check.
    pub(super) functions: &'static [(&'static str, &'static str)],
}

/// Returns the statement without checks if its arithmetic goes in this direction. Before Solidity 0.8 the compiler has
/// no checks; then calls of SafeMath lose theirs.
pub(super) fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>, direction: Direction) -> Vec<Edit> {
    match node {
        Node::Statement(place) if scope.has_checks && !scope.is_unchecked => {
            let statement = place.statement();
            let has = OperationFinder(direction).visit_stmt(statement).is_break();
            let text = has.then(|| without_checks(statement, scope)).flatten();
            text.map(|text| scope.replace_statement(statement, text)).into_iter().collect()
        }
        Node::Expression(expression) => {
            let Some((left, name, arguments)) = member_call(expression) else { return Vec::new() };
            let [right] = arguments[..] else { return Vec::new() };
            let sign = direction.functions.iter().find(|(function, _)| *function == name);
            let text = |(_, sign): &(_, &str)| {
                format!("({} {sign} {})", scope.text(left.span), scope.text(right.span))
            };
            sign.map(|sign| scope.replace(expression.span, text(sign))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the text of a statement in an unchecked block. A declaration stays outside of it.
fn without_checks(statement: &Stmt<'_>, scope: &NodeScope<'_, '_>) -> Option<String> {
    let text = scope.slice(scope.statement_range(statement));
    match &statement.kind {
        StmtKind::Expr(_) | StmtKind::Return(Some(_)) => Some(format!("unchecked {{ {text} }}")),
        StmtKind::DeclSingle(variable) => {
            let (name, value) = (variable.name?, variable.initializer.as_ref()?);
            let declared = text.split_once('=')?.0.trim_end();
            Some(format!("{declared}; unchecked {{ {name} = {}; }}", scope.text(value.span)))
        }
        _ => None,
    }
}

/// Finds an operation of a direction.
struct OperationFinder(Direction);

impl<'a> Visit<'a> for OperationFinder {
    type BreakValue = ();

    fn visit_expr(&mut self, expression: &'a Expr<'a>) -> ControlFlow<()> {
        let has = match &expression.kind {
            ExprKind::Binary(_, sign, _) | ExprKind::Assign(_, Some(sign), _) => {
                self.0.binary.contains(&sign.kind)
            }
            ExprKind::Unary(sign, _) => self.0.unary.contains(&sign.kind),
            _ => false,
        };
        if has { ControlFlow::Break(()) } else { self.walk_expr(expression) }
    }
}
