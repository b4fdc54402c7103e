//! A state write that comes after the call that it should protect.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{Expr, ExprKind, Stmt, visit::Visit};
use std::ops::ControlFlow;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "reentrancy",
    reason: "A callee that calls back must find the books up to date.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    let statement = place.statement();
    if !scope.writes_state(statement) {
        return Vec::new();
    }
    let later = &place.block[place.index + 1..];
    let Some(call) = later.iter().find(|statement| calls_out(statement)) else { return Vec::new() };
    let (write, until) = (scope.statement_range(statement), scope.statement_range(call));
    let between = scope.slice(write.end..until.end).trim_start();
    let replacement = format!("{between} {}", scope.slice(write.clone()));
    vec![Edit { range: write.start..until.end, replacement }]
}

/// Tells whether a statement hands control to another account: by a low-level call, a payment, or a transfer of tokens.
fn calls_out<'a>(statement: &'a Stmt<'a>) -> bool {
    struct CallFinder;
    impl<'a> Visit<'a> for CallFinder {
        type BreakValue = ();

        fn visit_expr(&mut self, expression: &'a Expr<'a>) -> ControlFlow<()> {
            if let ExprKind::Member(_, name) = &expression.kind
                && [
                    "call",
                    "send",
                    "transfer",
                    "sendValue",
                    "safeTransfer",
                    "transferFrom",
                    "safeTransferFrom",
                ]
                .contains(&name.as_str())
            {
                return ControlFlow::Break(());
            }
            self.walk_expr(expression)
        }
    }
    CallFinder.visit_stmt(statement).is_break()
}
