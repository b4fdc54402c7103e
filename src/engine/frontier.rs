//! Just-missed branches: edges that nothing covered although their branch was reached, each with the nearest
//! execution known (the adaptive seeds of sFuzz, section 3.2).

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

/// Goals compared when one is picked.
const CONTESTANTS: usize = 6;
/// Goals kept. Later ones take the place of what is retired or wanted less, or wait until some are covered.
const CAPACITY: usize = 4096;

/// Goals looked through for one that reads what was written.
const LOOKED_AT: usize = 256;

/// Work for an edge by its urgency.
const WEIGHTS: [u32; 5] = [1, 1, 4, 4, 8];

/// Calls without progress, for the least weight, after which a goal is retired; one in this many attempts returns to it.
const RETIRED: u32 = 1024;
const RETURNS: usize = 16;

/// Urgency of a failing assertion.
const ASSERTION: u8 = 4;

/// An edge to reach.
#[derive(Debug)]
pub(super) struct Goal {
    /// The edge.
    pub(super) edge: EdgeId,
    /// Where its branch stands.
    pub(super) place: EdgeId,
    /// The smallest cost seen.
    cost: Cost,
    /// The execution that had it.
    pub(super) base: Arc<TracedRun>,
    /// The shortest sequence known to reach the branch.
    pub(super) shortest: Arc<TracedRun>,
    /// Of an assertion: the execution whose operands are largest beside their distance, by bits, so that an equality that
    /// holds is not frozen at `0 == 0`.
    pub(super) richest: Option<(usize, Arc<TracedRun>)>,
    /// How much such an edge is wanted.
    weight: u32,
    /// Calls spent on it since the cost last fell.
    pub(super) tries: u32,
    /// Where in the input vector of the base probing goes on.
    pub(super) cursor: usize,
    /// True once moving an element of the nearest execution was seen to bring it nearer.
    pub(super) moves: bool,
}

/// What is covered and what is just missed.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    covered: FxHashSet<EdgeId>,
    goals: Vec<Goal>,
    places: FxHashMap<EdgeId, usize>,
    /// Edges that were just missed for the first time, and that a technique did not work on since.
    fresh: [VecDeque<EdgeId>; GoalConsumer::COUNT],
    /// Position from which goals are looked through for one to give up.
    hand: usize,
}

/// Who works on goals; each sees every new one soon.
#[derive(Clone, Copy, Debug)]
pub(super) enum GoalConsumer {
    Prediction,
    DemandDriven,
}

impl GoalConsumer {
    const COUNT: usize = 2;
}

impl Frontier {
    /// Edges covered.
    pub(super) fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Whether an edge was covered.
    pub(super) fn is_covered(&self, edge: EdgeId) -> bool {
        self.covered.contains(&edge)
    }

    /// Notes that an edge was covered; says whether that is new.
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

    /// Notes that moving an element of `base` brings what is compared before an edge nearer.
    pub(super) fn note_moved(&mut self, edge: EdgeId, base: &TracedRun) {
        if let Some(place) = self.places.get(&edge) {
            let goal = &mut self.goals[*place];
            goal.moves |= goal.base.id == base.id;
        }
    }

    /// A goal whose place one of this weight may take when there is no other: one of the next few that is wanted less or retired.
    fn weaker(&self, weight: u32) -> Option<usize> {
        let next = (0..CONTESTANTS).map(|ahead| (self.hand + ahead) % self.goals.len());
        next.into_iter().find(|place| self.goals[*place].weight < weight || self.goals[*place].is_retired())
    }

    /// Whether an execution would be the nearest to what it just missed, or the richest.
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

    /// Takes `base` as the nearest or the richest execution to what `branch` missed, if it is; says whether that is progress:
    /// the goal is new, at half the distance, or richer.
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
        // Progress is worth new work, but what took a thousand steps may take a thousand more.
        goal.tries /= 2;
        is_progress
    }

    /// Any goal.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Goal> {
        rng.pick(&self.goals)
    }

    /// True while there are goals that a technique did not work on yet.
    pub(super) fn has_new(&mut self, worker: GoalConsumer) -> bool {
        let new = &mut self.fresh[worker as usize];
        while new.front().is_some_and(|edge| !self.places.contains_key(edge)) {
            new.pop_front();
        }
        !new.is_empty()
    }

    /// A goal to work on: one that is new, or of a few the one with the least work spent for its weight.
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
        // What nothing brings nearer for long is looked at now and then, lest it take the budget of what does.
        (!goal.is_retired() || rng.below(RETURNS) == 0).then_some(goal)
    }

    /// Last calls of executions that just missed something and read one of these slots, each of another function.
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

    /// All edges that were just missed and nothing covered.
    pub(super) fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter()
    }

    /// The goal at an edge.
    #[cfg(test)]
    pub(super) fn goal(&mut self, edge: EdgeId) -> Option<&mut Goal> {
        self.places.get(&edge).map(|place| &mut self.goals[*place])
    }
}

impl Goal {
    fn is_richer(&self, branch: &Branch, missed: Missed) -> bool {
        is_assertion(missed) && self.richest.as_ref().is_none_or(|(known, _)| wealth(branch) > *known)
    }

    /// True if nothing brought it nearer for long.
    fn is_retired(&self) -> bool {
        self.tries > RETIRED * self.weight
    }
}

fn weight(missed: Missed) -> u32 {
    WEIGHTS[usize::from(missed.urgency)]
}

/// Bits of the larger operand that are not in the distance: `0 >= 0` and `1 >= 1000` have none, `10^18 >= 10^18 - 5` many.
fn wealth(branch: &Branch) -> usize {
    let largest = branch.left.max(branch.right).bit_len();
    largest.saturating_sub(branch.cost().bit_len())
}

