//! The opposite of a comparison.

use super::{MutationOperator, Node, operation};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::BinOpKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "relational",
    reason: "A comparison decides who may do something, and when; its opposite lets the wrong ones through.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((sign, ..)) = operation(node) else { return Vec::new() };
    let opposite = match sign.kind {
        BinOpKind::Lt => ">=",
        BinOpKind::Le => ">",
        BinOpKind::Gt => "<=",
        BinOpKind::Ge => "<",
        BinOpKind::Eq => "!=",
        BinOpKind::Ne => "==",
        _ => return Vec::new(),
    };
    vec![scope.replace(sign.span, opposite)]
}
