//! Statistics of an engine.

use super::shares::OperatorCost;
use crate::model::{PredictionCounts, SolverCounts};

/// Statistics of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of distinct paths of calls and properties.
    pub paths: u64,
    /// Number of covered branch edges.
    pub branches: u64,
    /// Number of classes of values that were read.
    pub values: u64,
    /// Number of sequences in the test suite.
    pub kept: u64,
    /// Number of calls in the test suite.
    pub kept_calls: u64,
    /// Cost and reward of each operator.
    pub origins: Vec<OperatorCost>,
    /// Number of predictions tried, by outcome.
    pub predictions: PredictionCounts,
    /// Results of the solver.
    pub solver: SolverCounts,
}

impl Statistics {
    /// Adds the predictions and operator costs of another engine of the same campaign. The paths and branches
    /// stay those of this engine, which learns from all others.
    pub fn absorb(&mut self, other: &Self) {
        self.predictions += other.predictions;
        self.solver += other.solver;
        for more in &other.origins {
            let is_it = |origin: &&mut OperatorCost| {
                origin.operator == more.operator && origin.technique == more.technique
            };
            match self.origins.iter_mut().find(is_it) {
                Some(origin) => origin.account += more.account,
                None => self.origins.push(*more),
            }
        }
    }
}
