//! What a search did, in figures.

use super::shares::OperatorCost;
use crate::model::Predictions;

/// Figures of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct paths of calls and properties.
    pub paths: u64,
    /// Branch edges covered.
    pub branches: u64,
    /// Classes of values that something read.
    pub values: u64,
    /// Sequences in the test suite.
    pub kept: u64,
    /// Calls in the test suite.
    pub kept_calls: u64,
    /// What each operator cost and earned.
    pub origins: Vec<OperatorCost>,
    /// Predictions tried, with their outcomes.
    pub predictions: Predictions,
    /// Those of them that were for branches of properties.
    pub property_predictions: Predictions,
}

impl Statistics {
    /// Adds what another engine of the same search tried; paths and branches are those of the engine that is told of all.
    pub fn absorb(&mut self, other: &Self) {
        self.predictions += other.predictions;
        self.property_predictions += other.property_predictions;
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
