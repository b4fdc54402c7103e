//! Another operation on bits, and a product in place of a power.

use super::{MutationOperator, Node, replaced_sign};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::BinOpKind;

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "binary-op",
    reason: "Masks and shifts pack several values in a word; a wrong one mixes them up.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    replaced_sign(node, scope, |sign| match sign {
        BinOpKind::BitAnd => Some("|"),
        BinOpKind::BitOr | BinOpKind::BitXor => Some("&"),
        BinOpKind::Shl => Some(">>"),
        BinOpKind::Shr | BinOpKind::Sar => Some("<<"),
        BinOpKind::Pow => Some("*"),
        _ => None,
    })
}
