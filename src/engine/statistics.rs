//! What a search did, in figures.

use super::shares::Origin;

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
    pub origins: Vec<Origin>,
    /// Predictions tried: branches for which a line through two executions was solved.
    pub predicted: u64,
    /// Predictions whose first value flipped its branch.
    pub one_shot: u64,
    /// Predictions that flipped their branch after more steps of the Secant method.
    pub iterated: u64,
}

impl Statistics {
    /// Adds what another engine of the same search tried; paths and branches are those of the engine that is told of all.
    pub fn absorb(&mut self, other: &Self) {
        self.predicted += other.predicted;
        self.one_shot += other.one_shot;
        self.iterated += other.iterated;
        for more in &other.origins {
            let is_it =
                |origin: &&mut Origin| origin.operator == more.operator && origin.technique == more.technique;
            match self.origins.iter_mut().find(is_it) {
                Some(origin) => origin.account += more.account,
                None => self.origins.push(*more),
            }
        }
    }
}
