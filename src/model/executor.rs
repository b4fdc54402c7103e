//! The seam between the search and whatever runs sequences.

use crate::model::{observation::Observation, transaction::Sequence};

/// Which properties to evaluate, and when, while a sequence runs.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Indices of the properties that are still alive.
    pub properties: Vec<usize>,
    /// Forge's `check_interval`: 1 after every call, 0 only at the end, N every N calls and at the end.
    pub interval: u32,
    /// Whether a revert ends the run (`fail_on_revert`).
    pub fail_on_revert: bool,
    /// When `afterInvariant` is called.
    pub after_invariant: AfterInvariant,
    /// Calls that count (rejected ones do not) after which the run ends.
    pub depth: u32,
}

/// When `afterInvariant` is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterInvariant {
    /// Never.
    Never,
    /// After a run of exactly `depth` calls: what Forge calls a run.
    AfterFullRun,
    /// After every sequence, as Forge does when it replays or shrinks one.
    Always,
}

/// Runs sequences from the state after `setUp`.
pub trait Executor {
    /// Runs `sequence` and evaluates the properties that `checks` names; ends early at the first step
    /// that breaks a property, so that [`Observation::broken`] belongs to the last step.
    fn run(&mut self, sequence: &Sequence, checks: &Checks) -> Observation;
}
