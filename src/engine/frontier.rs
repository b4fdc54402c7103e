//! Frontier of just-missed branches: uncovered edges whose branch was reached, each with the nearest
//! execution known (the adaptive seeds of sFuzz, section 3.2).

use crate::engine::tuning::frontier::{CAPACITY, CONTESTANTS, LOOKED_AT, RETIRED, RETURNS, WEIGHTS};
use crate::{
    engine::{
        demand::function_of,
        rng::Rng,
        traced_run::{Missed, RunPart, TracedRun},
    },
    model::{Branch, Cost, EdgeId, Slot, Transaction},
};
use alloy_primitives::U256;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::VecDeque, sync::Arc};

/// Urgency of a failing assertion.
const ASSERTION: u8 = 4;

/// Edge to reach.
#[derive(Debug)]
pub(super) struct Goal {
    /// The edge.
    pub(super) edge: EdgeId,
    /// Place of its branch.
    pub(super) place: EdgeId,
    /// Smallest cost seen.
    cost: Cost,
    /// Execution with the smallest cost.
    pub(super) base: Arc<TracedRun>,
    /// Shortest sequence known to reach the branch.
    pub(super) shortest: Arc<TracedRun>,
    /// Execution with the largest [`wealth`] in bits, for assertions only. Without it, the work on an
    /// equality that holds would stay at `0 == 0`.
    pub(super) richest: Option<(usize, Arc<TracedRun>)>,
    /// Weight of the edge, by its urgency.
    pub(super) weight: u32,
    /// Number of calls spent on it, halved whenever an execution comes nearer or is richer.
    pub(super) tries: u32,
    /// Index of the element of the nearest execution at which probing continues.
    pub(super) cursor: usize,
    /// True if moving an element of the nearest execution brought it nearer.
    pub(super) moves: bool,
}

/// Covered edges and just-missed edges.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    covered: FxHashSet<EdgeId>,
    goals: Vec<Goal>,
    places: FxHashMap<EdgeId, usize>,
    /// Edges that were just missed for the first time, by technique that has not worked on them yet.
    fresh: [VecDeque<EdgeId>; GoalConsumer::COUNT],
    /// Index from which goals are examined to find one to replace.
    hand: usize,
}

/// Technique that works on goals. Each technique works on every new goal soon.
#[derive(Clone, Copy, Debug)]
pub(super) enum GoalConsumer {
    Prediction,
    DemandDriven,
}

impl GoalConsumer {
    const COUNT: usize = 2;
}

impl Frontier {
    /// Returns the number of covered edges.
    pub(super) fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Tells whether an edge is covered.
    pub(super) fn is_covered(&self, edge: EdgeId) -> bool {
        self.covered.contains(&edge)
    }

    /// Records that an edge is covered, and returns true if it was not before.
    pub(super) fn cover(&mut self, edge: EdgeId) -> bool {
        if !self.covered.insert(edge) {
            return false;
        }
        if let Some(place) = self.places.remove(&edge) {
            self.remove(place);
        }
        true
    }

    fn remove(&mut self, place: usize) {
        let gone = self.goals.swap_remove(place);
        self.places.remove(&gone.edge);
        if let Some(moved) = self.goals.get(place) {
            self.places.insert(moved.edge, place);
        }
    }

    /// Returns the executions of all goals; one may be there several times.
    pub(super) fn executions(&self) -> impl Iterator<Item = &TracedRun> {
        self.goals.iter().flat_map(|goal| {
            let richest = goal.richest.as_ref().map(|(_, run)| run);
            [&goal.base, &goal.shortest].into_iter().chain(richest).map(|run| &**run)
        })
    }

    /// Drops the goals with most work for their weight: half of all. They return when they are just missed again.
    pub(super) fn forget_half(&mut self) {
        let work = |goal: &Goal| (goal.tries / goal.weight.max(1), goal.edge);
        let mut edges: Vec<_> = self.goals.iter().map(work).collect();
        edges.sort_unstable();
        for (_, edge) in &edges[edges.len() / 2..] {
            if let Some(place) = self.places.get(edge) {
                self.remove(*place);
            }
        }
    }

