//! Branches that campaigns are stuck on.

use crate::model::{
    coverage::{Extent, Nearest, SourceCoverage},
    place::Place,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, btree_map::Entry},
    sync::Arc,
};

/// A branch that was reached and never passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Place of the condition.
    pub place: Place,
    /// Text of the condition in the source, on one line.
    pub condition: String,
    /// Comparison of the nearest execution.
    pub nearest: Nearest,
    /// Result that the condition never had, if the branch decides the whole condition.
    pub never: Option<bool>,
    /// Calls spent on it in vain since an execution last came nearer.
    pub tries: u64,
    /// Functions whose calls reached it, as in `Vault.deposit`.
    pub functions: BTreeSet<String>,
    /// Functions whose calls changed what it compares and reads from storage, as far as is known.
    pub writers: BTreeSet<String>,
    /// True if it also reads storage that no call changed, as far as is known.
    pub is_unwritten: bool,
    /// Statements behind it that nothing ran, with the path of their source.
    pub behind: BTreeSet<(Arc<str>, Extent)>,
    /// Changes that may help, the most helpful first; empty if nothing is known.
    pub needs: Vec<Need>,
}

impl Stuck {
    /// Returns the lines on which the statements behind it begin, those of its own source first.
    #[must_use]
    pub fn lines(&self) -> Vec<(&str, usize)> {
        let mut lines: Vec<_> = self.behind.iter().map(|(path, at)| (&**path, at.line)).collect();
        lines.dedup();
        lines.sort_by_key(|(path, line)| {
            let own = *path == self.place.path;
            (!own, own && *line < self.place.line, *path, *line)
        });
        lines
    }

    /// Adds the data of another campaign about the same branch.
    fn add(&mut self, other: &Self) {
        if other.nearest.distance < self.nearest.distance {
            (self.nearest, self.needs) = (other.nearest, other.needs.clone());
        }
        self.tries += other.tries;
        self.functions.extend(other.functions.iter().cloned());
        self.writers.extend(other.writers.iter().cloned());
        self.is_unwritten &= other.is_unwritten;
        self.never = self.never.filter(|never| other.never == Some(*never));
        self.behind.extend(other.behind.iter().cloned());
    }
}

/// Change that may pass a branch, by what its condition depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Another caller.
    Role,
    /// Another time or block.
    Time,
    /// The preimage of a hash, or the signed data.
    Hash,
    /// Ether sent or owned.
    Ether,
    /// Another result of a call to another contract.
    Call,
    /// Another argument.
    Value,
    /// Another state.
    State,
    /// Another deployment: the condition depends on nothing that a call can change.
    Deployment,
}

impl Need {
    /// Returns a stable lower-case name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Time => "time",
            Self::Hash => "hash",
            Self::Ether => "ether",
            Self::Call => "call",
            Self::Value => "value",
            Self::State => "state",
            Self::Deployment => "deployment",
        }
    }
}

