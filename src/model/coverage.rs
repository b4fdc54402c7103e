//! What a campaign covered of the sources, and what it is stuck on.

use crate::model::{
    branch::{Cost, Relation},
    place::Place,
};
use alloy_primitives::U256;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, btree_map::Entry},
    sync::Arc,
};

/// What was covered, by path of the source.
#[derive(Clone, Debug, Default)]
pub struct SourceCoverage {
    /// By path relative to the root, with `/`.
    pub files: BTreeMap<Arc<str>, FileCoverage>,
    /// How much was looked at.
    pub looked: Looked,
}

/// How much of what campaigns kept was run once more to see what it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looked {
    /// There was nothing to look at.
    #[default]
    Nowhere,
    /// All of it.
    Everywhere,
    /// Some of it: the run was interrupted, or there was too much.
    Partly,
}

/// What was covered of one source. Only what some contract's runtime code is made of counts: neither constructors nor
/// what the compiler left out.
#[derive(Clone, Debug, Default)]
pub struct FileCoverage {
    /// The source's text.
    pub text: Arc<str>,
    /// Whether it is one of the project's contracts, and neither a test nor a script.
    pub is_contract: bool,
    /// Whether each statement was covered.
    pub statements: BTreeMap<Extent, bool>,
    /// By line and column where they begin: names of functions, and whether they were covered.
    pub functions: BTreeMap<(usize, usize), (String, bool)>,
    /// Conditions of `if`, loops, `require` and `assert`.
    pub branches: BTreeMap<Extent, BranchCoverage>,
}

/// How much of a source was covered, and how much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Functions.
    pub functions: (usize, usize),
    /// Statements.
    pub statements: (usize, usize),
    /// Outcomes of conditions: two each.
    pub branches: (usize, usize),
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

/// What was covered of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// The condition as it stands in the source, on one line.
    pub condition: String,
    /// Whether it was false, and whether it was true.
    pub was: [bool; 2],
    /// How near an execution came to what it never was.
    pub nearest: Option<Nearest>,
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
    /// What it would have to come out as.
    pub wanted: bool,
    /// How far they are from that (Harvey section 4.3).
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
    /// Statements that nothing ran and that lie behind it, by path of the source.
    pub behind: BTreeSet<(Arc<str>, Extent)>,
    /// What would help.
    pub needs: Need,
}

impl Stuck {
    /// Lines on which the statements behind it begin, those of its own source first.
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

    /// Adds what another campaign knows of the same branch.
    fn add(&mut self, other: &Self) {
        if other.nearest.distance < self.nearest.distance {
            (self.nearest, self.needs) = (other.nearest, other.needs);
        }
        self.tries += other.tries;
        self.functions.extend(other.functions.iter().cloned());
        self.behind.extend(other.behind.iter().cloned());
    }
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
    }

    /// How much of each source was covered.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Arc<str>, SourceCounts> {
        let counts = |(path, file): (&Arc<str>, &FileCoverage)| (path.clone(), file.counts());
        self.files.iter().map(counts).collect()
    }

    fn is_covered(&self, path: &str, statement: &Extent) -> bool {
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

    /// Lines on which statements begin, and whether one of these was covered.
    #[must_use]
    pub fn lines(&self) -> BTreeMap<usize, bool> {
        let mut lines = BTreeMap::new();
        for (extent, covered) in &self.statements {
            *lines.entry(extent.line).or_default() |= covered;
        }
        lines
    }

    /// How much of it was covered.
    #[must_use]
    pub fn counts(&self) -> SourceCounts {
        SourceCounts {
            functions: counts(self.functions.values().map(|(_, covered)| covered)),
            statements: counts(self.statements.values()),
            branches: counts(self.branches.values().flat_map(|branch| &branch.was)),
        }
    }
}

fn counts<'a>(covered: impl Iterator<Item = &'a bool>) -> (usize, usize) {
    covered.fold((0, 0), |(covered, all), is| (covered + usize::from(*is), all + 1))
}

impl BranchCoverage {
    /// Adds what was seen of it elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.was.iter_mut().zip(other.was).for_each(|(was, other)| *was |= other);
        let both = self.nearest.into_iter().chain(other.nearest);
        self.nearest = both.min_by_key(|nearest| nearest.distance);
        self.nearest.take_if(|_| self.was == [true; 2]);
    }
}

/// Branches of several campaigns, each place once, without those of which something of `covered` ran all that lies behind
/// them. That comes first which unlocks most, and then what unlocks most beside that, with what it unlocks beside that; what
/// unlocks nothing more is left out.
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
    // Gains only fall, so that one which is still the largest when it is counted anew is the largest.
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
    order.into_iter().map(|index| stuck[index].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(line: usize) -> Extent {
        Extent { line, column: 1, last_line: line, last_column: 9 }
    }

    fn file(lines: &[(usize, bool)]) -> SourceCoverage {
        let statements = lines.iter().map(|(line, covered)| (extent(*line), *covered)).collect();
        let file = FileCoverage { statements, ..FileCoverage::default() };
        SourceCoverage { files: [("A.sol".into(), file)].into(), looked: Looked::Everywhere }
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
            tries: 10,
            functions: [format!("A.f{distance}")].into(),
            behind: behind.iter().map(|line| ("A.sol".into(), extent(*line))).collect(),
            needs: Need::Value,
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

    #[test]
    fn a_condition_that_was_both_was_not_missed() {
        let branch = |was| BranchCoverage {
            condition: "require(x)".into(),
            was,
            nearest: Some(missed(1, 3, &[]).nearest),
        };
        let mut sum = branch([false, true]);
        sum.add(&branch([false, true]));
        assert!(sum.nearest.is_some());
        sum.add(&branch([true, false]));
        assert_eq!((sum.nearest, sum.was), (None, [true; 2]));
    }
}
