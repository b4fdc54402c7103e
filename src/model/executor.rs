//! Interface between the search and the executor of sequences.

use crate::model::{branch::Probing, observation::Observation, transaction::Sequence};

/// Properties to evaluate while a sequence runs, and the steps after which to evaluate them.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Indices of the properties that are not broken yet.
    pub properties: Vec<usize>,
    /// Forge's `check_interval`: 1 after every call, 0 only at the end, N every N calls and at the end.
    pub interval: u32,
    /// True if a revert ends the run (`fail_on_revert`).
    pub fail_on_revert: bool,
    /// True if `afterInvariant` is called at the end of a run.
    pub after_invariant: bool,
    /// Number of calls after which a run ends; rejected calls do not count.
    pub depth: u32,
    /// True if only sequences of `depth` calls have an end of a run. The search sets it, so that failures at
    /// the end hold for Forge's full runs, too. When a sequence is confirmed, its end is evaluated regardless
    /// of its length.
    pub full_runs_only: bool,
    /// Index of the first step after which properties are evaluated. If a sequence begins like one that was
    /// already evaluated, nothing new can break earlier.
    pub from: usize,
}

impl Checks {
    /// Evaluates these properties once, after the last call of a sequence of any length.
    #[must_use]
    pub fn at_the_end(properties: Vec<usize>) -> Self {
        Self {
            properties,
            interval: 0,
            fail_on_revert: false,
            after_invariant: false,
            depth: u32::MAX,
            full_runs_only: false,
            from: 0,
        }
    }
}

/// Executor of sequences from the state after `setUp`.
pub trait Executor {
    /// Runs `sequence` and evaluates the properties that `checks` names. The run ends at the first step that
    /// breaks a property, so that [`Observation::broken`] belongs to the last step. `probing` selects the
    /// data to record of the last transaction.
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation;
}
