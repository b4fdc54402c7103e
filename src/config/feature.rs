//! Switches that turn parts of the search off, for experiments.

use super::{ConfigError, Strategy, read::FromNode, value::ConfigNode};
use std::{fmt, str::FromStr};

/// A part of the search that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Input prediction with the Secant method (Harvey, section 4). The paper's configuration A is without
    /// it.
    Prediction,
    /// Repeated steps of the Secant method. The paper's configuration C is without it, and makes one step
    /// only.
    Iteration,
    /// Aggressive mode, marks, and paths that span the last transaction only (Harvey, section 5). The paper's
    /// configuration D is without it: paths span all transactions, and every function gets longer sequences.
    DemandDriven,
    /// Selection of the best seed for each just-missed branch (sFuzz, section 3.2).
    Adaptive,
    /// Replacement in place of comparison operands that occur in the input. Not in the papers.
    InputToState,
    /// Insertion of calls that write the storage on which a branch depends, before the call with the branch.
    /// Not in the papers.
    Dependencies,
    /// Random sequences from the state after `setUp`, as Forge generates them. Not in the papers.
    Random,
    /// Random calls appended to kept sequences. Not in the papers.
    Prefixes,
    /// Mutation operators on kept sequences (Harvey, section 5; sFuzz, section 3.3).
    Mutation,
    /// Keeping of states after calls that read a value of a new class. Not in the papers.
    Values,
    /// Values of the sources, of deployed code and of earlier runs, among the random ones.
    Dictionary,
    /// Repetition of earlier successful calls with all their arguments, and reuse of numbers from one call in
    /// other calls of the same sequence. Not in the papers.
    Calls,
    /// Initial sequences made of the calls that the project's unit tests make. Not in the papers.
    UnitTests,
    /// Distribution of the budget according to the yield of each technique. Without it, all techniques get
    /// equal shares.
    Bandit,
    /// Predictions from three points (parabolas), and predictions through bit masks. Not in the papers.
    Curves,
    /// Changes of two input elements at once, where one alone cannot flip a branch. Not in the papers.
    Pairs,
    /// Inputs that meet the condition of a path, from a symbolic execution (the study's fuzzing with an SMT solver).
    Solver,
    /// Attempts to flip covered branches again after different preceding calls. Not in the papers.
    ContextTargets,
    /// Reuse of earlier executions: the state after the first calls of a sequence, and the result of a
    /// property if nothing that it read has changed. This affects only the cost of a run, which the bandit
    /// takes into account.
    Reuse,
}

impl Feature {
    /// All parts, in the order of their documentation.
    pub const ALL: [Self; 19] = [
        Self::Prediction,
        Self::Iteration,
        Self::DemandDriven,
        Self::Adaptive,
        Self::InputToState,
        Self::Dependencies,
        Self::Random,
        Self::Prefixes,
        Self::Mutation,
        Self::Values,
        Self::Dictionary,
        Self::Calls,
        Self::UnitTests,
        Self::Bandit,
        Self::Curves,
        Self::Pairs,
        Self::Solver,
        Self::ContextTargets,
        Self::Reuse,
    ];

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prediction => "prediction",
            Self::Iteration => "iteration",
            Self::DemandDriven => "demand-driven",
            Self::Adaptive => "adaptive",
            Self::InputToState => "input-to-state",
            Self::Dependencies => "dependencies",
            Self::Random => "random",
            Self::Prefixes => "prefixes",
            Self::Mutation => "mutation",
            Self::Values => "values",
            Self::Dictionary => "dictionary",
            Self::Calls => "calls",
            Self::UnitTests => "unit-tests",
            Self::Bandit => "bandit",
            Self::Curves => "curves",
            Self::Pairs => "pairs",
            Self::Solver => "solver",
            Self::ContextTargets => "detours",
            Self::Reuse => "reuse",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|feature| feature.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no part `{name}` of the search; there are {names}")
        })
    }
}

impl FromNode for Feature {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        node.text(key, "a part of the search")?.parse().map_err(|error| node.invalid(key, error))
    }
}

/// Set of the parts that are on; all are on by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    off: u32,
}

impl Features {
    /// Returns the set of all parts but these.
    pub fn without(features: impl IntoIterator<Item = Feature>) -> Self {
        Self { off: features.into_iter().fold(0, |off, feature| off | bit(feature)) }
    }

    /// Returns the set of the parts of a strategy but these.
    pub fn of(strategy: Strategy, without: &[Feature]) -> Self {
        let others = Feature::ALL.into_iter().filter(|feature| !strategy.parts().contains(feature));
        Self::without(others.chain(without.iter().copied()))
    }

    /// Tells whether a part is on.
    #[must_use]
    pub fn has(self, feature: Feature) -> bool {
        self.off & bit(feature) == 0
    }
}

fn bit(feature: Feature) -> u32 {
    1 << feature as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_refused() {
        for feature in Feature::ALL {
            assert_eq!(feature.name().parse(), Ok(feature));
        }
        let error = "prefix".parse::<Feature>().expect_err("it is `prefixes`");
        assert!(error.contains("random, prefixes"), "{error}");
    }

    #[test]
    fn everything_is_on_but_what_is_switched_off() {
        let features = Features::without([Feature::Iteration, Feature::Random]);
        assert!(features.has(Feature::Prediction) && !features.has(Feature::Iteration));
        assert!(!features.has(Feature::Random) && Features::default().has(Feature::Random));
    }

    #[test]
    fn a_strategy_has_its_parts_but_those_that_are_switched_off() {
        assert_eq!(Features::of(Strategy::Harvey, &[]), Features::default());
        let features = Features::of(Strategy::Adaptive, &[Feature::Reuse]);
        assert!(features.has(Feature::Adaptive) && features.has(Feature::Mutation));
        assert!(!features.has(Feature::Reuse) && !features.has(Feature::Prediction));
    }
}
