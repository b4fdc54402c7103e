//! Traced run: a sequence with the comparisons, reads and writes of its run. Predictions start from it.

use crate::engine::tuning::traced_run::REACH;
use crate::{
    engine::{
        call_generator::CallGenerator,
        input::{self, InputElement},
        seed::Seed,
    },
    model::{Branch, BranchKind, BranchOutcome, EdgeId, Footprint, Observation, PathId, Slot},
};
use alloy_primitives::U256;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;

/// Part of a run: the last call, or a property after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunPart {
    /// The last call.
    Call,
    /// The property with this index.
    Property(usize),
}

/// Part of a run with its path, comparisons and reads.
#[derive(Debug)]
struct TracedPart {
    subject: RunPart,
    path: PathId,
    /// The property cache of the executor may return it for later runs, too.
    footprint: Arc<Footprint>,
}

/// Index of a comparison of a traced run.
#[derive(Clone, Copy, Debug)]
struct BranchIndex {
    /// Index of the part.
    part: u32,
    /// Index among the comparisons of the part.
    branch: u32,
}

/// Sequence with the comparisons and reads of its last call and of the properties after it.
#[derive(Debug)]
pub(super) struct TracedRun {
    /// Number that identifies the traced run.
    pub(super) id: u64,
    pub(super) seed: Arc<Seed>,
    parts: Box<[TracedPart]>,
    places: FxHashMap<EdgeId, BranchIndex>,
    /// Input vector, from the last call backwards.
    pub(super) elements: Box<[InputElement]>,
}

impl TracedRun {
    /// Creates a traced run from the last step of `seed` and the properties after it, as observed in `seen`.
    pub(super) fn new(id: u64, seed: Arc<Seed>, seen: &Observation, generator: &CallGenerator) -> Self {
        let parts: Box<[TracedPart]> = footprints(seen)
            .map(|(subject, path, footprint)| TracedPart { subject, path, footprint: footprint.clone() })
            .collect();
        let branches = parts.iter().map(|traced| traced.footprint.branches.len()).sum();
        let mut places = FxHashMap::with_capacity_and_hasher(branches, FxBuildHasher);
        for (part, traced) in (0..).zip(&parts) {
            let branches = (0..).zip(&traced.footprint.branches);
            places.extend(branches.map(|(branch, at)| (at.place(), BranchIndex { part, branch })));
        }
        let steps = (0..seed.calls.len()).rev().take(REACH);
        let elements = steps.flat_map(|step| input::elements(&seed.calls[step], step, generator)).collect();
        Self { id, seed, parts, places, elements }
    }

    /// Returns the approximate size in bytes, without the sequence and the footprints.
    pub(super) fn size(&self) -> usize {
        size_of_val(self)
            + size_of_val(&*self.parts)
            + self.places.capacity() * size_of::<(EdgeId, BranchIndex)>()
            + size_of_val(&*self.elements)
    }

    /// Returns the footprints.
    pub(super) fn footprints(&self) -> impl Iterator<Item = &Arc<Footprint>> {
        self.parts.iter().map(|traced| &traced.footprint)
    }

    /// Returns the comparison at the same place as `branch`, if it has the same relation and edges.
    pub(super) fn same(&self, branch: &Branch) -> Option<&Branch> {
        let same = self.at(branch.place())?;
        (same.relation == branch.relation && same.edges == branch.edges).then_some(same)
    }

    /// Returns the comparison at a place.
    pub(super) fn at(&self, place: EdgeId) -> Option<&Branch> {
        let BranchIndex { part, branch } = *self.places.get(&place)?;
        Some(&self.parts[part as usize].footprint.branches[branch as usize])
    }

    /// Returns the comparison that just missed an edge.
    pub(super) fn branch_of(&self, edge: EdgeId) -> Option<&Branch> {
        self.branches().find(|branch| misses(branch, edge))
    }

