//! `&&` in place of `||`, and the other way round.

use super::{MutationOperator, Node, replaced_sign};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::BinOpKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "logical",
    reason: "Conditions that must all hold become alternatives, and alternatives become a conjunction.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    replaced_sign(node, scope, |sign| match sign {
        BinOpKind::And => Some("||"),
        BinOpKind::Or => Some("&&"),
        _ => None,
    })
}
