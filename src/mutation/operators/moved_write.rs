//! A state write that comes after the next statement.

use super::{MutationOperator, Node};
use crate::mutation::scope::{Edit, NodeScope, variable, written};
use solar::ast::{Expr, ExprKind, Stmt, StmtKind, visit::Visit};
use std::ops::ControlFlow;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "moved-write",
    reason: "What the next statement reads is then still the old value: a checkpoint that is set too late.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Statement(place) = node else { return Vec::new() };
    let Some(next) = place.next().filter(|_| scope.writes_state(place.statement())) else {
        return Vec::new();
    };
    // Behind a return it would be a dropped write.
    if matches!(next.kind, StmtKind::Return(_) | StmtKind::Revert(..) | StmtKind::Break | StmtKind::Continue)
    {
        return Vec::new();
    }
    if !can_differ(place.statement(), next) {
        return Vec::new();
    }
    let [first, second] = [place.statement(), next].map(|statement| scope.statement_range(statement));
    let between = scope.slice(first.end..second.start);
    let replacement = [scope.slice(second.clone()), between, scope.slice(first.clone())].concat();
    vec![Edit { range: first.start..second.end, replacement }]
}

/// Tells whether a statement can do something else before a write than after it. An event, the declaration of a local
/// variable or the write of another one does the same unless a function is called, or one reads what the other writes.
fn can_differ<'a>(write: &'a Stmt<'a>, next: &'a Stmt<'a>) -> bool {
    struct ReadFinder<'a>(Option<&'a str>);
    impl<'a> Visit<'a> for ReadFinder<'a> {
        type BreakValue = ();

        fn visit_expr(&mut self, expression: &'a Expr<'a>) -> ControlFlow<()> {
            let may_read = match &expression.kind {
                // A conversion, such as `address(0)`, is no call.
                ExprKind::Call(callee, _) => !matches!(callee.kind, ExprKind::Type(_)),
                ExprKind::CallOptions(..) => true,
                ExprKind::Ident(name) => self.0 == Some(name.as_str()),
                _ => false,
            };
            if may_read { ControlFlow::Break(()) } else { self.walk_expr(expression) }
        }
    }
    let is_read_only =
        matches!(next.kind, StmtKind::Emit(..) | StmtKind::DeclSingle(_) | StmtKind::DeclMulti(..));
    let after = written(next).and_then(variable);
    let reads = |of, statement: &'a Stmt<'a>| ReadFinder(of).visit_stmt(statement).is_break();
    !is_read_only && after.is_none()
        || reads(written(write).and_then(variable), next)
        || after.is_some() && reads(after, write)
}
