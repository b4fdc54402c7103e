//! The search as a whole, on the toy.

use super::{rng::Rng, *};
use crate::model::{Executor, Observation, Probing, Sequence};
use alloy_primitives::U256;
use std::collections::BTreeSet;
use toy::{CHILDREN_SLEEP, COUNT_IS_SMALL, LARGEST_SUM, LOCK_IS_SHUT, Toy};

/// Most calls spent on one search.
const BUDGET: usize = 1_000_000;

/// Calls until `property` is broken.
fn calls_to_break(property: usize, init: EngineInit, most: usize) -> Option<usize> {
    let (mut engine, checks) = (Engine::new(init), toy::checks(&[property]));
    let mut calls = 0;
    while calls < most {
        let candidate = engine.ask();
        let seen = Toy.run(candidate.sequence(), &checks, candidate.probing());
        calls += seen.steps.len();
        if !seen.broken.is_empty() && !candidate.is_aggressive() {
            return Some(calls);
        }
        engine.tell(&candidate, &seen);
    }
    None
}

fn median(property: usize, depth: u32) -> usize {
    middle(property, depth).1
}

/// Calls to break it, of all seeds and in the median.
fn middle(property: usize, depth: u32) -> (Vec<usize>, usize) {
    let runs = (0..9).map(|seed| calls_to_break(property, toy::init(depth, seed), BUDGET));
    let mut runs: Vec<usize> = runs.map(|run| run.expect("found within the budget")).collect();
    runs.sort_unstable();
    let median = runs[4];
    (runs, median)
}

/// Whether uniform sequences of full depth, with the same values, break `property` in `most` calls.
fn uniform_breaks(property: usize, depth: usize, most: usize) -> bool {
    let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
    (0..most / depth).any(|_| {
        let sequence = (0..depth).filter_map(|_| generator.call(&[], None, &mut rng)).collect();
        !Toy.run(&sequence, &toy::checks(&[property]), &Probing::default()).broken.is_empty()
    })
}

fn candidates(seed: u64, stream: u64, count: usize) -> Vec<Candidate> {
    let mut engine = Engine::new(EngineInit { stream, ..toy::init(10, seed) });
    let mut run = |_| {
        let candidate = engine.ask();
        engine.tell(&candidate, &Toy.run(candidate.sequence(), &toy::checks(&[]), candidate.probing()));
        candidate
    };
    (0..count).map(&mut run).collect()
}

#[test]
fn a_random_depth_draws_the_lengths_of_long_random_sequences() {
    let lengths = |min_depth| {
        let mut init = toy::init(10, 1);
        init.invariant.min_depth = min_depth;
        let (mut engine, mut lengths) = (Engine::new(init), BTreeSet::new());
        for _ in 0..2000 {
            let candidate = engine.ask();
            if candidate.origin() == "random" {
                lengths.insert(candidate.sequence().len());
            }
            engine.tell(&candidate, &Toy.run(candidate.sequence(), &toy::checks(&[]), candidate.probing()));
        }
        lengths
    };
    assert_eq!(lengths(None), BTreeSet::from([10]));
    assert_eq!(lengths(Some(6)), BTreeSet::from([6, 7, 8, 9, 10]));
    // As in Forge 1.8, a minimum above the depth is the depth.
    assert_eq!(lengths(Some(20)), BTreeSet::from([10]));
}

#[test]
fn the_same_seed_and_stream_give_the_same_candidates() {
    let sequences = |seed, stream, count| -> Vec<Sequence> {
        candidates(seed, stream, count).into_iter().map(|candidate| candidate.sequence).collect()
    };
    assert_eq!(sequences(1, 0, 2_000), sequences(1, 0, 2_000));
    assert_ne!(sequences(1, 0, 100), sequences(2, 0, 100));
    assert_ne!(sequences(1, 0, 100), sequences(1, 1, 100));
}

#[test]
fn every_function_is_first_called_once_with_zeros() {
    let first = candidates(1, 0, toy::FUNCTIONS + 1);
    for (candidate, callable) in first.iter().zip(toy::functions().all()) {
        let function = &callable.method.function;
        assert_eq!(candidate.origin(), "zero");
        let zeros = callable.method.params.iter().map(|param| value::zero(&param.ty)).collect();
        let input = crate::model::Input::typed(function, zeros);
        assert_eq!(candidate.sequence()[0].input, input);
    }
    assert_eq!(first[toy::FUNCTIONS].origin(), "zero", "a view function");
}

#[test]
fn random_sequences_get_the_configured_share_of_the_cost_at_most() {
    let mut init = toy::init(10, 1);
    init.harvey.random_walks = 10;
    let (mut engine, checks) = (Engine::new(init), toy::checks(&[]));
    for _ in 0..20_000 {
        let candidate = engine.ask();
        engine.tell(&candidate, &Toy.run(candidate.sequence(), &checks, candidate.probing()));
    }
    let origins = engine.statistics().origins;
    let cost = |random: bool| {
        let of = origins.iter().filter(|origin| !random || origin.technique == Technique::Random);
        of.map(|origin| origin.account.cost).sum::<u64>()
    };
    let share = 100 * cost(true) / cost(false);
    assert!((5..=12).contains(&share), "{share}");
}