    /// Returns the part of the run whose comparison just missed an edge.
    pub(super) fn subject_of(&self, edge: EdgeId) -> Option<RunPart> {
        let missing =
            |traced: &&TracedPart| traced.footprint.branches.iter().any(|branch| misses(branch, edge));
        self.parts.iter().find(missing).map(|traced| traced.subject)
    }

    /// Returns the part of the run with the comparison at a place.
    pub(super) fn subject(&self, place: EdgeId) -> Option<RunPart> {
        self.part_at(place).map(|traced| traced.subject)
    }

    /// Returns the path of the part of the run with the comparison at a place; zero if there is none.
    pub(super) fn path(&self, place: EdgeId) -> PathId {
        self.part_at(place).map_or(0, |traced| traced.path)
    }

    fn part_at(&self, place: EdgeId) -> Option<&TracedPart> {
        self.places.get(&place).map(|index| &self.parts[index.part as usize])
    }

    /// Returns all comparisons.
    pub(super) fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.footprints().flat_map(|footprint| &footprint.branches)
    }

    /// Returns the slots that `subject` read, with their values.
    pub(super) fn reads(&self, subject: RunPart) -> impl Iterator<Item = (Slot, U256)> {
        let traced = self.parts.iter().find(|traced| traced.subject == subject);
        traced.into_iter().flat_map(|traced| traced.footprint.reads.iter().copied())
    }
}

/// Returns the comparisons of the traced parts of a run.
pub(super) fn branches(seen: &Observation) -> impl Iterator<Item = (RunPart, &Branch)> {
    footprints(seen)
        .flat_map(|(subject, _, footprint)| footprint.branches.iter().map(move |branch| (subject, branch)))
}

/// Returns the traced parts of a run: the last call, and the properties after it.
fn footprints(seen: &Observation) -> impl Iterator<Item = (RunPart, PathId, &Arc<Footprint>)> {
    let call = seen.steps.last().and_then(|step| Some((RunPart::Call, step.path, step.footprint.as_ref()?)));
    let properties = seen
        .properties
        .iter()
        .filter_map(|run| Some((RunPart::Property(run.property), run.path, run.footprint.as_ref()?)));
    call.into_iter().chain(properties)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::toy,
        model::{NewCoverage, PropertyRun, Step},
    };

    fn property(step: usize, path: PathId, branches: Option<Vec<Branch>>) -> PropertyRun {
        PropertyRun {
            property: 3,
            step,
            path,
            new_coverage: NewCoverage::default(),
            footprint: branches.map(|branches| Arc::new(Footprint { branches, ..Footprint::default() })),
            recalled: false,
            changed: true,
        }
    }

    #[test]
    fn only_traced_parts_count() {
        let call = Footprint { branches: vec![toy::missed([1, 2], 500)], ..Footprint::default() };
        let step = Step { path: 7, footprint: Some(Arc::new(call)), ..Step::default() };
        let before = property(0, 8, None);
        let after = property(1, 9, Some(vec![toy::missed([3, 4], 600), toy::missed([5, 6], 700)]));
        let seen = Observation {
            steps: vec![Step::default(), step],
            properties: vec![before, after],
            ..Observation::default()
        };
        let calls = vec![toy::call("inc", &[]); 2];
        let seed = Arc::new(Seed { calls, born: Arc::default(), extendable: true });
        let run = TracedRun::new(1, seed, &seen, &toy::generator());
        assert_eq!([1, 3, 5, 7].map(|place| run.path(place)), [7, 9, 9, 0]);
        assert_eq!(run.subject(1), Some(RunPart::Call));
        assert_eq!(run.subject_of(6), Some(RunPart::Property(3)));
        assert_eq!(run.at(5).map(|branch| branch.left), Some(U256::from(700)));
        let footprint = seen.properties[1].footprint.as_ref();
        assert!(footprint.is_some_and(|shared| run.footprints().any(|own| Arc::ptr_eq(own, shared))));
    }
}
