//! Rounding in the other direction.

use super::{MutationOperator, Node, member_call, named_call};
use crate::mutation::scope::{Edit, NodeScope};
use solar::ast::{BinOpKind, Expr, ExprKind};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "rounding",
    reason: "Whoever gains from the rounding of a share can repeat it; it must be for the protocol's benefit.",
    apply,
};

/// Names that are for one direction, with those for the other.
const NAMES: [(&str, &str); 16] = [
    ("mulDivDown", "mulDivUp"),
    ("mulDivUp", "mulDivDown"),
    ("mulWadDown", "mulWadUp"),
    ("mulWadUp", "mulWadDown"),
    ("divWadDown", "divWadUp"),
    ("divWadUp", "divWadDown"),
    ("mulWad", "mulWadUp"),
    ("divWad", "divWadUp"),
    ("fullMulDiv", "fullMulDivUp"),
    ("fullMulDivUp", "fullMulDiv"),
    ("mulDivRoundingUp", "mulDiv"),
    ("Floor", "Ceil"),
    ("Ceil", "Floor"),
    ("Down", "Up"),
    ("Up", "Down"),
    ("floor", "ceil"),
];

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    match &expression.kind {
        ExprKind::Member(_, name) | ExprKind::Ident(name) => {
            let other = NAMES.iter().find(|(known, _)| *known == name.as_str());
            other.map(|(_, other)| scope.replace(name.span, *other)).into_iter().collect()
        }
        ExprKind::Call(..) => {
            let arguments = match (named_call(expression), member_call(expression)) {
                (Some(("ceilDiv", arguments)), _) | (_, Some((_, "ceilDiv", arguments))) => arguments,
                _ => return Vec::new(),
            };
            let [left, right] = arguments[..] else { return Vec::new() };
            let text = format!("({} / {})", scope.text(left.span), scope.text(right.span));
            vec![scope.replace(expression.span, text)]
        }
        ExprKind::Binary(left, sign, right) if sign.kind == BinOpKind::Div => {
            divided(left, right, scope).map(|text| scope.replace(expression.span, text)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a quotient that is rounded up in place of down, or down in place of up, if the dividend is a product or has
/// the divisor less one added.
fn divided(left: &Expr<'_>, right: &Expr<'_>, scope: &NodeScope<'_, '_>) -> Option<String> {
    let (dividend, divisor) = (scope.text(left.span), scope.text(right.span));
    let inner = left.peel_parens();
    let ExprKind::Binary(_, sign, _) = &inner.kind else { return None };
    if sign.kind == BinOpKind::Mul {
        return Some(format!("({dividend} + {divisor} - 1) / {divisor}"));
    }
    // `a + b - 1`, divided by `b`.
    let mut rest = scope.text(inner.span);
    for end in ["1", "-", divisor, "+"] {
        rest = rest.trim_end().strip_suffix(end)?;
    }
    Some(format!("{} / {divisor}", rest.trim_end()))
}
