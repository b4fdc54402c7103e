//! Path of a sequence with the conditions of its decisions.

use crate::model::{ExpressionId, Expressions};

/// Decision of a conditional jump, an assertion or an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathDecision {
    /// Word that was compared with zero.
    pub condition: ExpressionId,
    /// True if the word was not zero.
    pub holds: bool,
}

/// Decisions of a sequence that depend on its inputs, in the order in which they were made. The other outcome of the
/// last of some decisions, together with the outcomes of those before it, is the condition of another path.
#[derive(Clone, Debug, Default)]
pub struct SymbolicPath {
    /// Expressions of the conditions.
    pub expressions: Expressions,
    /// All decisions.
    pub decisions: Vec<PathDecision>,
    /// Indices of the decisions about the edge that was asked for.
    pub targets: Vec<usize>,
}
