//! Copies of expressions, to be added to the nodes of other transactions.

use super::exprs::{Expr, ExprId, Exprs};
use alloy_primitives::U256;

/// Maximum number of nodes of an expression that is copied.
const MOST_COPIED: usize = 32;

/// Node that was copied, and those that it is made of, each after its parts. Ids are those that they would have as the
/// first nodes of a transaction.
#[derive(Clone, Debug)]
pub(in crate::evm) struct CopiedExpr {
    root: ExprId,
    nodes: Box<[(U256, Expr)]>,
}

impl CopiedExpr {
    /// Returns the bytes that it owns.
    pub(in crate::evm) fn size(&self) -> usize {
        size_of_val(&*self.nodes)
    }
}

impl Exprs {
    /// Copies a node, and those that it is made of. Returns `None` if these are too many.
    pub(in crate::evm) fn copied(&self, id: ExprId) -> Option<CopiedExpr> {
        let mut nodes = Vec::new();
        let root = self.copy(id, MOST_COPIED, &mut nodes)?;
        Some(CopiedExpr { root, nodes: nodes.into() })
    }

    /// Copies a node of at most this depth.
    fn copy(&self, id: ExprId, depth: usize, copied: &mut Vec<(U256, Expr)>) -> Option<ExprId> {
        if id <= Self::CONSTANT_IDS {
            return Some(id);
        }
        let Some((word, node)) = self.get(id) else { return Some(0) };
        let depth = depth.checked_sub(1)?;
        let mut part = |id| self.copy(id, depth, copied);
        let node = match *node {
            Expr::IsZero(of, id) => Expr::IsZero(of, part(id)?),
            Expr::Not(id) => Expr::Not(part(id)?),
            Expr::And(left, right) => Expr::And(part(left)?, part(right)?),
            Expr::Or(left, right) => Expr::Or(part(left)?, part(right)?),
            Expr::Masked(id) => Expr::Masked(part(id)?),
            leaf => leaf,
        };
        copied.push((*word, node));
        (copied.len() <= MOST_COPIED).then_some(copied.len() as ExprId + Self::CONSTANT_IDS)
    }

    /// Adds a node that was copied, and returns its id.
    pub(in crate::evm) fn paste(&mut self, copied: &CopiedExpr) -> ExprId {
        let before = self.count as ExprId;
        let moved = |id| if id <= Self::CONSTANT_IDS { id } else { id + before };
        for (word, node) in &*copied.nodes {
            let node = match *node {
                Expr::IsZero(of, id) => Expr::IsZero(of, moved(id)),
                Expr::Not(id) => Expr::Not(moved(id)),
                Expr::And(left, right) => Expr::And(moved(left), moved(right)),
                Expr::Or(left, right) => Expr::Or(moved(left), moved(right)),
                Expr::Masked(id) => Expr::Masked(moved(id)),
                leaf => leaf,
            };
            self.push(*word, node);
        }
        moved(copied.root)
    }
}