    /// Records that moving an element of `base` brings the comparison nearer to an edge.
    pub(super) fn note_moved(&mut self, edge: EdgeId, base: &TracedRun) {
        if let Some(place) = self.places.get(&edge) {
            let goal = &mut self.goals[*place];
            goal.moves |= goal.base.id == base.id;
        }
    }

    /// Returns the index of a goal that one of this weight may replace: one of the next few that has less
    /// weight or is retired.
    fn weaker(&self, weight: u32) -> Option<usize> {
        let next = (0..CONTESTANTS).map(|ahead| (self.hand + ahead) % self.goals.len());
        next.into_iter().find(|place| self.goals[*place].weight < weight || self.goals[*place].is_retired())
    }

    /// Tells whether an execution would be the nearest one to the missed edge, or the richest.
    pub(super) fn wants(&self, branch: &Branch, missed: Missed) -> bool {
        match self.places.get(&missed.edge) {
            Some(place) => {
                let goal = &self.goals[*place];
                branch.cost() < goal.cost || goal.is_richer(branch, missed)
            }
            None => {
                let has_place = || self.goals.len() < CAPACITY || self.weaker(weight(missed)).is_some();
                !self.is_covered(missed.edge) && has_place()
            }
        }
    }

    /// Records `base` as the nearest or the richest execution for the edge that `branch` missed, if it is.
    /// Returns true if that is progress: the goal is new, its distance halved, or the execution is richer.
    pub(super) fn offer(&mut self, branch: &Branch, missed: Missed, base: &Arc<TracedRun>) -> bool {
        if !self.wants(branch, missed) {
            return false;
        }
        let (edge, cost) = (missed.edge, branch.cost());
        let richest = is_assertion(missed).then(|| (wealth(branch), base.clone()));
        let Some(place) = self.places.get(&edge).copied() else {
            if self.goals.len() >= CAPACITY
                && let Some(place) = self.weaker(weight(missed))
            {
                self.remove(place);
            }
            self.places.insert(edge, self.goals.len());
            self.goals.push(Goal {
                edge,
                place: branch.place(),
                cost,
                base: base.clone(),
                shortest: base.clone(),
                richest,
                weight: weight(missed),
                tries: 0,
                cursor: 0,
                moves: false,
            });
            if missed.urgency > 0 {
                self.fresh.iter_mut().for_each(|fresh| fresh.push_back(edge));
            }
            return true;
        };
        let goal = &mut self.goals[place];
        let mut is_progress = false;
        if goal.is_richer(branch, missed) {
            goal.richest = richest;
            is_progress = true;
        }
        if cost < goal.cost {
            is_progress |= cost <= goal.cost >> 1;
            (goal.cost, goal.base, goal.place, goal.cursor) = (cost, base.clone(), branch.place(), 0);
            goal.moves = false;
            if base.seed.calls.len() < goal.shortest.seed.calls.len() {
                goal.shortest = base.clone();
            }
        }
        // Progress justifies new work, and a goal with many steps may need as many more.
        goal.tries /= 2;
        is_progress
    }

