//! The seam between the search and whatever runs sequences.

use crate::model::{branch::Probing, observation::Observation, transaction::Sequence};

/// Which properties to evaluate, and when, while a sequence runs.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Indices of the properties that are still alive.
    pub properties: Vec<usize>,
    /// Forge's `check_interval`: 1 after every call, 0 only at the end, N every N calls and at the end.
    pub interval: u32,
    /// Whether a revert ends the run (`fail_on_revert`).
    pub fail_on_revert: bool,
    /// Whether `afterInvariant` is called at the end of a run.
    pub after_invariant: bool,
    /// Calls that count (rejected ones do not) after which a run ends.
    pub depth: u32,
    /// Whether a sequence of fewer calls has no end of a run: so in a search, where what is evaluated at the
    /// end holds for Forge's full runs. When a sequence is judged, its end counts, however short it is.
    pub full_runs_only: bool,
    /// Index of the first step after which properties are evaluated: where a sequence begins as one that was
    /// judged before, nothing new can break earlier.
    pub from: usize,
}

impl Checks {
    /// These properties once, after the last call of a sequence of any length that is judged by itself.
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

/// Runs sequences from the state after `setUp`.
pub trait Executor {
    /// Runs `sequence` and evaluates the properties that `checks` names; ends early at the first step
    /// that breaks a property, so that [`Observation::broken`] belongs to the last step. `probing` says what to
    /// record of the last transaction.
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation;
}
