//! Comparisons made by cheatcodes: assertions and assumptions.

use super::{CHEATCODES, CmpLog, CmpSite, EdgePair, Evaluation, MOST_LEAVES};
use crate::model::branch::{BranchKind, BranchOutcome, EdgeId, Relation};
use alloy_primitives::U256;

/// Comparison made by an assertion or assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheatcodeComparison {
    /// A relation of two words, and whether it is expected to hold.
    Relation(Relation, [ComparedWord; 2], bool),
    /// Index of an argument, its word, and whether it is expected to be true.
    Truth(usize, U256, bool),
}

/// Word that is compared, with the index of the argument that it is, if it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ComparedWord {
    pub(crate) word: U256,
    pub(crate) argument: Option<usize>,
}

impl CmpLog {
    /// Records the comparison of a cheatcode that is called at `place` by the frame at `depth`. Returns the edges that
    /// it decides about.
    pub(crate) fn comparison(
        &mut self,
        kind: BranchKind,
        place: CmpSite,
        depth: usize,
        comparison: CheatcodeComparison,
    ) -> impl Iterator<Item = EdgeId> + use<> {
        let failure =
            if kind == BranchKind::Assumption { BranchOutcome::Revert } else { BranchOutcome::Assert };
        let branch_outcome = |holds: bool| if holds { BranchOutcome::On } else { failure };
        // Calls at one place are distinguished, since all callers share forge-std's functions.
        let ordinal = self.branches.ordinal(place.edge(false));
        let edges = move |leaf: usize| EdgePair::Other(CHEATCODES + ordinal, leaf);
        match comparison {
            CheatcodeComparison::Relation(relation, [left, right], wanted) => {
                let branch_outcomes = [branch_outcome(!wanted), branch_outcome(wanted)];
                let seen = Evaluation {
                    kind,
                    relation,
                    left: left.word,
                    right: right.word,
                    edges: edges(0),
                    branch_outcomes,
                };
                self.record(place, seen);
            }
            CheatcodeComparison::Truth(argument, word, wanted) => {
                let operand = self.argument(depth, argument, word);
                let mut condition = std::mem::take(&mut self.condition);
                condition.resolve(&self.exprs, operand);
                for (index, leaf) in condition.leaves.iter().enumerate() {
                    let seen = Evaluation {
                        kind,
                        relation: leaf.relation,
                        left: leaf.left,
                        right: leaf.right,
                        edges: edges(index),
                        branch_outcomes: [false, true]
                            .map(|outcome| branch_outcome(condition.with(index, outcome) == wanted)),
                    };
                    self.record(place, seen);
                }
                self.condition = condition;
            }
        }
        (0..MOST_LEAVES).flat_map(move |leaf| edges(leaf).at(place))
    }

    /// Returns an argument of the call that the frame makes, with its node if the caller's memory has a tag
    /// for it.
    fn argument(&self, depth: usize, index: usize, word: U256) -> super::TaggedWord {
        let tag = self
            .frames
            .get(depth)
            .map_or(0, |frame| frame.load(frame.arguments.saturating_add(4 + 32 * index)));
        super::TaggedWord { word, node: self.exprs.valid(tag, word) }
    }
}
