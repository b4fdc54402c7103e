//! A sequence together with what its tracked run compared, read and wrote: what predictions start from.

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

/// Calls at the end of a sequence whose elements are looked at.
const REACH: usize = 24;

/// What ran: the last call, or a property after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunPart {
    /// The last call.
    Call,
    /// The property of this index.
    Property(usize),
}

/// A sequence with its footprint.
#[derive(Debug)]
pub(super) struct TracedRun {
    /// Tells bases apart.
    pub(super) id: u64,
    pub(super) seed: Arc<Seed>,
    branches: Vec<(RunPart, Branch)>,
    places: FxHashMap<EdgeId, usize>,
    paths: Vec<(RunPart, PathId)>,
    reads: Vec<(RunPart, Slot, U256)>,
    /// The input vector, from the last call backwards.
    pub(super) elements: Vec<InputElement>,
}

impl TracedRun {
    /// What `seen` showed of the last step of `seed` and of the properties after it.
    pub(super) fn new(id: u64, seed: Arc<Seed>, seen: &Observation, generator: &CallGenerator) -> Self {
        let branches: Vec<(RunPart, Branch)> =
            branches(seen).map(|(subject, branch)| (subject, branch.clone())).collect();
        let places =
            branches.iter().enumerate().map(|(place, (_, branch))| (branch.place(), place)).collect();
        let steps = (0..seed.calls.len()).rev().take(REACH);
        let elements = steps.flat_map(|step| input::elements(&seed.calls[step], step, generator)).collect();
        let call = seen.steps.last().map(|step| (RunPart::Call, step.path));
        let properties = seen.properties.iter().map(|run| (RunPart::Property(run.property), run.path));
        let paths = call.into_iter().chain(properties).collect();
        Self { id, branches, places, paths, reads: reads(seen).collect(), elements, seed }
    }

    /// The comparison at the same place as `branch`, by the same relation.
    pub(super) fn same(&self, branch: &Branch) -> Option<&Branch> {
        let same = self.at(branch.place())?;
        (same.relation == branch.relation && same.edges == branch.edges).then_some(same)
    }

    /// The comparison at a place.
    pub(super) fn at(&self, place: EdgeId) -> Option<&Branch> {
        self.places.get(&place).map(|index| &self.branches[*index].1)
    }

    /// The comparison that just missed an edge.
    pub(super) fn branch_of(&self, edge: EdgeId) -> Option<&Branch> {
        self.branches().find(|branch| misses(branch, edge))
    }

    /// The subject whose comparison just missed an edge.
    pub(super) fn subject_of(&self, edge: EdgeId) -> Option<RunPart> {
        self.branches.iter().find(|(_, branch)| misses(branch, edge)).map(|(subject, _)| *subject)
    }

    /// Who compared at a place.
    pub(super) fn subject(&self, place: EdgeId) -> Option<RunPart> {
        self.places.get(&place).map(|index| self.branches[*index].0)
    }

    /// The path on which something was compared at a place.
    pub(super) fn path(&self, place: EdgeId) -> PathId {
        let subject = self.subject(place);
        self.paths.iter().find(|(of, _)| Some(*of) == subject).map_or(0, |(_, path)| *path)
    }

    /// All comparisons.
    pub(super) fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().map(|(_, branch)| branch)
    }

    /// The slots that `subject` read, with what they held.
    pub(super) fn reads(&self, subject: RunPart) -> impl Iterator<Item = (Slot, U256)> {
        self.reads.iter().filter(move |read| read.0 == subject).map(|(_, slot, value)| (*slot, *value))
    }
}

/// Comparisons of the tracked subjects.
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

/// An edge worth reaching that was just missed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missed {
    /// The edge.
    pub(super) edge: EdgeId,
    /// What the comparison has to come out as.
    pub(super) outcome: bool,
    /// How much it is wanted: assertions first, then what leads on, and last what only leads into a revert.
    pub(super) urgency: u8,
}

impl Missed {
    /// Whether code follows that is no failure.
    pub(super) fn leads_on(self) -> bool {
        matches!(self.urgency, 2 | 3)
    }
}

/// What `branch` just missed; assertions should fail, assumptions hold.
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

/// Whether `edge` is what `branch` just missed.
pub(super) fn misses(branch: &Branch, edge: EdgeId) -> bool {
    missed(branch).is_some_and(|missed| missed.edge == edge)
}

/// The comparison at a place of the tracked subjects.
pub(super) fn branch_at(seen: &Observation, place: EdgeId) -> Option<&Branch> {
    branches(seen).map(|(_, branch)| branch).find(|branch| branch.place() == place)
}