    /// Returns a random goal.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Goal> {
        rng.pick(&self.goals)
    }

    /// Returns true if there are goals that a technique did not work on yet.
    pub(super) fn has_new(&mut self, worker: GoalConsumer) -> bool {
        let new = &mut self.fresh[worker as usize];
        while new.front().is_some_and(|edge| !self.places.contains_key(edge)) {
            new.pop_front();
        }
        !new.is_empty()
    }

    /// Picks a goal to work on: a new one, or, of a few random ones, the one with the least work for its
    /// weight.
    pub(super) fn pick(&mut self, worker: GoalConsumer, rng: &mut Rng) -> Option<&mut Goal> {
        if self.has_new(worker)
            && let Some(edge) = self.fresh[worker as usize].pop_front()
        {
            return self.places.get(&edge).and_then(|place| self.goals.get_mut(*place));
        }
        let score = |place: &usize| {
            let goal = &self.goals[*place];
            (u64::from(goal.tries) << 8) / u64::from(goal.weight)
        };
        let place = rng.contestants(CONTESTANTS, self.goals.len()).min_by_key(score)?;
        self.hand = place;
        let goal = &mut self.goals[place];
        // Retired goals are worked on rarely, in order not to use up the budget of the others.
        (!goal.is_retired() || rng.below(RETURNS) == 0).then_some(goal)
    }

    /// Returns a few goals, which follow each other from a random one on.
    pub(super) fn some(&self, most: usize, rng: &mut Rng) -> impl Iterator<Item = &Goal> {
        let start = if self.goals.is_empty() { 0 } else { rng.below(self.goals.len()) };
        self.goals[start..].iter().chain(&self.goals[..start]).take(most)
    }

    /// Returns calls that read one of these slots, each of another function: the last calls of executions
    /// that just missed an edge.
    pub(super) fn readers(&self, slots: &[(Slot, U256)], most: usize, rng: &mut Rng) -> Vec<Transaction> {
        let mut readers: Vec<Transaction> = Vec::new();
        let start = rng.below(self.goals.len());
        for goal in self.goals[start..].iter().chain(&self.goals[..start]).take(LOOKED_AT) {
            let Some(call) = goal.base.seed.calls.last() else { continue };
            let is_known = readers.iter().any(|known| function_of(known) == function_of(call));
            let is_reader = goal.base.subject(goal.place) == Some(RunPart::Call)
                && goal
                    .base
                    .reads(RunPart::Call)
                    .any(|(read, _)| slots.iter().any(|(slot, _)| *slot == read));
            if !is_known && is_reader {
                readers.push(call.clone());
                if readers.len() == most {
                    break;
                }
            }
        }
        readers
    }

    /// Returns all goals.
    pub(super) fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter()
    }

    /// Returns the goal for an edge.
    #[cfg(test)]
    pub(super) fn goal(&mut self, edge: EdgeId) -> Option<&mut Goal> {
        self.places.get(&edge).map(|place| &mut self.goals[*place])
    }
}

impl Goal {
    fn is_richer(&self, branch: &Branch, missed: Missed) -> bool {
        is_assertion(missed) && self.richest.as_ref().is_none_or(|(known, _)| wealth(branch) > *known)
    }

    /// Tells whether the edge leads on or to a failure, and so many calls were spent on it.
    pub(super) fn is_worth_solving(&self, least_tries: u32) -> bool {
        self.tries >= least_tries && self.weight > WEIGHTS[0]
    }

    /// Returns one of the executions that just missed the edge: for zero, the nearest one.
    pub(super) fn execution(&self, index: usize) -> &Arc<TracedRun> {
        match (index % 3, &self.richest) {
            (0, _) => &self.base,
            (1, Some((_, richest))) => richest,
            _ => &self.shortest,
        }
    }

    /// Returns true if nothing brought the goal nearer for a long time.
    fn is_retired(&self) -> bool {
        self.tries > RETIRED * self.weight
    }
}

fn weight(missed: Missed) -> u32 {
    WEIGHTS[usize::from(missed.urgency)]
}

/// Returns the number of bits of the larger operand minus those of the distance: zero for `0 >= 0` and
/// `1 >= 1000`, but many for `10^18 >= 10^18 - 5`.
fn wealth(branch: &Branch) -> usize {
    let largest = branch.left.max(branch.right).bit_len();
    largest.saturating_sub(branch.cost().bit_len())
}

fn is_assertion(missed: Missed) -> bool {
    missed.urgency == ASSERTION
}

#[cfg(test)]
mod tests;
