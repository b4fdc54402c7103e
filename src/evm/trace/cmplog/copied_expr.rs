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

impl Expr {
    /// Returns the expression with other nodes in place of its parts. Returns `None` if `part` does for one of them.
    fn with_parts(self, mut part: impl FnMut(ExprId) -> Option<ExprId>) -> Option<Self> {
        Some(match self {
            Self::IsZero(of, id) => Self::IsZero(of, part(id)?),
            Self::Not(id) => Self::Not(part(id)?),
            Self::And(left, right) => Self::And(part(left)?, part(right)?),
            Self::Or(left, right) => Self::Or(part(left)?, part(right)?),
            Self::Masked(id) => Self::Masked(part(id)?),
            leaf => leaf,
        })
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
        let node = node.with_parts(|id| self.copy(id, depth, copied))?;
        copied.push((*word, node));
        (copied.len() <= MOST_COPIED).then_some(copied.len() as ExprId + Self::CONSTANT_IDS)
    }

    /// Adds a node that was copied, and returns its id.
    pub(in crate::evm) fn paste(&mut self, copied: &CopiedExpr) -> ExprId {
        let before = self.count as ExprId;
        let moved = |id| if id <= Self::CONSTANT_IDS { id } else { id + before };
        for (word, node) in &*copied.nodes {
            if let Some(node) = node.with_parts(|id| Some(moved(id))) {
                self.push(*word, node);
            }
        }
        moved(copied.root)
    }
}