/// Where nearly every run takes a new path, none of the sources of candidates may hold back another.
#[test]
fn every_technique_runs_within_the_first_thousand_executions() {
    for seed in 0..5 {
        let (mut engine, mut crowd) =
            (Engine::new(toy_contracts::init(seed)), toy_contracts::ToyContracts::default());
        let mut executions = 0;
        while executions < 1_000 {
            let candidate = engine.ask();
            let seen = crowd.run(candidate.sequence(), &toy::checks(&[]), candidate.probing());
            executions += seen.steps.len();
            engine.tell(&candidate, &seen);
        }
        let statistics = engine.statistics();
        let sequences = |operator: &str| {
            let of = statistics.origins.iter().filter(|origin| origin.operator == operator);
            of.map(|origin| origin.account.sequences).sum::<u64>()
        };
        assert_eq!(sequences("zero"), toy_contracts::FUNCTIONS);
        for operator in ["random", "prefix", "probe", "predict", "follow", "aggressive", "operand"] {
            assert!(sequences(operator) > 0, "{operator}, seed {seed}: {:#?}", statistics.origins);
        }
        let total: u64 = statistics.origins.iter().map(|origin| origin.account.cost).sum();
        // The toy hands control to nobody, and is not executed symbolically.
        let idle = [Technique::Reentry, Technique::Solver];
        for technique in Technique::ALL.into_iter().filter(|technique| !idle.contains(technique)) {
            let own = statistics.origins.iter().filter(|origin| origin.technique == technique);
            let share = 100 * own.map(|origin| origin.account.cost).sum::<u64>() / total;
            assert!((2..=60).contains(&share), "{} has {share} %, seed {seed}", technique.name());
        }
    }
}

#[test]
fn accumulation_is_found_where_uniform_sequences_miss_it() {
    assert!(median(COUNT_IS_SMALL, 50) < 10_000);
    assert!(!uniform_breaks(COUNT_IS_SMALL, 50, 100_000));
}

#[test]
fn a_lock_of_three_stages_is_opened_where_uniform_sequences_fail() {
    let (runs, median) = middle(LOCK_IS_SHUT, 20);
    assert!(median < 40_000, "{runs:?}");
    assert!(!uniform_breaks(LOCK_IS_SHUT, 20, 500_000));
}

#[test]
fn contracts_created_on_the_way_are_called() {
    assert!(median(CHILDREN_SLEEP, 10) < 2_000);
    assert!(median(CHILDREN_SLEEP, 3) < 4_000);
}

#[test]
fn contracts_created_on_the_way_are_left_alone_unless_they_are_targets() {
    let mut init = toy::init(10, 1);
    init.targets.dynamic = false;
    assert_eq!(calls_to_break(CHILDREN_SLEEP, init, 5_000), None);
}

#[test]
fn the_value_of_an_optimization_grows() {
    let best = |seed| {
        let (mut engine, checks) = (Engine::new(toy::init(8, seed)), toy::checks(&[LARGEST_SUM]));
        for _ in 0..4_000 {
            let candidate = engine.ask();
            engine.tell(&candidate, &Toy.run(candidate.sequence(), &checks, candidate.probing()));
        }
        engine.state.corpus.best(LARGEST_SUM).expect("a value")
    };
    let mut values: Vec<_> = (0..9).map(best).collect();
    values.sort_unstable();
    // Eight additions of an int16.
    assert!(values[4] > alloy_primitives::I256::unchecked_from(7 * 32_000), "{values:?}");
}

#[test]
fn what_reverted_before_the_last_call_is_not_kept_but_its_time_is() {
    let mut engine = Engine::new(toy::init(9, 1));
    let mut calls = vec![toy::call("make", &[]), toy::call("never", &[]), toy::call("make", &[])];
    calls.insert(0, toy::call("never", &[]));
    calls.iter_mut().for_each(|call| call.warp = U256::from(5));
    let seen = Toy.run(&calls, &toy::checks(&[]), &Probing::default());
    let kept = engine.state.prefix(&calls, &seen, 3);
    assert_eq!(kept.calls.iter().map(|call| call.warp.to::<u64>()).collect::<Vec<_>>(), [10, 10]);
    assert_eq!(kept.born.iter().map(|born| born.step).collect::<Vec<_>>(), [0, 1]);
    let reverting = engine.state.prefix(&calls, &seen, 2);
    assert_eq!((reverting.calls.len(), reverting.extendable), (2, false));
}

#[test]
fn without_anything_to_call_or_any_depth_candidates_are_empty() {
    let nothing = EngineInit { targets: TargetSet::default(), ..toy::init(5, 1) };
    assert_eq!(Engine::new(nothing).ask().sequence(), &vec![]);
    let mut shallow = Engine::new(toy::init(0, 1));
    let candidate = shallow.ask();
    assert_eq!(candidate.sequence(), &vec![]);
    shallow.tell(&candidate, &Observation::default());
}
