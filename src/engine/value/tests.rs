//! Tests of properties that hold for values of every type.

use super::*;
use crate::engine::{rng::Rng, toy};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use proptest::prelude::{Just, Strategy, prop, prop_assert, prop_oneof, proptest};

fn any_type() -> impl Strategy<Value = DynSolType> {
    let scalar = prop_oneof![
        Just(DynSolType::Bool),
        Just(DynSolType::Address),
        Just(DynSolType::Function),
        Just(DynSolType::Bytes),
        Just(DynSolType::String),
        (1_usize..=32).prop_map(|bytes| DynSolType::Int(8 * bytes)),
        (1_usize..=32).prop_map(|bytes| DynSolType::Uint(8 * bytes)),
        (1_usize..=32).prop_map(DynSolType::FixedBytes),
    ];
    scalar.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|item| DynSolType::Array(Box::new(item))),
            (inner.clone(), 1_usize..4).prop_map(|(item, n)| DynSolType::FixedArray(Box::new(item), n)),
            prop::collection::vec(inner, 1..4).prop_map(DynSolType::Tuple),
        ]
    })
}

/// Tells whether `value` is of type `ty`, is within the range of the type, and survives encoding.
fn fits(ty: &DynSolType, value: &DynSolValue) -> bool {
    ty.matches(value) && in_range(value) && ty.abi_decode(&value.abi_encode()).as_ref() == Ok(value)
}

fn in_range(value: &DynSolValue) -> bool {
    match value {
        DynSolValue::Uint(word, bits) => word.bit_len() <= *bits,
        DynSolValue::Int(word, bits) => number::fit_signed(word.into_raw(), *bits) == *word,
        DynSolValue::FixedBytes(word, size) => word[*size..].iter().all(|byte| *byte == 0),
        container => tree::items(container).iter().all(in_range),
    }
}

proptest! {
    #[test]
    fn every_generated_value_fits_its_type_and_encodes(ty in any_type(), seed: u64) {
        let (generator, mut rng) = (toy::generator(), Rng::new(seed, 0));
        for _ in 0..8 {
            let value = value(&ty, &generator, &mut rng);
            prop_assert!(fits(&ty, &value), "{value:?}");
        }
        prop_assert!(fits(&ty, &zero(&ty)));
    }

    #[test]
    fn every_mutated_value_still_fits_its_type(ty in any_type(), seed: u64) {
        let (generator, mut rng) = (toy::generator(), Rng::new(seed, 0));
        let mut values = [value(&ty, &generator, &mut rng)];
        for _ in 0..16 {
            let index = rng.below(tree::count(&values));
            mutate::mutate(tree::node_mut(&mut values, index).expect("counted"), &generator, &mut rng);
            prop_assert!(fits(&ty, &values[0]), "{:?}", values[0]);
        }
    }
}

#[test]
fn all_kinds_of_strings_and_byte_strings_occur() {
    let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
    let mut draw =
        |ty| -> Vec<DynSolValue> { (0..2_000).map(|_| value(&ty, &generator, &mut rng)).collect() };
    let strings = draw(DynSolType::String);
    let some = |test: fn(&str) -> bool| strings.iter().any(|value| value.as_str().is_some_and(test));
    assert!(some(str::is_empty) && some(|text| text.len() > 500) && some(|text| !text.is_ascii()));
    assert!(some(|text| text == "open sesame"), "the dictionary's");
    let blobs = draw(DynSolType::Bytes);
    let inc = toy::call("inc", &[]).input.calldata();
    assert!(blobs.contains(&DynSolValue::Bytes(inc.to_vec())), "calldata of a target");
    assert!(blobs.contains(&DynSolValue::Bytes(vec![0xbe, 0xef])), "the dictionary's");
    let selectors = draw(DynSolType::FixedBytes(4));
    let selector = DynSolValue::FixedBytes(alloy_primitives::B256::right_padding_from(&inc), 4);
    assert!(selectors.contains(&selector), "the selector of a target");
}

#[test]
fn parallel_arrays_often_agree_in_length() {
    let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
    let pay = toy::method("pay");
    let mut equal = 0;
    for _ in 0..1_000 {
        let args = arguments(&pay, &generator, &mut rng);
        equal += usize::from(tree::items(&args[0]).len() == tree::items(&args[1]).len());
    }
    assert!(equal > 550, "{equal}");
}

#[test]
fn fixtures_are_used_for_the_parameter_that_they_are_named_after() {
    let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
    let deposit = toy::method("deposit");
    let fixture = DynSolValue::Uint(alloy_primitives::U256::from(toy::FIXTURE), 256);
    let hits = (0..1_000).filter(|_| arguments(&deposit, &generator, &mut rng)[0] == fixture).count();
    assert!((340..460).contains(&hits), "{hits}");
}

#[test]
fn byte_strings_of_one_list_are_bounded_together() {
    let ty = DynSolType::FixedArray(Box::new(DynSolType::Bytes), 4096);
    let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
    for _ in 0..8 {
        let bytes = value(&ty, &generator, &mut rng).abi_encode().len() - 2 * 32 * 4096;
        assert!(bytes < (1 << 16) + 32 * 4096, "{bytes}");
    }
}
