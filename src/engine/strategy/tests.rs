//! The strategies, on the toy.

use crate::{
    config::Strategy,
    engine::{Candidate, Engine, EngineInit, Technique, toy, tuning::strategy_genetic::POPULATION},
    model::Executor as _,
};
use std::collections::BTreeSet;
use toy::Toy;

/// Runs candidates of a strategy, the second half with half of the budget used up.
fn candidates(strategy: Strategy, count: usize) -> Vec<Candidate> {
    let mut init = toy::init(10, 1);
    init.harvey.strategy = strategy;
    candidates_of(init, count)
}

fn candidates_of(init: EngineInit, count: usize) -> Vec<Candidate> {
    let mut engine = Engine::new(init);
    let mut run = |index| {
        engine.note_budget(if index < count / 2 { 0 } else { 500 });
        let candidate = engine.ask();
        engine.tell(&candidate, &Toy.run(candidate.sequence(), &toy::checks(&[]), candidate.probing()));
        candidate
    };
    (0..count).map(&mut run).collect()
}

fn origins(candidates: &[Candidate]) -> BTreeSet<&'static str> {
    candidates.iter().map(Candidate::origin).collect()
}

#[test]
fn each_strategy_gives_the_same_candidates_for_the_same_seed() {
    for strategy in Strategy::ALL {
        let sequences =
            || -> Vec<_> { candidates(strategy, 500).into_iter().map(Candidate::into_sequence).collect() };
        assert_eq!(sequences(), sequences(), "{strategy:?}");
    }
}

#[test]
fn blackbox_fuzzing_makes_random_sequences_alone() {
    let all = candidates(Strategy::Blackbox, 2000);
    assert_eq!(origins(&all), BTreeSet::from(["random", "short"]));
    let shown = format!("{all:?}");
    assert!(!shown.contains(&toy::MAGIC.to_string()), "a literal of the sources");
}

#[test]
fn the_genetic_algorithm_breeds_from_a_random_population() {
    let all = candidates(Strategy::Genetic, 4 * POPULATION);
    let (first, later) = all.split_at(2 * POPULATION);
    assert_eq!(origins(first), BTreeSet::from(["random", "fitness"]));
    assert_eq!(origins(later), BTreeSet::from(["offspring", "fitness"]));
    assert!(all.iter().filter(|candidate| candidate.origin() == "fitness").all(Candidate::is_repetition));
}

#[test]
fn the_adaptive_strategy_mutates_after_one_call_of_each_function() {
    let all = candidates(Strategy::Adaptive, 2000);
    let (initial, mutants) = all.split_at(toy::functions().all().count());
    assert!(initial.iter().all(|candidate| candidate.technique() == Technique::Seeds));
    assert!(mutants.iter().all(|candidate| candidate.technique() == Technique::Mutation));
}

#[test]
fn the_solver_follows_half_of_the_budget_of_random_sequences() {
    let all = candidates(Strategy::Smt, 2000);
    let (random, solver) = all.split_at(1000);
    assert_eq!(origins(random), BTreeSet::from(["random", "short"]));
    assert!(origins(solver).is_superset(&BTreeSet::from(["measure", "path"])), "{:?}", origins(solver));
}
