//! Differences that can wrap around.

use super::{
    MutationOperator, Node,
    unchecked::{self, Direction},
};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, UnOpKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "integer-underflow",
    reason: "A difference below zero wraps around to a huge number that nobody checks.",
    apply,
};

const DOWN: Direction = Direction {
    binary: &[BinOpKind::Sub],
    unary: &[UnOpKind::PreDec, UnOpKind::PostDec, UnOpKind::Neg],
    functions: &[("sub", "-")],
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    unchecked::apply(node, scope, DOWN)
}
