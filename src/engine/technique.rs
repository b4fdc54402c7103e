//! Techniques that make candidates and share the budget.

/// Technique for making candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// Initial inputs: an all-zero call of every function, the calls of unit tests, the strings of the
    /// sources, and a few short random sequences.
    Seeds,
    /// Random calls from the state after `setUp`, as in Forge and Echidna.
    Random,
    /// Random calls after a kept sequence.
    Prefix,
    /// Mutation operators on a kept sequence (Harvey section 5, sFuzz section 3.3).
    Mutation,
    /// Replacement of operands of comparisons that occur in the input (REDQUEEN, NDSS 2019).
    Replacement,
    /// Prediction: elements of the input are moved, and the effects on costs predict inputs that flip
    /// branches (Harvey section 4).
    Prediction,
    /// Demand-driven sequences: storage is modified to find the calls that gain from another state, and calls
    /// that write this storage are put before them (Harvey section 5).
    DemandDriven,
    /// Inputs that meet the condition of a path, computed from a symbolic execution. Only for branches that predictions
    /// did not flip.
    Solver,
    /// Reentrant calls where a contract handed control to an actor before it wrote storage. Only where senders
    /// play roles.
    Reentry,
}

impl Technique {
    /// Number of techniques.
    pub const COUNT: usize = 9;

    /// All techniques, in the order in which they are reported.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Seeds,
        Self::Random,
        Self::Prefix,
        Self::Mutation,
        Self::Replacement,
        Self::Prediction,
        Self::DemandDriven,
        Self::Solver,
        Self::Reentry,
    ];

    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seeds => "seeds",
            Self::Random => "random",
            Self::Prefix => "prefix",
            Self::Mutation => "mutation",
            Self::Replacement => "replacement",
            Self::Prediction => "prediction",
            Self::DemandDriven => "demand-driven",
            Self::Solver => "solver",
            Self::Reentry => "reentry",
        }
    }

    /// Returns the index in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}
