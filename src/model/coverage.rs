//! What a campaign covered of the sources, and what it is stuck on.

use crate::model::{
    branch::{Cost, Relation},
    place::Place,
};
use alloy_primitives::U256;
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

/// What was covered, by path of the source.
#[derive(Clone, Debug, Default)]
pub struct SourceCoverage {
    /// By path relative to the root, with `/`.
    pub files: BTreeMap<String, FileCoverage>,
}

/// What was covered of one source. Only what some contract's runtime code is made of counts: neither constructors nor
/// what the compiler left out.
#[derive(Clone, Debug, Default)]
pub struct FileCoverage {
    /// The source's text.
    pub text: Arc<str>,
    /// Whether each statement was covered.
    pub statements: BTreeMap<Extent, bool>,
    /// By line where they begin: names of functions, and whether they were covered.
    pub functions: BTreeMap<usize, (String, bool)>,
    /// Decisions.
    pub branches: BTreeMap<Extent, BranchCoverage>,
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

/// What was covered of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// The condition as it stands in the source, on one line.
    pub condition: String,
    /// Whether each way was gone.
    pub ways: BTreeMap<Way, bool>,
    /// How near an execution came to the way that was not gone.
    pub nearest: Option<Nearest>,
}

/// Where a decision leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// To this line.
    Line(usize),
    /// Into a revert.
    Revert,
    /// Elsewhere: the way on in the code, or that of the jump.
    Other(bool),
}

/// What the nearest execution compared at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The comparison.
    pub relation: Relation,
    /// Its left operand.
    pub left: U256,
    /// Its right operand.
    pub right: U256,
    /// How far they are from the other outcome (Harvey section 4.3).
    pub distance: Cost,
}

/// A branch that was reached and never passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Where the condition stands.
    pub place: Place,
    /// The condition as it stands in the source, on one line.
    pub condition: String,
    /// What the nearest execution compared.
    pub nearest: Nearest,
    /// Calls spent on it in vain, since it last came nearer.
    pub tries: u64,
    /// Functions called that reached it: `Vault.deposit`.
    pub functions: BTreeSet<String>,
    /// Lines that nothing ran and that lie behind it: path and line.
    pub behind: BTreeSet<(String, usize)>,
    /// What would help.
    pub needs: Need,
}

/// What it takes to pass a branch, as far as the condition tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Another caller.
    Role,
    /// Another time or block.
    Time,
    /// What a hash or a signature is made of.
    Hash,
    /// Ether sent or owned.
    Ether,
    /// A call to another contract that ends otherwise.
    Call,
    /// Another argument: the input is known to move what is compared.
    Value,
    /// Another state: nothing is known in the last call that moves what is compared.
    State,
}

impl Need {
    /// A stable lower-case name.
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
        }
    }

    /// What a user can do about it.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Role => "another caller: give the role to a target sender in setUp, or prank in a handler",
            Self::Time => {
                "another time: a larger `max_time_delay` or `max_block_delay`, or vm.warp in a handler"
            }
            Self::Hash => "what a hash or a signature is made of: let a handler compute it",
            Self::Ether => "ether: deal it in setUp, or let a payable handler send it",
            Self::Call => "a call that ends otherwise: see what it calls, and what setUp gave to that",
            Self::Value => {
                "another value: a `fixture` function for the parameter, or a handler that bounds it"
            }
            Self::State => {
                "a state that no sequence led to: a handler that leads there, or a setUp nearer to it"
            }
        }
    }
}

impl SourceCoverage {
    /// Adds what another campaign covered.
    pub fn add(&mut self, other: &Self) {
        for (path, file) in &other.files {
            match self.files.entry(path.clone()) {
                Entry::Vacant(entry) => drop(entry.insert(file.clone())),
                Entry::Occupied(entry) => entry.into_mut().add(file),
            }
        }
    }

    /// Whether a statement was covered that begins on a line.
    #[must_use]
    pub fn is_covered(&self, path: &str, line: usize) -> bool {
        self.files.get(path).is_some_and(|file| file.lines().get(&line).copied().unwrap_or_default())
    }
}

impl FileCoverage {
    fn add(&mut self, other: &Self) {
        for (extent, covered) in &other.statements {
            *self.statements.entry(*extent).or_default() |= covered;
        }
        for (line, (name, covered)) in &other.functions {
            self.functions.entry(*line).or_insert_with(|| (name.clone(), false)).1 |= covered;
        }
        for (extent, branch) in &other.branches {
            match self.branches.entry(*extent) {
                Entry::Vacant(entry) => drop(entry.insert(branch.clone())),
                Entry::Occupied(entry) => entry.into_mut().add(branch),
            }
        }
    }

    /// Lines on which statements begin, and whether one of these was covered.
    #[must_use]
    pub fn lines(&self) -> BTreeMap<usize, bool> {
        let mut lines = BTreeMap::new();
        for (extent, covered) in &self.statements {
            *lines.entry(extent.line).or_default() |= covered;
        }
        lines
    }

