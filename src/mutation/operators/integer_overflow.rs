//! Sums and products that can wrap around.

use super::{
    MutationOperator, Node,
    unchecked::{self, Direction},
};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, UnOpKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "integer-overflow",
    reason: "A sum or a product beyond its type wraps around to a small number that nobody checks.",
    apply,
};

const UP: Direction = Direction {
    binary: &[BinOpKind::Add, BinOpKind::Mul, BinOpKind::Pow],
    unary: &[UnOpKind::PreInc, UnOpKind::PostInc],
    functions: &[("add", "+"), ("mul", "*")],
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    unchecked::apply(node, scope, UP)
}
