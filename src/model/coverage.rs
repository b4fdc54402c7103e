//! Source coverage of a campaign.

use crate::model::{
    branch::{Cost, Relation},
    contract_coverage::{ContractCounts, ContractCoverage},
};
use alloy_primitives::U256;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

/// Coverage of all sources.
#[derive(Clone, Debug, Default)]
pub struct SourceCoverage {
    /// Coverage by path relative to the root, with `/` as separator.
    pub files: BTreeMap<Arc<str>, FileCoverage>,
    /// Coverage of the project's contracts, by identifier: `src/Vault.sol:Vault`.
    pub contracts: BTreeMap<Arc<str>, ContractCoverage>,
    /// Share of the kept sequences that were measured.
    pub looked: Looked,
}

/// Share of the kept sequences that were run once more to measure their coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looked {
    /// There was nothing to measure.
    #[default]
    Nowhere,
    /// All of them.
    Everywhere,
    /// Some of them: the run was interrupted, or there were too many.
    Partly,
}

/// Coverage of one source. Only code in the runtime code of some contract counts. Constructors and code that
/// the compiler left out do not count.
#[derive(Clone, Debug, Default)]
pub struct FileCoverage {
    /// Text of the source.
    pub text: Arc<str>,
    /// True if it is one of the project's contracts, and neither a test nor a script.
    pub is_contract: bool,
    /// Statements, each with true if it was covered.
    pub statements: BTreeMap<Extent, bool>,
    /// Names of functions, each with true if it was covered, by line and column of their beginning.
    pub functions: BTreeMap<(usize, usize), (String, bool)>,
    /// Conditions: all decisions that the compiled code contains.
    pub branches: BTreeMap<Extent, BranchCoverage>,
}

/// Numbers of a source, each as covered and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Functions.
    pub functions: (usize, usize),
    /// Statements.
    pub statements: (usize, usize),
    /// Outcomes of the conditions of `if` and `require`, two for each condition. Forge counts these, too, but of an
    /// `if` without `else` only the true outcome.
    pub branches: (usize, usize),
    /// Outcomes of `assert`, loops, `&&`, `||` and `?:`, two for each.
    pub others: (usize, usize),
}

/// Kind of a decision in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DecisionKind {
    /// `if`, in Solidity and in assembly.
    If,
    /// `require`.
    Require,
    /// `assert`.
    Assert,
    /// Condition of a loop.
    Loop,
    /// First operand of `&&`.
    And,
    /// First operand of `||`.
    Or,
    /// Condition of `?:`.
    Conditional,
}

impl DecisionKind {
    /// Tells whether `forge coverage` counts it as a branch.
    #[must_use]
    pub fn is_counted_by_forge(self) -> bool {
        matches!(self, Self::If | Self::Require)
    }

    /// Tells whether it decides the whole condition of a statement.
    #[must_use]
    pub fn is_statement(self) -> bool {
        matches!(self, Self::If | Self::Require | Self::Assert | Self::Loop)
    }
}

/// A piece of a source. Lines and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extent {
    /// Line of its first character.
    pub line: usize,
    /// Column of its first character.
    pub column: usize,
    /// Line of its last character.
    pub last_line: usize,
    /// Column of its last character.
    pub last_column: usize,
}

/// Coverage of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// Kind of the decision.
    pub kind: DecisionKind,
    /// Text of the condition in the source, on one line.
    pub condition: String,
    /// True for each outcome that occurred: first false, then true.
    pub was: [bool; 2],
    /// Nearest comparison to the outcome that did not occur.
    pub nearest: Option<Nearest>,
}

/// Comparison of the nearest execution at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The comparison.
    pub relation: Relation,
    /// Its left operand.
    pub left: U256,
    /// Its right operand.
    pub right: U256,
    /// Result that the comparison would need to have.
    pub wanted: bool,
    /// Distance of the operands from that result (Harvey section 4.3).
    pub distance: Cost,
}

impl SourceCoverage {
    /// Adds the coverage of another campaign.
    pub fn add(&mut self, other: Self) {
        self.looked = match (self.looked, other.looked) {
            (Looked::Nowhere, looked) | (looked, Looked::Nowhere) => looked,
            (Looked::Everywhere, Looked::Everywhere) => Looked::Everywhere,
            _ => Looked::Partly,
        };
        for (path, file) in other.files {
            match self.files.entry(path) {
                Entry::Vacant(entry) => drop(entry.insert(file)),
                Entry::Occupied(entry) => entry.into_mut().add(&file),
            }
        }
        for (id, contract) in other.contracts {
            self.contracts.entry(id).or_default().add(&contract);
        }
    }

