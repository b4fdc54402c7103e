//! Decomposition of a branch condition into the comparisons it depends on.

use super::exprs::{Expr, ExprId, Exprs, TaggedWord};
use crate::model::branch::Relation;
use alloy_primitives::U256;

/// Maximum number of comparisons in one condition, and of steps back from it. Words beyond these limits are
/// compared with zero.
const MOST_LEAVES: usize = 8;
const MOST_STEPS: usize = 12;

/// Purpose of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Decision of the program.
    Program,
    /// Comparison of the call value with zero.
    CallValue,
    /// Compiler-generated check.
    CompilerCheck,
}

/// Comparison that a condition depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) relation: Relation,
    pub(super) left: U256,
    pub(super) right: U256,
    pub(super) about: About,
}

impl Leaf {
    fn zero(word: U256, about: About) -> Self {
        Self { relation: Relation::Equal, left: word, right: U256::ZERO, about }
    }

    pub(super) fn holds(&self) -> bool {
        self.relation.holds(self.left, self.right)
    }
}

/// Term of a condition in postfix order.
#[derive(Clone, Copy, Debug)]
enum Term {
    Leaf(usize),
    Not,
    And,
    Or,
}

/// Condition, decomposed into comparisons.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    pub(super) leaves: Vec<Leaf>,
    /// Operations on the leaves, in postfix order.
    terms: Vec<Term>,
}

impl Condition {
    /// Decomposes a condition, which is true if the word is not zero. Discards the previous condition.
    pub(super) fn resolve(&mut self, exprs: &Exprs, condition: TaggedWord) {
        self.leaves.clear();
        self.terms.clear();
        self.visit(exprs, condition.node, condition.word, 0);
    }

    fn visit(&mut self, exprs: &Exprs, id: ExprId, word: U256, steps: usize) {
        let node = exprs.get(id).map(|(_, node)| *node);
        let child = |id: ExprId| exprs.get(id).map_or(U256::ZERO, |(result, _)| *result);
        let goes_on = steps < MOST_STEPS && self.leaves.len() + 1 < MOST_LEAVES;
        match node {
            Some(Expr::Compare(relation, left, right)) => {
                self.leaf(Leaf { relation, left, right, about: About::Program });
            }
            Some(Expr::Difference(left, right)) => {
                self.leaf(Leaf { relation: Relation::Equal, left, right, about: About::Program });
                self.terms.push(Term::Not);
            }
            Some(Expr::IsZero(word, of)) => {
                let about = about(exprs.get(of).map(|(_, node)| *node));
                self.leaf(Leaf::zero(word, about));
            }
            Some(Expr::Not(of)) if goes_on && exprs.get(of).is_some() => {
                self.visit(exprs, of, child(of), steps + 1);
                self.terms.push(Term::Not);
            }
            Some(Expr::And(a, b) | Expr::Or(a, b))
                if goes_on && exprs.get(a).is_some() && exprs.get(b).is_some() =>
            {
                self.visit(exprs, a, child(a), steps + 1);
                self.visit(exprs, b, child(b), steps + 1);
                self.terms.push(if matches!(node, Some(Expr::And(..))) { Term::And } else { Term::Or });
            }
            _ => {
                self.leaf(Leaf::zero(word, about(node)));
                self.terms.push(Term::Not);
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf) {
        self.terms.push(Term::Leaf(self.leaves.len()));
        self.leaves.push(leaf);
    }

    /// Evaluates the condition with another outcome of one leaf; all other leaves keep theirs.
    pub(super) fn with(&self, changed: usize, outcome: bool) -> bool {
        let mut stack = [false; 2 * MOST_LEAVES];
        let mut height = 0;
        for term in &self.terms {
            match *term {
                Term::Leaf(index) => {
                    stack[height] = if index == changed { outcome } else { self.leaves[index].holds() };
                    height += 1;
                }
                Term::Not => stack[height - 1] = !stack[height - 1],
                Term::And | Term::Or => {
                    height -= 1;
                    let (left, right) = (stack[height - 1], stack[height]);
                    stack[height - 1] = if matches!(term, Term::And) { left && right } else { left || right };
                }
            }
        }
        stack[0]
    }
}

fn about(node: Option<Expr>) -> About {
    match node {
        Some(Expr::CompilerCheck | Expr::HighBits | Expr::Constant) => About::CompilerCheck,
        Some(Expr::CallValue) => About::CallValue,
        _ => About::Program,
    }
}
