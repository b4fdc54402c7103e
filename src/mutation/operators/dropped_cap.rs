//! A minimum or maximum without its cap.

use super::{MutationOperator, Node, member_call, named_call};
use crate::mutation::scope::{Edit, NodeScope};

pub(super) const OPERATOR: MutationOperator = MutationOperator {
    id: "dropped-cap",
    reason: "A cap matters only in the states that reach it; few tests go there.",
    apply,
};

fn apply(node: Node<'_>, scope: &NodeScope<'_, '_>) -> Vec<Edit> {
    let Node::Expression(expression) = node else { return Vec::new() };
    let arguments = match (named_call(expression), member_call(expression)) {
        (Some(("min" | "max", arguments)), _) => arguments,
        (_, Some((receiver, "min" | "max", mut arguments))) => {
            // `a.min(b)` has one argument, and `Math.min(a, b)` two.
            if arguments.len() == 1 {
                arguments.insert(0, receiver);
            }
            arguments
        }
        _ => return Vec::new(),
    };
    let [first, second] = arguments[..] else { return Vec::new() };
    [first, second].map(|kept| scope.replace(expression.span, scope.text(kept.span))).into()
}
