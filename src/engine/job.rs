//! Job: a sequence that a technique works on for a while.

use super::{
    candidate::{Candidate, Intent},
    seed::Seed,
    technique::Technique,
    traced_run::TracedRun,
};
use crate::engine::tuning::job::{LEAST_PROBES, MOST_PROBES, PROBE_CALLS};
use crate::model::{EdgeId, PathId};
use std::{ops::Range, sync::Arc};

/// Work on one sequence.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) seed: Arc<Seed>,
    /// Traced run of the sequence, once it was measured.
    pub(super) base: Option<Arc<TracedRun>>,
    /// True if the measurement was requested.
    pub(super) measured: bool,
    /// Path for which the sequence is kept, if there is one.
    pub(super) path: Option<PathId>,
    /// Edge to reach, if the job was picked for one.
    pub(super) goal: Option<EdgeId>,
    /// Number of candidates left.
    pub(super) energy: u32,
    /// Number of candidates left that try to shorten the sequence.
    pub(super) trims: u32,
    /// Elements left to be moved by one, as a range of indices into those of the traced run.
    pub(super) probes: Range<usize>,
}

impl Job {
    /// Creates a job of `energy` candidates on a sequence.
    pub(super) fn on(seed: Arc<Seed>, energy: u32) -> Self {
        Self { seed, base: None, measured: false, path: None, goal: None, energy, trims: 0, probes: 0..0 }
    }

    /// Creates a job on one execution, to reach the edge `goal` that it just missed, if one is given.
    pub(super) fn of_base(
        base: Arc<TracedRun>,
        goal: Option<EdgeId>,
        energy: u32,
        probes: Range<usize>,
    ) -> Self {
        Self { measured: true, base: Some(base.clone()), goal, probes, ..Self::on(base.seed.clone(), energy) }
    }

    /// The sequence of a job as it is, tracked, unless that was asked for before.
    pub(super) fn measure(&mut self, technique: Technique) -> Option<Candidate> {
        if std::mem::replace(&mut self.measured, true) {
            return None;
        }
        let Seed { calls, .. } = &*self.seed;
        let candidate = Candidate::new(calls.clone(), technique, "measure");
        Some(candidate.traced(calls.len() - 1, Intent::Measure(self.seed.clone())))
    }

    /// Takes one candidate from the energy, and returns false if there is none left.
    pub(super) fn spend(&mut self) -> bool {
        let has_energy = self.energy > 0;
        self.energy = self.energy.saturating_sub(1);
        has_energy
    }
}

/// Returns the elements to move in a job that does not return to the others.
pub(super) fn first_probes(base: &TracedRun) -> Range<usize> {
    0..base.elements.len().min(most_probes(base))
}

/// Returns the maximum number of elements to move in one job: fewer for longer sequences.
pub(super) fn most_probes(base: &TracedRun) -> usize {
    (PROBE_CALLS / base.seed.calls.len().max(1)).clamp(LEAST_PROBES, MOST_PROBES)
}
