//! Another arithmetic operation.

use super::{MutationOperator, Node, replaced_sign};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::BinOpKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "arithmetic",
    reason: "Amounts that are computed wrongly should break the books.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    replaced_sign(node, scope, |sign| match sign {
        BinOpKind::Add => Some("-"),
        BinOpKind::Sub => Some("+"),
        BinOpKind::Mul | BinOpKind::Rem => Some("/"),
        BinOpKind::Div => Some("*"),
        _ => None,
    })
}
