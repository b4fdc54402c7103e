//! Switches for experiments: which parts of the search are on.

use super::{ConfigError, read::FromNode, value::ConfigNode};
use std::{fmt, str::FromStr};

/// A part of the search that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Input prediction by the Secant method (Harvey section 4). Without it: the paper's configuration A.
    Prediction,
    /// More than one step of the Secant method. Without it: the paper's configuration C.
    Iteration,
    /// Aggressive mode, marks, and paths that span the last transaction only (Harvey section 5). Without it: the
    /// paper's configuration D, where paths span all transactions and every function gets longer sequences.
    DemandDriven,
    /// The best seed for each just-missed branch (sFuzz section 3.2).
    Adaptive,
    /// Operands that stand in the input are replaced in place. Beyond the papers.
    InputToState,
    /// Calls that write what a branch depends on are put before it. Beyond the papers.
    Dependencies,
    /// Random sequences from the state after `setUp`, as Forge makes them. Beyond the papers.
    Random,
    /// Random calls behind kept sequences. Beyond the papers.
    SnapshotCache,
    /// Operators on kept sequences (Harvey section 5, sFuzz section 3.3).
    Mutation,
    /// States are kept that hold values of a class that nothing had read before. Beyond the papers.
    Values,
    /// Calls that did something are made again, with all of their arguments, and numbers of one call of a sequence are given to
    /// others. Beyond the papers.
    Calls,
    /// The calls that the project's unit tests make are made on the targets first. Beyond the papers.
    UnitTests,
    /// The budget follows what techniques yield. Without it all get the same.
    Bandit,
    /// Predictions through three points, and through masks. Beyond the papers.
    Curves,
    /// Two elements are moved together where one does not suffice. Beyond the papers.
    Pairs,
    /// Covered branches are flipped where other calls went before. Beyond the papers.
    ContextTargets,
    /// What was run before is not run again: calls that sequences begin with, and properties where nothing that they
    /// read has changed. It makes no difference but in cost, which the bandit looks at.
    Reuse,
}

impl Feature {
    /// All of them, in the order of their documentation.
    pub const ALL: [Self; 17] = [
        Self::Prediction,
        Self::Iteration,
        Self::DemandDriven,
        Self::Adaptive,
        Self::InputToState,
        Self::Dependencies,
        Self::Random,
        Self::SnapshotCache,
        Self::Mutation,
        Self::Values,
        Self::Calls,
        Self::UnitTests,
        Self::Bandit,
        Self::Curves,
        Self::Pairs,
        Self::ContextTargets,
        Self::Reuse,
    ];

    /// As it is named on the command line.
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
            Self::SnapshotCache => "prefixes",
            Self::Mutation => "mutation",
            Self::Values => "values",
            Self::Calls => "calls",
            Self::UnitTests => "unit-tests",
            Self::Bandit => "bandit",
            Self::Curves => "curves",
            Self::Pairs => "pairs",
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

/// The parts that are on; all by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    off: u32,
}

impl Features {
    /// All but these.
    pub fn without(features: impl IntoIterator<Item = Feature>) -> Self {
        Self { off: features.into_iter().fold(0, |off, feature| off | bit(feature)) }
    }

    /// Whether a part is on.
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
}
