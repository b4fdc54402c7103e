use super::*;
use crate::{
    engine::{seed::Seed, toy, traced_run},
    model::{Footprint, Observation, Step},
};
use alloy_primitives::Address;

/// Returns a run of `length` calls whose last one compared `left < 100`, which was false.
fn reached(id: u64, left: u64, length: usize) -> Arc<TracedRun> {
    reached_reading(id, left, length, &[])
}

fn reached_reading(id: u64, left: u64, length: usize, reads: &[(Slot, U256)]) -> Arc<TracedRun> {
    reached_at(id, [7, 8], left, length, reads)
}

/// Returns a run that just missed an edge.
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
    let step = Step {
        path: 1,
        footprint: Some(Arc::new(Footprint {
            branches: vec![toy::missed(edges, left)],
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
        frontier.goal(8).is_none() && frontier.pick(GoalConsumer::Prediction, &mut Rng::new(1, 0)).is_none()
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
fn the_half_with_less_work_is_kept() {
    let mut frontier = Frontier::default();
    for place in 0..10 {
        let edge = 100 + 2 * place;
        offer(&mut frontier, &missing(edge, edge));
        frontier.goal(edge).expect("a goal").tries = (place as u32 * 7) % 10 * 100;
    }
    frontier.forget_half();
    let mut tries: Vec<u32> = frontier.goals().map(|goal| goal.tries).collect();
    tries.sort_unstable();
    assert_eq!(tries, [0, 100, 200, 300, 400]);
    assert!(frontier.goals.iter().enumerate().all(|(place, goal)| frontier.places[&goal.edge] == place));
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