/// Merges the stuck branches of several campaigns by place, and orders them by the statements that they
/// unlock. Statements that are in `covered` do not count. The first branch is the one with the most
/// statements behind it. Each next branch is the one with the most statements that no earlier branch unlocks,
/// and keeps only these. A branch without such statements is left out. Those that only another deployment passes come
/// last.
#[must_use]
pub fn stuck<'a>(all: impl Iterator<Item = &'a Stuck>, covered: &SourceCoverage) -> Vec<Stuck> {
    let mut places: BTreeMap<&Place, Stuck> = BTreeMap::new();
    for stuck in all {
        match places.entry(&stuck.place) {
            Entry::Vacant(entry) => drop(entry.insert(stuck.clone())),
            Entry::Occupied(entry) => entry.into_mut().add(stuck),
        }
    }
    let mut stuck: Vec<_> = places.into_values().collect();
    for stuck in &mut stuck {
        stuck.behind.retain(|(path, statement)| !covered.is_covered(path, statement));
    }
    // Gains only decrease. So a gain that is still the largest after it was recomputed is the largest of all.
    let mut open: BinaryHeap<_> =
        stuck.iter().enumerate().map(|(index, stuck)| (stuck.behind.len(), Reverse(index))).collect();
    let (mut order, mut unlocked) = (Vec::new(), BTreeSet::new());
    while let Some((_, Reverse(index))) = open.pop() {
        let gain = stuck[index].behind.difference(&unlocked).count();
        if gain == 0 {
            continue;
        }
        if open.peek().is_some_and(|next| *next > (gain, Reverse(index))) {
            open.push((gain, Reverse(index)));
            continue;
        }
        stuck[index].behind.retain(|statement| unlocked.insert(statement.clone()));
        order.push(index);
    }
    let mut ordered: Vec<_> = order.into_iter().map(|index| stuck[index].clone()).collect();
    ordered.sort_by_key(|stuck| stuck.needs == [Need::Deployment]);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Cost, FileCoverage, Looked, Relation};
    use alloy_primitives::U256;

    fn extent(line: usize) -> Extent {
        Extent { line, column: 1, last_line: line, last_column: 9 }
    }

    fn file(lines: &[(usize, bool)]) -> SourceCoverage {
        let statements = lines.iter().map(|(line, covered)| (extent(*line), *covered)).collect();
        let file = FileCoverage { statements, ..FileCoverage::default() };
        SourceCoverage {
            files: [("A.sol".into(), file)].into(),
            looked: Looked::Everywhere,
            ..SourceCoverage::default()
        }
    }

    fn missed(line: usize, distance: u64, behind: &[usize]) -> Stuck {
        Stuck {
            place: Place { path: "A.sol".into(), line, column: 5 },
            condition: "if (x == 7)".into(),
            nearest: Nearest {
                relation: Relation::Equal,
                left: U256::ZERO,
                right: U256::from(distance),
                wanted: true,
                distance: Cost::from(distance),
            },
            never: Some(true),
            tries: 10,
            writers: BTreeSet::new(),
            is_unwritten: false,
            functions: [format!("A.f{distance}")].into(),
            behind: behind.iter().map(|line| ("A.sol".into(), extent(*line))).collect(),
            needs: vec![Need::Value],
        }
    }

    #[test]
    fn what_one_campaign_covers_another_is_not_stuck_on() {
        let mut covered = file(&[(1, true), (2, false), (3, false), (8, false), (9, false)]);
        covered.add(file(&[(2, true), (3, false)]));
        assert_eq!(covered.files["A.sol"].counts().statements, (2, 5));
        let all = [missed(4, 7, &[2, 3]), missed(5, 5, &[2]), missed(6, 9, &[8]), missed(6, 3, &[8, 9])];
        let left = stuck(all.iter(), &covered);
        let shown: Vec<_> =
            left.iter().map(|stuck| (stuck.place.line, stuck.behind.len(), stuck.tries)).collect();
        assert_eq!(shown, [(6, 2, 20), (4, 1, 10)]);
        assert_eq!(left[0].nearest.distance, Cost::from(3));
        assert_eq!(left[0].functions.len(), 2);
    }

    #[test]
    fn guards_of_the_same_code_are_one_and_what_else_is_locked_comes_next() {
        let helper: Vec<usize> = (100..400).collect();
        let mut all: Vec<_> = (0..1000).map(|guard| missed(guard, 5, &helper)).collect();
        all.push(missed(2000, 5, &[401, 402]));
        let left = stuck(all.iter(), &SourceCoverage::default());
        let shown: Vec<_> = left.iter().map(|stuck| (stuck.place.line, stuck.behind.len())).collect();
        assert_eq!(shown, [(0, 300), (2000, 2)]);
    }

    #[test]
    fn what_lies_behind_two_branches_is_told_of_one() {
        let left =
            stuck([missed(1, 5, &[5, 6, 7]), missed(2, 5, &[6, 7, 8])].iter(), &SourceCoverage::default());
        let shown: Vec<_> = left.iter().map(|stuck| stuck.lines().len()).collect();
        assert_eq!(shown, [3, 1]);
    }

    #[test]
    fn lines_begin_behind_the_branch_in_its_own_source() {
        let mut stuck = missed(5, 1, &[2, 6, 7]);
        stuck.behind.insert(("0.sol".into(), extent(1)));
        assert_eq!(stuck.lines(), [("A.sol", 6), ("A.sol", 7), ("A.sol", 2), ("0.sol", 1)]);
    }
}
