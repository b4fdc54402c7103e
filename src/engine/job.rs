//! A sequence that a technique works on for a while.

use super::{seed::Seed, traced_run::TracedRun};
use crate::model::{EdgeId, PathId};
use std::{ops::Range, sync::Arc};

/// Calls that moving the elements of one sequence may cost, and how many are moved whatever it costs.
const PROBE_CALLS: usize = 128;
const LEAST_PROBES: usize = 4;
/// Most elements moved one by one in one job.
const MOST_PROBES: usize = 32;

/// Work on one sequence.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) seed: Arc<Seed>,
    /// What the sequence compared, once that was measured.
    pub(super) base: Option<Arc<TracedRun>>,
    /// Whether that was asked for.
    pub(super) measured: bool,
    /// The path that it is kept for, if it is kept for a path.
    pub(super) path: Option<PathId>,
    /// The edge that it is to reach, if it was picked for one.
    pub(super) goal: Option<EdgeId>,
    /// Candidates still to be made of it.
    pub(super) energy: u32,
    /// How many of these shall try to shorten it.
    pub(super) trims: u32,
    /// Elements still to be moved by one: a range of the base's.
    pub(super) probes: Range<usize>,
}

impl Job {
    /// So many candidates of a sequence.
    pub(super) fn on(seed: Arc<Seed>, energy: u32) -> Self {
        Self { seed, base: None, measured: false, path: None, goal: None, energy, trims: 0, probes: 0..0 }
    }

    /// Work on one execution, to reach an edge that it just missed if one is given.
    pub(super) fn of_base(
        base: Arc<TracedRun>,
        goal: Option<EdgeId>,
        energy: u32,
        probes: Range<usize>,
    ) -> Self {
        Self { measured: true, base: Some(base.clone()), goal, probes, ..Self::on(base.seed.clone(), energy) }
    }

    /// Takes one from the energy, unless there is none left.
    pub(super) fn spend(&mut self) -> bool {
        let has_energy = self.energy > 0;
        self.energy = self.energy.saturating_sub(1);
        has_energy
    }
}

/// The elements to move in a job that does not come back for the others.
pub(super) fn first_probes(base: &TracedRun) -> Range<usize> {
    0..base.elements.len().min(most_probes(base))
}

/// Elements to move one by one in one job: fewer, the longer the sequence.
pub(super) fn most_probes(base: &TracedRun) -> usize {
    (PROBE_CALLS / base.seed.calls.len().max(1)).clamp(LEAST_PROBES, MOST_PROBES)
}
