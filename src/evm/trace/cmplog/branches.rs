//! Comparisons that decided the branches of a transaction, one per place.

use super::CmpSite;
use crate::model::branch::{Branch, BranchKind, BranchOutcome, EdgeId, Relation};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;

/// Maximum number of calls of one assertion or assumption that are distinguished.
const ORDINALS: u8 = 8;

/// Evaluation of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Evaluation {
    pub(super) kind: BranchKind,
    pub(super) relation: Relation,
    pub(super) left: U256,
    pub(super) right: U256,
    pub(super) edges: EdgePair,
    pub(super) branch_outcomes: [BranchOutcome; 2],
}

/// Edges at a place, for a relation that does not hold and one that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EdgePair {
    /// Edges of a JUMPI: true for the one that jumps.
    Jump([bool; 2]),
    /// Another decision there: its family, and its index in that.
    Other(u8, usize),
}

impl EdgePair {
    /// Returns the edges at a place.
    pub(super) fn at(self, place: CmpSite) -> [EdgeId; 2] {
        match self {
            Self::Jump(jumps) => jumps.map(|jumps| place.edge(jumps)),
            Self::Other(family, index) => place.edges_of(family, index),
        }
    }
}

/// Branches of one transaction.
#[derive(Clone, Debug, Default)]
pub(super) struct Branches {
    list: Vec<Branch>,
    /// Indices in `list` by the smaller of both edges.
    places: FxHashMap<EdgeId, usize>,
    /// Number of cheatcode calls by place.
    calls: FxHashMap<u64, u8>,
}

impl Branches {
    pub(super) fn reset(&mut self) {
        self.list.clear();
        self.places.clear();
        self.calls.clear();
    }

    /// Takes the comparisons, in a vector without spare capacity. The recording keeps its buffer.
    pub(super) fn take(&mut self) -> Vec<Branch> {
        self.list.drain(..).collect()
    }

    /// Returns the index of this call among those at the place, capped at a maximum, and counts it.
    pub(super) fn ordinal(&mut self, place: u64) -> u8 {
        let count = self.calls.entry(place).or_default();
        let ordinal = *count;
        *count = (*count + 1).min(ORDINALS - 1);
        ordinal
    }

    /// Records an evaluation with these edges. Of several at one place, it keeps the operands that are nearest to the
    /// other outcome.
    pub(super) fn record(&mut self, edges: [EdgeId; 2], seen: Evaluation) {
        let outcome = seen.relation.holds(seen.left, seen.right);
        let place = edges[0].min(edges[1]);
        let new = Branch {
            kind: seen.kind,
            relation: seen.relation,
            left: seen.left,
            right: seen.right,
            edges,
            taken: [!outcome, outcome],
            branch_outcomes: seen.branch_outcomes,
            preimages: None,
        };
        let Some(&index) = self.places.get(&place) else {
            self.places.insert(place, self.list.len());
            self.list.push(new);
            return;
        };
        let known = &mut self.list[index];
        let taken_edge = edges[usize::from(outcome)];
        let known_outcome = usize::from(known.edges[1] == taken_edge);
        let first_time = !known.taken[known_outcome];
        known.taken[known_outcome] = true;
        if first_time || known.missed().is_none() {
            return;
        }
        if new.cost() < known.cost() {
            let taken = if known.edges == new.edges { known.taken } else { [known.taken[1], known.taken[0]] };
            *known = Branch { taken, ..new };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(left: u64, right: u64) -> Evaluation {
        Evaluation {
            kind: BranchKind::Jump,
            relation: Relation::Less,
            left: U256::from(left),
            right: U256::from(right),
            edges: EdgePair::Jump([false, true]),
            branch_outcomes: [BranchOutcome::On; 2],
        }
    }

    #[test]
    fn of_a_loop_the_evaluation_nearest_to_the_other_outcome_is_kept() {
        let mut branches = Branches::default();
        for left in [1, 7, 4] {
            branches.record([1, 2], evaluation(left, 9));
        }
        let [branch] = &branches.take()[..] else { panic!("one place") };
        assert_eq!(
            (branch.left, branch.taken, branch.missed_edge()),
            (U256::from(7), [false, true], Some(1))
        );
    }

    #[test]
    fn both_outcomes_of_a_loop_add_up() {
        let mut branches = Branches::default();
        branches.record([1, 2], evaluation(1, 9));
        branches.record([1, 2], evaluation(9, 9));
        assert_eq!(branches.take()[0].taken, [true, true]);
    }

    #[test]
    fn one_place_may_decide_by_opposite_relations() {
        let mut branches = Branches::default();
        branches.record([1, 2], evaluation(1, 9));
        branches.record([2, 1], evaluation(9, 8));
        let branch = &branches.take()[0];
        assert_eq!((branch.left, branch.edges, branch.taken), (U256::from(9), [2, 1], [true, false]));
    }
}
