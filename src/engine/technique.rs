//! Sources of candidates, among which the budget is shared.

/// A way to make candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// Initial inputs: an all-zero call of every function, the calls of unit tests, the strings of the sources, a few
    /// short random sequences.
    Seeds,
    /// Random calls from the state after `setUp`, as Forge and Echidna make them.
    Random,
    /// Random calls behind a kept sequence.
    PrefixSnapshot,
    /// Operators on a kept sequence (Harvey section 5, sFuzz section 3.3).
    Mutation,
    /// Operands of comparisons that stand in the input are replaced in place (REDQUEEN, NDSS 2019).
    Replacement,
    /// Elements of the input are moved, and what that does to costs predicts others (Harvey section 4).
    Prediction,
    /// Storage is tampered with to learn what gains from another state, and calls that write it are put before what
    /// reads it (Harvey section 5).
    DemandDriven,
}

impl Technique {
    /// Number of techniques.
    pub const COUNT: usize = 7;

    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Seeds,
        Self::Random,
        Self::PrefixSnapshot,
        Self::Mutation,
        Self::Replacement,
        Self::Prediction,
        Self::DemandDriven,
    ];

    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seeds => "seeds",
            Self::Random => "random",
            Self::PrefixSnapshot => "prefix",
            Self::Mutation => "mutation",
            Self::Replacement => "replacement",
            Self::Prediction => "prediction",
            Self::DemandDriven => "demand-driven",
        }
    }

    /// Place in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}
