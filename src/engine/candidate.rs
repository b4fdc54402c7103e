//! Candidates: sequences to run, with the data that the engine needs to learn from the run.

use super::{
    input::InputElement,
    predict::{Aim, Domain, FixedOperand, Int, RootSearch, Slope, wrapped},
    seed::Seed,
    technique::Technique,
    traced_run::{Missed, TracedRun},
};
use crate::model::{EdgeId, PathId, Probing, Sequence, Slot};
use std::sync::Arc;

/// Origin of candidates that another engine made.
const SHARED: &str = "shared";
/// Origin of candidates that an earlier campaign kept.
const KEPT: &str = "corpus";

/// Sequence to run.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub(super) sequence: Sequence,
    pub(super) technique: Technique,
    pub(super) origin: &'static str,
    /// Index of the first call that differs from a sequence that was run before.
    pub(super) from: usize,
    pub(super) probing: Probing,
    /// Kept sequence that it was made from.
    pub(super) parent: Option<Parent>,
    pub(super) intent: Intent,
}

/// Kept sequence that candidates are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// The sequence kept for a path.
    Path(PathId),
    /// Kept state, by its number.
    State(u64),
}

/// Purpose of a candidate: the information to learn from its run.
#[derive(Clone, Debug)]
pub(super) enum Intent {
    /// Learns whatever the run shows.
    Explore,
    /// Measures the costs of a kept sequence.
    Measure(Arc<Seed>),
    /// Learns how the costs depend on one element.
    Probe { base: Arc<TracedRun>, element: InputElement, by: Move },
    /// Tries a value of a root search, which may flip its branch.
    RootSearch(Box<Prediction>),
    /// Checks whether calls inserted into a sequence change the operands of a branch.
    Reach { base: Arc<TracedRun>, edge: EdgeId, place: EdgeId },
    /// Learns the condition under which the run takes an edge that `base` just missed.
    Path { base: Arc<TracedRun>, edge: EdgeId, round: u32 },
    /// Tries inputs that meet such a condition. If they miss the edge by another comparison, a further round follows.
    Solved { edge: EdgeId, round: u32 },
    /// Runs a covering sequence again to find the branches that it just missed, for the solver.
    Missed,
    /// Measures the instructions that a sequence executes, for the genetic algorithm.
    Fitness,
    /// Checks whether the last call gains from another state.
    Aggressive { base: Arc<TracedRun>, slots: Vec<Slot> },
}

/// Distance by which an element was moved.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// Unit step, which yields the slope at the traced run.
    One,
    /// Step by two, to distinguish lines from curves, with the effects of the unit step.
    Two(Vec<Effect>),
    /// Move by any distance.
    Far,
}

/// Effect of moving an element on the cost of a branch that was just missed before and after.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub(super) missed: Missed,
    /// Place of the comparison.
    pub(super) place: EdgeId,
    pub(super) aim: Aim,
    pub(super) domain: Domain,
    /// Value of the element and gap of the branch, before and after the move.
    pub(super) points: [(Int, Int); 2],
    /// Operand that was the same before and after, if there was one.
    pub(super) fixed: Option<FixedOperand>,
}

impl Effect {
    /// Returns true if the gap becomes smaller in one direction, and the domain has values in that direction.
    pub(super) fn is_open(&self) -> bool {
        let [(i0, g0), (i1, g1)] = self.points;
        g1.unsigned_abs() < g0.unsigned_abs() || self.domain.contains(i0 + (i0 - i1))
    }

    /// Returns the slope. The move must have been a unit step.
    pub(super) fn slope(&self) -> Slope {
        let [(i0, g0), (i1, g1)] = self.points;
        Slope { at: i0, rise: wrapped((g1 - g0) * (i1 - i0)), domain: self.domain }
    }
}

/// Root search with the element and the branch that it works on.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    pub(super) base: Arc<TracedRun>,
    pub(super) element: InputElement,
    /// Place of the comparison.
    pub(super) place: EdgeId,
    /// Edge to reach.
    pub(super) edge: EdgeId,
    pub(super) search: RootSearch,
    /// Value tried by the candidate.
    pub(super) value: Int,
}

impl Candidate {
    /// Creates a candidate that explores, without comparison tracing.
    pub(super) fn new(sequence: Sequence, technique: Technique, origin: &'static str) -> Self {
        let (from, probing) = (0, Probing::default());
        Self { sequence, technique, origin, from, probing, parent: None, intent: Intent::Explore }
    }

    /// Creates a candidate from a sequence that an earlier campaign kept.
    #[must_use]
    pub fn kept(sequence: Sequence) -> Self {
        Self::new(sequence, Technique::Seeds, KEPT).traced(0, Intent::Explore)
    }

    /// Returns the same candidate with comparison tracing of its last call and the properties after it. The
    /// calls before `from` were run before.
    pub(super) fn traced(self, from: usize, intent: Intent) -> Self {
        Self { from, probing: Probing::traced(), intent, ..self }
    }

    /// Returns the candidate as given to another engine: with its sequence and probing, but without its
    /// purpose.
    #[must_use]
    pub fn shared(&self) -> Self {
        let probing = self.probing.clone();
        Self { from: self.from, probing, ..Self::new(self.sequence.clone(), self.technique, SHARED) }
    }

    /// Tells whether another engine made it.
    pub(super) fn is_shared(&self) -> bool {
        self.origin == SHARED
    }

    /// Tells whether an earlier campaign kept it. Its cost is then not charged to the budget.
    pub(super) fn is_kept(&self) -> bool {
        self.origin == KEPT
    }

    /// Returns the technique that made it.
    #[must_use]
    pub fn technique(&self) -> Technique {
        self.technique
    }

    /// Returns the calls to run. The sequence is empty only if nothing can be called or the depth is zero.
    #[must_use]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// Returns the calls, without the data for the engine.
    #[must_use]
    pub fn into_sequence(self) -> Sequence {
        self.sequence
    }

    /// Returns the data to record during the run, and the changes to storage before the last call.
    #[must_use]
    pub fn probing(&self) -> &Probing {
        &self.probing
    }

    /// Returns the index of the first step after which a property may show something new. The calls before it
    /// are those of a sequence that was run before.
    #[must_use]
    pub fn from(&self) -> usize {
        self.from
    }

    /// Tells whether the run modifies the state directly, so that nothing that it shows is a finding (Harvey
    /// section 5).
    #[must_use]
    pub fn is_aggressive(&self) -> bool {
        matches!(self.intent, Intent::Aggressive { .. })
    }

    /// Tells whether the run repeats an earlier one to record more of it, without what oracles need.
    #[must_use]
    pub fn is_repetition(&self) -> bool {
        matches!(self.intent, Intent::Path { .. } | Intent::Fitness)
    }

    /// Returns the name of the operator that made it: `zero`, `literal`, `unit-test`, `corpus`, `shared`,
    /// `random`, `short`, `prefix`, `trim`, `measure`, `probe`, `predict`, `pair`, `operand`, `reach`,
    /// `follow`, `aggressive`, `path`, `solved`, `nearly-solved`, `smt`, `reentry`, `offspring`, `fitness`,
    /// `covering`, `nearest`, or the first operator of a mutation.
    #[must_use]
    pub fn origin(&self) -> &'static str {
        self.origin
    }
}
