//! What a search did, in figures.

/// Figures of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct paths of calls and properties.
    pub paths: u64,
    /// Branch edges covered.
    pub branches: u64,
    /// Predictions tried: branches for which a line through two executions was solved.
    pub predicted: u64,
    /// Predictions whose first value flipped its branch.
    pub one_shot: u64,
    /// Predictions that flipped their branch after more steps of the Secant method.
    pub iterated: u64,
}
