//! Traced run: a sequence with the comparisons, reads and writes of its run. Predictions start from it.

use crate::engine::tuning::traced_run::REACH;
use crate::{
    engine::{
        call_generator::CallGenerator,
        input::{self, InputElement},
        seed::Seed,
    },
    model::{Branch, BranchKind, BranchOutcome, EdgeId, Observation, PathId, Slot},
};
use alloy_primitives::U256;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Part of a run: the last call, or a property after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunPart {
    /// The last call.
    Call,
    /// The property with this index.
    Property(usize),
}

/// Sequence with the comparisons and reads of its last call and of the properties after it.
#[derive(Debug)]
pub(super) struct TracedRun {
    /// Number that identifies the traced run.
    pub(super) id: u64,
    pub(super) seed: Arc<Seed>,
    branches: Box<[(RunPart, Branch)]>,
    places: FxHashMap<EdgeId, usize>,
    paths: Vec<(RunPart, PathId)>,
    reads: Box<[(RunPart, Slot, U256)]>,
    /// Input vector, from the last call backwards.
    pub(super) elements: Box<[InputElement]>,
    /// Size in bytes.
    pub(super) size: usize,
}

impl TracedRun {
    /// Creates a traced run from the last step of `seed` and the properties after it, as observed in `seen`.
    pub(super) fn new(id: u64, seed: Arc<Seed>, seen: &Observation, generator: &CallGenerator) -> Self {
        let branches: Box<[(RunPart, Branch)]> =
            branches(seen).map(|(subject, branch)| (subject, branch.clone())).collect();
        let places =
            branches.iter().enumerate().map(|(place, (_, branch))| (branch.place(), place)).collect();
        let steps = (0..seed.calls.len()).rev().take(REACH);
        let elements = steps.flat_map(|step| input::elements(&seed.calls[step], step, generator)).collect();
        let call = seen.steps.last().map(|step| (RunPart::Call, step.path));
        let properties = seen.properties.iter().map(|run| (RunPart::Property(run.property), run.path));
        let paths = call.into_iter().chain(properties).collect();
        let reads = reads(seen).collect();
        let mut run = Self { id, branches, places, paths, reads, elements, seed, size: 0 };
        run.size = run.measured();
        run
    }

    /// Returns the size in bytes.
    fn measured(&self) -> usize {
        let preimages = self.branches.iter().flat_map(|(_, branch)| branch.preimages.iter().flatten());
        size_of_val(self)
            + size_of_val(&*self.branches)
            + preimages.map(|preimage| preimage.len()).sum::<usize>()
            + self.places.capacity() * size_of::<(EdgeId, usize)>()
            + size_of_val(&*self.paths)
            + size_of_val(&*self.reads)
            + size_of_val(&*self.elements)
            + size_of_val(&*self.seed.calls)
    }

    /// Returns the comparison at the same place as `branch`, if it has the same relation and edges.
    pub(super) fn same(&self, branch: &Branch) -> Option<&Branch> {
        let same = self.at(branch.place())?;
        (same.relation == branch.relation && same.edges == branch.edges).then_some(same)
    }

    /// Returns the comparison at a place.
    pub(super) fn at(&self, place: EdgeId) -> Option<&Branch> {
        self.places.get(&place).map(|index| &self.branches[*index].1)
    }

    /// Returns the comparison that just missed an edge.
    pub(super) fn branch_of(&self, edge: EdgeId) -> Option<&Branch> {
        self.branches().find(|branch| misses(branch, edge))
    }

    /// Returns the part of the run whose comparison just missed an edge.
    pub(super) fn subject_of(&self, edge: EdgeId) -> Option<RunPart> {
        self.branches.iter().find(|(_, branch)| misses(branch, edge)).map(|(subject, _)| *subject)
    }

    /// Returns the part of the run with the comparison at a place.
    pub(super) fn subject(&self, place: EdgeId) -> Option<RunPart> {
        self.places.get(&place).map(|index| self.branches[*index].0)
    }

    /// Returns the path of the part of the run with the comparison at a place; zero if there is none.
    pub(super) fn path(&self, place: EdgeId) -> PathId {
        let subject = self.subject(place);
        self.paths.iter().find(|(of, _)| Some(*of) == subject).map_or(0, |(_, path)| *path)
    }

    /// Returns all comparisons.
    pub(super) fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().map(|(_, branch)| branch)
    }

    /// Returns the slots that `subject` read, with their values.
    pub(super) fn reads(&self, subject: RunPart) -> impl Iterator<Item = (Slot, U256)> {
        self.reads.iter().filter(move |read| read.0 == subject).map(|(_, slot, value)| (*slot, *value))
    }
}

/// Returns the comparisons of the traced parts of a run.
pub(super) fn branches(seen: &Observation) -> impl Iterator<Item = (RunPart, &Branch)> {
    footprints(seen)
        .flat_map(|(subject, footprint)| footprint.branches.iter().map(move |branch| (subject, branch)))
}

fn reads(seen: &Observation) -> impl Iterator<Item = (RunPart, Slot, U256)> {
    footprints(seen).flat_map(|(subject, footprint)| {
        footprint.reads.iter().map(move |(slot, value)| (subject, *slot, *value))
    })
}

fn footprints(seen: &Observation) -> impl Iterator<Item = (RunPart, &crate::model::Footprint)> {
    let call = seen.steps.last().and_then(|step| step.footprint.as_deref());
    let properties = seen.properties.iter().filter_map(|run| {
        run.footprint.as_deref().map(|footprint| (RunPart::Property(run.property), footprint))
    });
    call.map(|footprint| (RunPart::Call, footprint)).into_iter().chain(properties)
}

/// Just-missed edge that is worth reaching.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missed {
    /// The edge.
    pub(super) edge: EdgeId,
    /// Outcome of the comparison that leads to the edge.
    pub(super) outcome: bool,
    /// Priority: 4 for assertions, 3 for assumptions, 2 for branches into further code, 1 for arbitrary
    /// storage writes, 0 for branches into a revert.
    pub(super) urgency: u8,
}

impl Missed {
    /// Tells whether the edge leads to further code, and not into a failure.
    pub(super) fn leads_on(self) -> bool {
        matches!(self.urgency, 2 | 3)
    }
}

/// Returns the edge that `branch` just missed, if it is worth reaching. Assertions should fail, and
/// assumptions should hold.
pub(super) fn missed(branch: &Branch) -> Option<Missed> {
    let outcome = branch.missed()?;
    let branch_outcome = branch.branch_outcomes[usize::from(outcome)];
    let urgency = match (branch.kind, branch_outcome) {
        (BranchKind::Assertion | BranchKind::Jump, BranchOutcome::Assert) => 4,
        (BranchKind::Assumption, BranchOutcome::On) => 3,
        (BranchKind::Jump, BranchOutcome::On) => 2,
        (BranchKind::Store, _) if outcome => 1,
        (BranchKind::Jump, BranchOutcome::Revert) => 0,
        _ => return None,
    };
    Some(Missed { edge: branch.edges[usize::from(outcome)], outcome, urgency })
}

/// Tells whether `branch` just missed `edge`.
pub(super) fn misses(branch: &Branch, edge: EdgeId) -> bool {
    missed(branch).is_some_and(|missed| missed.edge == edge)
}

/// Returns the comparison at a place in the traced parts of a run.
pub(super) fn branch_at(seen: &Observation, place: EdgeId) -> Option<&Branch> {
    branches(seen).map(|(_, branch)| branch).find(|branch| branch.place() == place)
}