    /// How many statements were covered, and how many there are.
    #[must_use]
    pub fn statement_counts(&self) -> (usize, usize) {
        (self.statements.values().filter(|covered| **covered).count(), self.statements.len())
    }

    /// How many ways of decisions were gone, and how many there are.
    #[must_use]
    pub fn way_counts(&self) -> (usize, usize) {
        let ways = || self.branches.values().flat_map(|branch| branch.ways.values());
        (ways().filter(|gone| **gone).count(), ways().count())
    }

    /// How many functions were covered, and how many there are.
    #[must_use]
    pub fn function_counts(&self) -> (usize, usize) {
        (self.functions.values().filter(|(_, covered)| *covered).count(), self.functions.len())
    }
}

impl BranchCoverage {
    /// Adds what was seen of it elsewhere.
    pub fn add(&mut self, other: &Self) {
        for (way, gone) in &other.ways {
            *self.ways.entry(*way).or_default() |= gone;
        }
        self.nearest = nearer(self.nearest, other.nearest);
        self.nearest.take_if(|_| self.ways.values().all(|gone| *gone));
    }
}

fn nearer(a: Option<Nearest>, b: Option<Nearest>) -> Option<Nearest> {
    a.into_iter().chain(b).min_by_key(|nearest| nearest.distance)
}

/// Branches of several campaigns, those first that most lines are behind which nothing of `covered` ran; each place once.
#[must_use]
pub fn stuck<'a>(all: impl Iterator<Item = &'a Stuck>, covered: &SourceCoverage) -> Vec<Stuck> {
    let mut places: BTreeMap<&Place, Stuck> = BTreeMap::new();
    for stuck in all {
        match places.entry(&stuck.place) {
            Entry::Vacant(entry) => drop(entry.insert(stuck.clone())),
            Entry::Occupied(entry) => {
                let known = entry.into_mut();
                if stuck.nearest.distance < known.nearest.distance {
                    (known.nearest, known.needs) = (stuck.nearest, stuck.needs);
                }
                known.tries += stuck.tries;
                known.functions.extend(stuck.functions.iter().cloned());
                known.behind.extend(stuck.behind.iter().cloned());
            }
        }
    }
    let mut stuck: Vec<_> = places.into_values().collect();
    for stuck in &mut stuck {
        stuck.behind.retain(|(path, line)| !covered.is_covered(path, *line));
    }
    stuck.retain(|stuck| !stuck.behind.is_empty());
    stuck.sort_by(|a, b| b.behind.len().cmp(&a.behind.len()).then_with(|| a.place.cmp(&b.place)));
    stuck
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: &[(usize, bool)]) -> SourceCoverage {
        let extent = |line| Extent { line, column: 1, last_line: line, last_column: 9 };
        let statements = lines.iter().map(|(line, covered)| (extent(*line), *covered)).collect();
        let file = FileCoverage { statements, ..FileCoverage::default() };
        SourceCoverage { files: [("A.sol".to_owned(), file)].into() }
    }

    fn missed(line: usize, distance: u64, behind: &[usize]) -> Stuck {
        Stuck {
            place: Place { path: "A.sol".into(), line, column: 5 },
            condition: "if (x == 7)".into(),
            nearest: Nearest {
                relation: Relation::Equal,
                left: U256::ZERO,
                right: U256::from(distance),
                distance: Cost::from(distance),
            },
            tries: 10,
            functions: [format!("A.f{distance}")].into(),
            behind: behind.iter().map(|line| ("A.sol".to_owned(), *line)).collect(),
            needs: Need::Value,
        }
    }

    #[test]
    fn what_one_campaign_covers_another_is_not_stuck_on() {
        let mut covered = file(&[(1, true), (2, false), (3, false), (8, false), (9, false)]);
        covered.add(&file(&[(2, true), (3, false)]));
        assert_eq!(covered.files["A.sol"].statement_counts(), (2, 5));
        let all = [missed(4, 7, &[2, 3]), missed(5, 5, &[2]), missed(6, 9, &[8]), missed(6, 3, &[8, 9])];
        let left = stuck(all.iter(), &covered);
        let shown: Vec<_> =
            left.iter().map(|stuck| (stuck.place.line, stuck.behind.len(), stuck.tries)).collect();
        assert_eq!(shown, [(6, 2, 20), (4, 1, 10)]);
        assert_eq!(left[0].nearest.distance, Cost::from(3));
        assert_eq!(left[0].functions.len(), 2);
    }

    #[test]
    fn a_branch_of_which_all_ways_were_gone_was_not_missed() {
        let branch = |revert, line| BranchCoverage {
            condition: "require(x)".into(),
            ways: [(Way::Revert, revert), (Way::Line(4), line)].into(),
            nearest: Some(missed(1, 3, &[]).nearest),
        };
        let mut sum = branch(true, false);
        sum.add(&branch(true, false));
        assert!(sum.nearest.is_some());
        sum.add(&branch(false, true));
        assert_eq!((sum.nearest, sum.ways.values().all(|gone| *gone)), (None, true));
    }
}
