//! Tests of properties that hold for every operator.

use super::*;
use crate::{
    engine::{Engine, call_generator::CallGenerator, seed::Seed, toy},
    model::{Executor, Input, Sequence},
};
use proptest::{prop_assert, proptest};
use std::sync::Arc;

/// Returns an engine with the corpus and the call generator as they are after a thousand candidates.
fn grown() -> Engine {
    let mut engine = Engine::new(toy::init(12, 9));
    for _ in 0..1_000 {
        let candidate = engine.ask();
        let seen = toy::Toy.run(candidate.sequence(), &toy::checks(&[]), candidate.probing());
        engine.tell(&candidate, &seen);
    }
    engine
}

fn typed(generator: &CallGenerator, sequence: &Sequence) -> bool {
    sequence.iter().all(|call| match &call.input {
        Input::Typed { function, args } => {
            let method = generator.functions.method(function).expect("a function of the toy");
            method.params.len() == args.len()
                && method.params.iter().zip(&**args).all(|(param, arg)| param.ty.matches(arg))
        }
        Input::Raw(_) => false,
    })
}

#[test]
fn every_operator_applies_and_keeps_types_and_depth() {
    let mut engine = grown();
    for operator in &OPERATORS {
        let mut applied = 0;
        for _ in 0..500 {
            let Some(pick) = engine.state.corpus.pick(&mut engine.state.rng) else { panic!("a corpus") };
            let mut builder = SequenceBuilder::new(Some(&pick.seed), 12);
            let mut material = MutationContext {
                generator: &engine.state.generator,
                corpus: &engine.state.corpus,
                rng: &mut engine.state.rng,
                lengthens: true,
            };
            applied += usize::from((operator.apply)(&mut builder, &mut material));
            let (sequence, _) = builder.finish(&engine.state.generator.functions);
            assert!(sequence.len() <= 12, "{}", operator.name);
            assert!(typed(&engine.state.generator, &sequence), "{}: {sequence:?}", operator.name);
        }
        assert!(applied > 100, "{}: {applied}", operator.name);
    }
}

#[test]
fn operators_are_chosen_by_weight() {
    let mut rng = Rng::new(1, 0);
    let total: usize = OPERATORS.iter().map(|operator| operator.weight).sum();
    let draws = 1_000 * total;
    let mut counts: std::collections::BTreeMap<&str, usize> = Default::default();
    (0..draws).for_each(|_| *counts.entry(choose(&mut rng).name).or_insert(0) += 1);
    for operator in &OPERATORS {
        let expected = 1_000 * operator.weight;
        assert!(counts[operator.name].abs_diff(expected) < expected / 5, "{counts:?}");
    }
}

fn seed_of(calls: Sequence) -> Seed {
    Seed { calls, born: Arc::default(), extendable: true }
}

#[test]
fn trimming_keeps_the_last_call() {
    let mut rng = Rng::new(1, 0);
    let mut calls = vec![toy::call("inc", &[]); 9];
    calls.push(toy::call("reset", &[]));
    let mut lengths = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let mut builder = SequenceBuilder::new(Some(&seed_of(calls.clone())), 12);
        trim(&mut builder, &mut rng);
        assert_eq!(builder.calls().last(), calls.last());
        lengths.insert(builder.len());
    }
    assert_eq!(lengths.first(), Some(&1));
    assert!(lengths.last() < Some(&10));
}

proptest! {
    #[test]
    fn any_row_of_operators_keeps_types_and_depth(seed: u64, depth in 1_usize..9) {
        let init = toy::init(depth as u32, seed);
        let mut engine = Engine::new(init);
        for _ in 0..300 {
            let candidate = engine.ask();
            prop_assert!((1..=depth).contains(&candidate.sequence().len()));
            prop_assert!(typed(&engine.state.generator, candidate.sequence()));
            prop_assert!(candidate.sequence().iter().all(|call| call.sender != toy::EXCLUDED));
            let seen = toy::Toy.run(candidate.sequence(), &toy::checks(&[]), candidate.probing());
            engine.tell(&candidate, &seen);
        }
    }
}
