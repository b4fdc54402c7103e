//! What is handed out to be run, with what the engine remembers about its making.

use super::{
    input::InputElement,
    predict::{Aim, Domain, FixedOperand, Int, RootSearch, Slope, wrapped},
    seed::Seed,
    technique::Technique,
    traced_run::{Missed, TracedRun},
};
use crate::model::{EdgeId, PathId, Probing, Sequence, Slot};
use std::sync::Arc;

/// Origin of what another engine made.
const SHARED: &str = "shared";
/// Origin of what an earlier campaign kept.
const KEPT: &str = "corpus";

/// A sequence to run.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub(super) sequence: Sequence,
    pub(super) technique: Technique,
    pub(super) origin: &'static str,
    /// Index of the first call that is not as in a sequence that was run before.
    pub(super) from: usize,
    pub(super) probing: Probing,
    /// The kept sequence that it was made of.
    pub(super) parent: Option<Parent>,
    pub(super) intent: Intent,
}

/// A kept sequence that candidates are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// The sequence kept for a path.
    Path(PathId),
    /// A kept state, by its number.
    State(u64),
}

/// What is to be learnt from a candidate.
#[derive(Clone, Debug)]
pub(super) enum Intent {
    /// Whatever it shows.
    Explore,
    /// What a kept sequence costs.
    Measure(Arc<Seed>),
    /// How the costs depend on one element.
    Probe { base: Arc<TracedRun>, element: InputElement, by: Move },
    /// Whether a prediction flips its branch.
    RootSearch(Box<Prediction>),
    /// Whether the calls that were put into a sequence change what a branch compares.
    Reach { base: Arc<TracedRun>, edge: EdgeId, place: EdgeId },
    /// Whether the last call gains from another state.
    Aggressive { base: Arc<TracedRun>, slots: Vec<Slot> },
}

/// How far an element was moved.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// By one, so that the slope is that at the base.
    One,
    /// By two, to tell lines from curves, with what the move by one did.
    Two(Vec<Effect>),
    /// Anywhere.
    Far,
}

/// What the move of an element did to the cost of a branch that was just missed before and after.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub(super) missed: Missed,
    /// Where the comparison stands.
    pub(super) place: EdgeId,
    pub(super) aim: Aim,
    pub(super) domain: Domain,
    /// Value of the element and gap of the branch, before and after.
    pub(super) points: [(Int, Int); 2],
    /// The operand that was the same before and after, if one was.
    pub(super) fixed: Option<FixedOperand>,
}

impl Effect {
    /// True if the gap becomes smaller one way, and there are values that way.
    pub(super) fn is_open(&self) -> bool {
        let [(i0, g0), (i1, g1)] = self.points;
        g1.unsigned_abs() < g0.unsigned_abs() || self.domain.contains(i0 + (i0 - i1))
    }

    /// The slope, where the move was by one.
    pub(super) fn slope(&self) -> Slope {
        let [(i0, g0), (i1, g1)] = self.points;
        Slope { at: i0, rise: wrapped((g1 - g0) * (i1 - i0)), domain: self.domain }
    }
}

/// A chase with where it takes place.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    pub(super) base: Arc<TracedRun>,
    pub(super) element: InputElement,
    /// Where the comparison stands.
    pub(super) place: EdgeId,
    /// The edge to reach.
    pub(super) edge: EdgeId,
    pub(super) search: RootSearch,
    /// The value tried.
    pub(super) value: Int,
}

impl Candidate {
    /// A sequence of which nothing is known.
    pub(super) fn new(sequence: Sequence, technique: Technique, origin: &'static str) -> Self {
        let (from, probing) = (0, Probing::default());
        Self { sequence, technique, origin, from, probing, parent: None, intent: Intent::Explore }
    }

    /// A sequence that was kept by an earlier campaign.
    #[must_use]
    pub fn kept(sequence: Sequence) -> Self {
        Self::new(sequence, Technique::Seeds, KEPT).tracked(0, Intent::Explore)
    }

    /// The same, its last call and the properties after it tracked; calls before `from` were run before.
    pub(super) fn tracked(self, from: usize, intent: Intent) -> Self {
        Self { from, probing: Probing::tracked(), intent, ..self }
    }

    /// What another engine is told of it: what it shows, but not what it was made for.
    #[must_use]
    pub fn shared(&self) -> Self {
        let probing = self.probing.clone();
        Self { from: self.from, probing, ..Self::new(self.sequence.clone(), self.technique, SHARED) }
    }

    /// Whether another engine made it.
    pub(super) fn is_shared(&self) -> bool {
        self.origin == SHARED
    }

    /// Says if an earlier campaign kept it; its cost is then no part of the budget.
    pub(super) fn is_kept(&self) -> bool {
        self.origin == KEPT
    }

    /// The technique that made it.
    #[must_use]
    pub fn technique(&self) -> Technique {
        self.technique
    }

    /// The calls to run. Empty only when there is nothing to call or the depth is zero.
    #[must_use]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The calls, without what the engine remembers.
    #[must_use]
    pub fn into_sequence(self) -> Sequence {
        self.sequence
    }

    /// What to record of the run, and what to change before its last call.
    #[must_use]
    pub fn probing(&self) -> &Probing {
        &self.probing
    }

    /// Index of the first step after which a property may say something new: the calls before it are those of a
    /// sequence that was run before.
    #[must_use]
    pub fn from(&self) -> usize {
        self.from
    }

    /// Whether the state is tampered with, so that nothing it shows is a finding (Harvey section 5).
    #[must_use]
    pub fn is_aggressive(&self) -> bool {
        matches!(self.intent, Intent::Aggressive { .. })
    }

    /// Operator that made it: `zero`, `literal`, `unit-test`, `corpus`, `shared`, `random`, `short`, `prefix`, `trim`, `measure`,
    /// `probe`, `predict`, `pair`, `operand`, `reach`, `follow`, `aggressive`, `reentry`, or the first operator of a mutation.
    #[must_use]
    pub fn origin(&self) -> &'static str {
        self.origin
    }
}
