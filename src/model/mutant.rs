//! Mutants: small changes of the sources, and what the tests say of them.

use crate::model::{place::Place, target::ContractId};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A change of a source in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Id of the operator that made it.
    pub operator: String,
    /// Source, relative to the root of the project.
    pub path: String,
    /// Range of bytes that is replaced.
    pub range: Range<usize>,
    /// Text of the range.
    pub original: String,
    /// Text in place of the range.
    pub replacement: String,
    /// Bare name of the contract around it; none for a free function.
    pub contract: Option<String>,
    /// Name of the function or modifier around it.
    pub function: Option<String>,
}

impl Mutant {
    /// Returns the text of the source with the change; none if another text is at its place.
    #[must_use]
    pub fn applied(&self, text: &str) -> Option<String> {
        let (before, after) = (text.get(..self.range.start)?, text.get(self.range.end..)?);
        let is_here = text.get(self.range.clone()) == Some(self.original.as_str());
        is_here.then(|| [before, &self.replacement, after].concat())
    }

    /// Returns the contract and the function around it: `Bank.withdraw`.
    #[must_use]
    pub fn surroundings(&self) -> String {
        let names: Vec<&str> = self.contract.iter().chain(&self.function).map(String::as_str).collect();
        names.join(".")
    }
}

/// Verdict of the tests on a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum MutantVerdict {
    /// A test fails with it that passes without it.
    Killed {
        /// Test contract.
        suite: String,
        /// Test or invariant that fails.
        test: String,
        /// Step at which it failed.
        by: KillStep,
    },
    /// No test fails with it.
    Survived {
        /// Difference that a sequence of calls shows, if one is known.
        difference: Option<OutcomeDifference>,
    },
    /// No test runs its statement.
    NotReached,
    /// The compiled code is the same.
    Equivalent,
    /// The compiled code is that of another mutant.
    Duplicate {
        /// Id of the other mutant.
        of: String,
    },
    /// It does not compile.
    Invalid {
        /// First error of the compiler.
        error: String,
    },
}

impl MutantVerdict {
    /// Tells whether it counts in a score: the tests could have told the mutant from the original.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(self, Self::Killed { .. } | Self::Survived { .. } | Self::NotReached)
    }
}

/// Step of a mutant's tests at which one failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KillStep {
    /// The deployment of a suite, or a unit or table test.
    UnitTest,
    /// An input of the corpus.
    Corpus,
    /// The search.
    Search,
}

/// Aspect of a call that differs between the original and a mutant. The order is that of their weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Events.
    Event,
    /// Result of a call: its output, or whether it reverts.
    Result,
    /// Storage.
    Storage,
    /// Ether sent.
    Ether,
}

impl DifferenceKind {
    /// All kinds, the least important first.
    pub const ALL: [Self; 4] = [Self::Event, Self::Result, Self::Storage, Self::Ether];
}

/// Sequence of calls that has other effects with a mutant, although no test fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeDifference {
    /// Test contract whose calls these are.
    pub suite: String,
    /// Aspect of the last call that differs.
    pub kind: DifferenceKind,
    /// Effect of the original.
    pub original: String,
    /// Effect of the mutant.
    pub mutant: String,
    /// Calls, the last of which differs.
    pub calls: Vec<String>,
}

/// Mutant with its verdict.
#[derive(Clone, Debug)]
pub struct TestedMutant {
    /// Id, which stays the same while the function and its file have the same names.
    pub id: String,
    /// The change.
    pub mutant: Mutant,
    /// Place of the change.
    pub place: Place,
    /// Lines of the source that change, without the end of the last line.
    pub before: String,
    /// The same lines with the change.
    pub after: String,
    /// The verdict.
    pub verdict: MutantVerdict,
}

/// Mutants of a project with their verdicts.
#[derive(Clone, Debug, Default)]
pub struct MutationReport {
    /// All mutants, in the order of their places.
    pub mutants: Vec<TestedMutant>,
    /// Suites whose tests ran.
    pub suites: Vec<ContractId>,
    /// Tests that fail without a change, and so are left out: suite and signature.
    pub failing: Vec<(ContractId, String)>,
    /// Mutants that could not be tested, with the reasons.
    pub errors: Vec<String>,
    /// Number of mutants without a verdict, since the run was interrupted or they could not be tested.
    pub left: usize,
}

/// Numbers of mutants by their verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MutantCounts {
    /// Mutants that tests fail with.
    pub killed: usize,
    /// Of these, those that an input of the corpus or a unit test killed, without a search.
    pub killed_without_search: usize,
    /// Mutants that no test fails with.
    pub survived: usize,
    /// Of these, those with a sequence that shows a difference.
    pub survived_with_difference: usize,
    /// Mutants whose statement no test runs.
    pub not_reached: usize,
    /// Mutants with the code of the original.
    pub equivalent: usize,
    /// Mutants with the code of another mutant.
    pub duplicate: usize,
    /// Mutants that do not compile.
    pub invalid: usize,
}

impl MutantCounts {
    /// Counts verdicts.
    #[must_use]
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a MutantVerdict>) -> Self {
        let mut counts = Self::default();
        verdicts.into_iter().for_each(|verdict| counts.add(verdict));
        counts
    }

    fn add(&mut self, verdict: &MutantVerdict) {
        match verdict {
            MutantVerdict::Killed { by, .. } => {
                self.killed += 1;
                self.killed_without_search += usize::from(*by != KillStep::Search);
            }
            MutantVerdict::Survived { difference } => {
                self.survived += 1;
                self.survived_with_difference += usize::from(difference.is_some());
            }
            MutantVerdict::NotReached => self.not_reached += 1,
            MutantVerdict::Equivalent => self.equivalent += 1,
            MutantVerdict::Duplicate { .. } => self.duplicate += 1,
            MutantVerdict::Invalid { .. } => self.invalid += 1,
        }
    }

    /// Returns the number of mutants that the tests could have told from the original.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.killed + self.survived + self.not_reached
    }

    /// Returns the share of killed mutants among those that the tests could have told from the original, from 0 to 1;
    /// none if there are no such mutants.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.counted() > 0).then(|| self.killed as f64 / self.counted() as f64)
    }
}

impl MutationReport {
    /// Counts the verdicts of all mutants.
    #[must_use]
    pub fn counts(&self) -> MutantCounts {
        MutantCounts::of(self.mutants.iter().map(|tested| &tested.verdict))
    }

    /// Returns the mutants that no test fails with: the most important first. Money counts more than storage, storage
    /// more than results and events, and a known difference more than none. Statements that no test runs come last.
    #[must_use]
    pub fn survivors(&self) -> Vec<&TestedMutant> {
        let weight = |tested: &&TestedMutant| match &tested.verdict {
            MutantVerdict::Survived { difference: Some(difference) } => 3 + difference.kind as usize,
            MutantVerdict::Survived { difference: None } => 2,
            _ => 1,
        };
        let is_left = |tested: &&TestedMutant| {
            matches!(tested.verdict, MutantVerdict::Survived { .. } | MutantVerdict::NotReached)
        };
        let mut survivors: Vec<_> = self.mutants.iter().filter(is_left).collect();
        survivors.sort_by_key(|tested| std::cmp::Reverse(weight(tested)));
        survivors
    }
}
