//! A divisor that is zero.

use super::{MutationOperator, Node, assignment::is_integer, operation};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, ExprKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "division-by-zero",
    reason: "A division that always fails stops what depends on it; a suite that never divides does not notice.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Some((sign, dividend, divisor)) = operation(node) else { return Vec::new() };
    if !matches!(sign.kind, BinOpKind::Div | BinOpKind::Rem) {
        return Vec::new();
    }
    let text = scope.text(divisor.span);
    // The compiler rejects a division by a constant that is zero.
    let is_constant = match &divisor.peel_parens().kind {
        ExprKind::Lit(..) => true,
        ExprKind::Ident(_) => scope.type_of(divisor).is_none(),
        _ => false,
    };
    let kind = || scope.type_of(dividend).filter(|kind| is_integer(kind)).unwrap_or("uint256");
    let zero = if is_constant { format!("{}(0)", kind()) } else { format!("({text} - {text})") };
    vec![scope.replace(divisor.span, zero)]
}