    /// Returns the covered and total numbers of each contract.
    #[must_use]
    pub fn contract_counts(&self) -> BTreeMap<Arc<str>, ContractCounts> {
        self.contracts.iter().map(|(id, contract)| (id.clone(), contract.counts())).collect()
    }

    /// Returns the covered and total numbers of each source.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Arc<str>, SourceCounts> {
        let counts = |(path, file): (&Arc<str>, &FileCoverage)| (path.clone(), file.counts());
        self.files.iter().map(counts).collect()
    }

    pub(super) fn is_covered(&self, path: &str, statement: &Extent) -> bool {
        self.files.get(path).is_some_and(|file| file.statements.get(statement) == Some(&true))
    }
}

impl FileCoverage {
    fn add(&mut self, other: &Self) {
        for (extent, covered) in &other.statements {
            *self.statements.entry(*extent).or_default() |= covered;
        }
        for (place, (name, covered)) in &other.functions {
            self.functions.entry(*place).or_insert_with(|| (name.clone(), false)).1 |= covered;
        }
        for (extent, branch) in &other.branches {
            match self.branches.entry(*extent) {
                Entry::Vacant(entry) => drop(entry.insert(branch.clone())),
                Entry::Occupied(entry) => entry.into_mut().add(branch),
            }
        }
    }

    /// Tells whether any of its statements was covered.
    #[must_use]
    pub fn was_run(&self) -> bool {
        self.statements.values().any(|covered| *covered)
    }

    /// Returns the lines on which statements begin, each with true if one of these statements was covered.
    #[must_use]
    pub fn lines(&self) -> BTreeMap<usize, bool> {
        let mut lines = BTreeMap::new();
        for (extent, covered) in &self.statements {
            *lines.entry(extent.line).or_default() |= covered;
        }
        lines
    }

    /// Returns the covered and total numbers of the source.
    #[must_use]
    pub fn counts(&self) -> SourceCounts {
        SourceCounts {
            functions: counts(self.functions.values().map(|(_, covered)| covered)),
            statements: counts(self.statements.values()),
            branches: self.outcomes(true),
            others: self.outcomes(false),
        }
    }

    /// Returns the outcomes of the conditions that Forge counts, or of the others.
    fn outcomes(&self, of_forge: bool) -> (usize, usize) {
        let some = self.branches.values().filter(|branch| branch.kind.is_counted_by_forge() == of_forge);
        counts(some.flat_map(|branch| &branch.was))
    }
}

/// Adds the outcomes that occurred elsewhere.
pub fn merge_outcomes(known: &mut [bool; 2], other: [bool; 2]) {
    known.iter_mut().zip(other).for_each(|(known, other)| *known |= other);
}

/// Returns the number of those that are true, and of all.
pub(super) fn counts<'a>(covered: impl IntoIterator<Item = &'a bool>) -> (usize, usize) {
    covered.into_iter().fold((0, 0), |(covered, all), is| (covered + usize::from(*is), all + 1))
}

impl BranchCoverage {
    /// Adds the outcomes and the nearest comparison of another campaign.
    pub fn add(&mut self, other: &Self) {
        merge_outcomes(&mut self.was, other.was);
        let both = self.nearest.into_iter().chain(other.nearest);
        self.nearest = both.min_by_key(|nearest| nearest.distance);
        self.nearest.take_if(|_| self.was == [true; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_that_was_both_was_not_missed() {
        let nearest = Nearest {
            relation: Relation::Equal,
            left: U256::ZERO,
            right: U256::from(3),
            wanted: true,
            distance: Cost::from(3),
        };
        let branch = |was| BranchCoverage {
            kind: DecisionKind::Require,
            condition: "require(x)".into(),
            was,
            nearest: Some(nearest),
        };
        let mut sum = branch([false, true]);
        sum.add(&branch([false, true]));
        assert!(sum.nearest.is_some());
        sum.add(&branch([true, false]));
        assert_eq!((sum.nearest, sum.was), (None, [true; 2]));
    }
}