fn is_assertion(missed: Missed) -> bool {
    missed.urgency == ASSERTION
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy, traced_run},
        model::{BranchKind, BranchOutcome, Footprint, Observation, Relation, Step},
    };
    use alloy_primitives::Address;

    /// A run of `length` calls whose last one compared `left < 100` in vain.
    fn reached(id: u64, left: u64, length: usize) -> Arc<TracedRun> {
        reached_reading(id, left, length, &[])
    }

    fn reached_reading(id: u64, left: u64, length: usize, reads: &[(Slot, U256)]) -> Arc<TracedRun> {
        reached_at(id, [7, 8], left, length, reads)
    }

    /// A run that just missed an edge.
    fn missing(id: u64, edge: EdgeId) -> Arc<TracedRun> {
        reached_at(id, [edge + 1, edge], 500, 1, &[])
    }

    fn reached_at(
        id: u64,
        edges: [EdgeId; 2],
        left: u64,
        length: usize,
        reads: &[(Slot, U256)],
    ) -> Arc<TracedRun> {
        let branch = Branch {
            kind: BranchKind::Jump,
            relation: Relation::Less,
            left: U256::from(left),
            right: U256::from(100),
            edges,
            taken: [true, false],
            branch_outcomes: [BranchOutcome::On; 2],
            preimages: Default::default(),
        };
        let step = Step {
            path: 1,
            footprint: Some(Arc::new(Footprint {
                branches: vec![branch],
                reads: reads.to_vec(),
                ..Footprint::default()
            })),
            ..Step::default()
        };
        let seen = Observation { steps: vec![step], ..Observation::default() };
        let calls = vec![toy::call("inc", &[]); length];
        let seed = Arc::new(Seed { calls, born: Arc::default(), extendable: true });
        Arc::new(TracedRun::new(id, seed, &seen, &toy::generator()))
    }

    fn offer(frontier: &mut Frontier, base: &Arc<TracedRun>) {
        for branch in base.branches() {
            frontier.offer(branch, traced_run::missed(branch).expect("it was missed"), base);
        }
    }

    #[test]
    fn the_nearest_execution_is_kept_and_the_shortest_beside_it() {
        let mut frontier = Frontier::default();
        for (id, left, length) in [(1, 500, 2), (2, 900, 1), (3, 200, 5), (4, 300, 9)] {
            offer(&mut frontier, &reached(id, left, length));
        }
        let goal = frontier.goal(8).expect("a goal");
        assert_eq!((goal.base.id, goal.shortest.id), (3, 1));
        let wants = |left| {
            let base = reached(9, left, 1);
            base.branches()
                .any(|branch| frontier.wants(branch, traced_run::missed(branch).expect("it was missed")))
        };
        assert!(wants(199) && !wants(200));
    }

    #[test]
    fn what_is_covered_is_a_goal_no_more() {
        let mut frontier = Frontier::default();
        offer(&mut frontier, &reached(1, 500, 1));
        assert!(frontier.cover(8) && !frontier.cover(8));
        assert!(
            frontier.goal(8).is_none()
                && frontier.pick(GoalConsumer::Prediction, &mut Rng::new(1, 0)).is_none()
        );
        offer(&mut frontier, &reached(2, 200, 1));
        assert!(frontier.goal(8).is_none() && frontier.is_covered(8));
    }

    #[test]
    fn progress_is_worth_new_work() {
        let mut frontier = Frontier::default();
        offer(&mut frontier, &reached(1, 500, 1));
        frontier.goal(8).expect("a goal").tries = 1000;
        offer(&mut frontier, &reached(2, 499, 1));
        let goal = frontier.pick(GoalConsumer::Prediction, &mut Rng::new(1, 0)).expect("a goal");
        assert_eq!((goal.tries, goal.cursor), (500, 0));
    }

    #[test]
    fn where_there_is_no_place_what_is_retired_gives_way() {
        let mut frontier = Frontier::default();
        for edge in 0..CAPACITY as u64 {
            offer(&mut frontier, &missing(edge, 100 + 2 * edge));
        }
        let more = missing(1, 7);
        offer(&mut frontier, &more);
        assert!(frontier.goals().count() == CAPACITY && frontier.goal(7).is_none());
        frontier.goal(104).expect("a goal").tries = u32::MAX;
        offer(&mut frontier, &more);
        assert!(frontier.goals().count() == CAPACITY && frontier.goal(7).is_some());
        assert!(frontier.goal(104).is_none());
    }

    #[test]
    fn what_is_new_is_worked_on_first() {
        let mut frontier = Frontier::default();
        offer(&mut frontier, &reached(1, 500, 1));
        let goal = frontier.pick(GoalConsumer::Prediction, &mut Rng::new(1, 0)).expect("a goal");
        assert_eq!((goal.edge, goal.tries), (8, 0));
        assert_eq!(frontier.fresh.each_ref().map(VecDeque::len), [0, 1]);
    }

    #[test]
    fn readers_are_the_calls_that_wait_for_another_value_of_a_slot() {
        let [x, y] = [1, 2].map(|slot| Slot { address: Address::repeat_byte(0xa1), slot: U256::from(slot) });
        let (mut frontier, mut rng) = (Frontier::default(), Rng::new(1, 0));
        offer(&mut frontier, &reached_reading(1, 500, 1, &[(x, U256::ZERO)]));
        let written = |slot| vec![(slot, U256::from(7))];
        assert_eq!(frontier.readers(&written(x), 3, &mut rng).len(), 1);
        assert!(frontier.readers(&written(y), 3, &mut rng).is_empty());
        frontier.cover(8);
        assert!(frontier.readers(&written(x), 3, &mut rng).is_empty());
    }
}
