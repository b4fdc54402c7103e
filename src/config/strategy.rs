//! Strategies of the search, for comparison with ours.

use super::{ConfigError, Feature, read::FromNode, value::ConfigNode};
use std::str::FromStr;

/// Strategy of the search: ours, or one of the techniques that Akca, Peng and Rajan compare ("the study", ESEM 2021).
/// All share the executor, the oracles, the budgets and the reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// All techniques of this tool, with the budget divided by their yield.
    #[default]
    Harvey,
    /// Blackbox fuzzing: random sequences (the study, section 3.1.1).
    Blackbox,
    /// A genetic algorithm with the executed instructions as its fitness (the study, section 3.1.2).
    Genetic,
    /// sFuzz alone: mutation of the sequences that covered a new branch or are nearest to a just-missed one (ICSE
    /// 2020, section 3).
    Adaptive,
    /// Random sequences for half of the budget, and then inputs that meet the conditions of missed branches (the study,
    /// section 3.1.3).
    Smt,
}

impl Strategy {
    /// All strategies, in the order of their documentation.
    pub const ALL: [Self; 5] = [Self::Harvey, Self::Blackbox, Self::Genetic, Self::Adaptive, Self::Smt];

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Harvey => "harvey",
            Self::Blackbox => "blackbox",
            Self::Genetic => "genetic",
            Self::Adaptive => "adaptive",
            Self::Smt => "smt",
        }
    }

    /// Returns the parts of the search that take part. Reuse of executions changes only the speed.
    pub(super) fn parts(self) -> &'static [Feature] {
        match self {
            Self::Harvey => &Feature::ALL,
            Self::Blackbox => &[Feature::Random, Feature::Reuse],
            Self::Genetic => &[Feature::Reuse],
            Self::Adaptive => &[Feature::Adaptive, Feature::Mutation, Feature::Reuse],
            Self::Smt => &[Feature::Random, Feature::Solver, Feature::Reuse],
        }
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no strategy `{name}`; there are {names}")
        })
    }
}

impl FromNode for Strategy {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        node.text(key, "a strategy")?.parse().map_err(|error| node.invalid(key, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_refused() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.name().parse(), Ok(strategy));
        }
        let error = "random".parse::<Strategy>().expect_err("it is `blackbox`");
        assert!(error.contains("harvey, blackbox, genetic"), "{error}");
    }
}
