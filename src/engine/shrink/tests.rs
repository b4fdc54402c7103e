//! Tests of the shrinker on known programs.

use super::*;
use crate::{
    engine::{Engine, rng::Rng, toy},
    model::{Executor, Input, Probing},
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{B256, I256, U256, address};
use proptest::{prop_assert, prop_assert_eq, proptest};

const BUDGET: u32 = 5_000;
const ALICE: Address = address!("0000000000000000000000000000000000010000");
const BOB: Address = address!("0000000000000000000000000000000000020000");

fn hints() -> ShrinkHints {
    ShrinkHints { senders: vec![ALICE, BOB] }
}

/// Shrinks a sequence and counts the calls of the predicate, which must hold for the result.
fn shrunk(sequence: Sequence, mut holds: impl FnMut(&Sequence) -> bool) -> (Sequence, u32) {
    let mut attempts = 0;
    let result = shrink(sequence, &hints(), BUDGET, &mut |sequence| {
        attempts += 1;
        Some(holds(sequence))
    });
    assert!(holds(&result));
    (result, attempts)
}

fn breaks(property: usize) -> impl FnMut(&Sequence) -> bool {
    move |sequence| {
        let seen = toy::Toy.run(sequence, &toy::checks(&[property]), &Probing::default());
        !seen.broken.is_empty() && seen.steps.len() == sequence.len()
    }
}

/// Returns a sequence of one call to a function with one argument.
fn one(ty: &str, value: DynSolValue) -> Sequence {
    let function = toy::parse(&format!("f({ty} x)"));
    assert!(DynSolType::parse(ty).expect("a type").matches(&value));
    vec![toy::call_of(Address::ZERO, &function, vec![value])]
}

fn argument(sequence: &Sequence) -> &DynSolValue {
    match &sequence[0].input {
        Input::Typed { args, .. } => &args[0],
        Input::Raw(_) => panic!("typed"),
    }
}

/// Shrinks the argument `value` while `needs` holds.
fn simplest(ty: &str, value: DynSolValue, needs: fn(&DynSolValue) -> bool) -> DynSolValue {
    argument(&shrunk(one(ty, value), |sequence| needs(argument(sequence))).0).clone()
}

#[test]
fn only_the_calls_that_matter_stay() {
    let noise = ["never", "reset", "add", "pay", "make"];
    let mut calls: Sequence = Vec::new();
    for step in ["unlock", "inc", "inc", "inc", "enter", "reset", "finish"] {
        let args = match step {
            "unlock" => vec![toy::MAGIC],
            "enter" => vec![3],
            _ => vec![],
        };
        calls.extend(noise.iter().filter(|name| **name != "reset").flat_map(|name| match *name {
            "add" => vec![toy::call(name, &[5])],
            "pay" => vec![],
            _ => vec![toy::call(name, &[]); 3],
        }));
        calls.push(toy::call(step, &args));
    }
    let (result, attempts) = shrunk(calls, breaks(toy::LOCK_IS_SHUT));
    let names: Vec<&str> = result.iter().filter_map(|call| call.input.function()).map(|f| &*f.name).collect();
    assert_eq!(names, ["unlock", "inc", "inc", "inc", "enter", "reset", "finish"]);
    assert!(result.iter().all(|call| call.sender == ALICE));
    assert!(attempts < 300, "{attempts}");
}

#[test]
fn a_removed_call_leaves_its_time_to_the_next() {
    let mut calls = vec![toy::call("inc", &[]); 4];
    calls.iter_mut().for_each(|call| (call.warp, call.roll) = (U256::from(10), U256::from(2)));
    let late = |calls: &Sequence| calls.iter().map(|call| call.warp).sum::<U256>() >= U256::from(35);
    let (result, _) = shrunk(calls, late);
    assert_eq!(result.len(), 1);
    assert_eq!((result[0].warp, result[0].roll), (U256::from(35), U256::ZERO));
}

#[test]
fn value_shrinks_to_what_is_needed() {
    let mut calls = vec![toy::call("deposit", &[1]); 2];
    calls.iter_mut().for_each(|call| call.value = U256::from(1) << 90);
    let paid = |calls: &Sequence| calls.len() == 2 && calls[1].value > U256::from(1_000);
    let (result, _) = shrunk(calls, paid);
    assert_eq!(result.iter().map(|call| call.value.to::<u64>()).collect::<Vec<_>>(), [0, 1_001]);
}

#[test]
fn senders_become_few_and_simple() {
    let (x, y) = (Address::repeat_byte(0xaa), Address::repeat_byte(0xbb));
    let calls: Sequence = [x, y, x].map(|sender| Transaction { sender, ..toy::call("inc", &[]) }).to_vec();
    let any = shrunk(calls.clone(), |calls| calls.len() == 3).0;
    assert!(any.iter().all(|call| call.sender == ALICE));
    let differ = |calls: &Sequence| calls.len() == 3 && calls[0].sender != calls[1].sender;
    let result = shrunk(calls, differ).0;
    let senders: Vec<Address> = result.iter().map(|call| call.sender).collect();
    assert!(senders.iter().all(|sender| [ALICE, BOB].contains(sender)), "{senders:?}");
}

#[test]
fn an_account_is_renamed_where_it_calls_and_where_it_is_named() {
    let x = Address::repeat_byte(0xaa);
    let mut calls = one("address", DynSolValue::Address(x));
    calls[0].sender = x;
    let itself = |calls: &Sequence| *argument(calls) == DynSolValue::Address(calls[0].sender);
    let (result, _) = shrunk(calls, itself);
    assert_eq!((result[0].sender, argument(&result)), (ALICE, &DynSolValue::Address(ALICE)));
}

#[test]
fn numbers_shrink_towards_zero() {
    let uint = |word: u64| DynSolValue::Uint(U256::from(word), 256);
    let int = |number: i64| DynSolValue::Int(I256::unchecked_from(number), 64);
    fn signed(value: &DynSolValue) -> I256 {
        value.as_int().expect("an integer").0
    }
    let above = |value: &DynSolValue| value.as_uint().is_some_and(|(word, _)| word > U256::from(41));
    assert_eq!(simplest("uint256", uint(u64::MAX), above), uint(42));
    assert_eq!(simplest("int64", int(-987_654_321), |value| !signed(value).is_zero()), int(1));
    assert_eq!(
        simplest("int64", int(-987_654_321), |value| signed(value) < I256::unchecked_from(-41)),
        int(-42)
    );
    assert_eq!(simplest("int64", int(i64::MIN), |value| signed(value).is_negative()), int(-1));
    assert_eq!(simplest("bool", DynSolValue::Bool(true), |_| true), DynSolValue::Bool(false));
}

#[test]
fn strings_bytes_and_addresses_become_short_and_plain() {
    let text = |text: &str| DynSolValue::String(text.to_owned());
    let long = |value: &DynSolValue| value.as_str().is_some_and(|text| text.len() > 3);
    let special = |value: &DynSolValue| value.as_str().is_some_and(|text| text.contains('ö'));
    assert_eq!(simplest("string", text("hellö wörld"), long), text("aaaa"));
    assert_eq!(simplest("string", text("hellö wörld"), special), text("ö"));
    let bytes = |bytes: &[u8]| DynSolValue::Bytes(bytes.to_vec());
    let some = |value: &DynSolValue| value.as_bytes().is_some_and(|bytes| bytes.len() > 2);
    assert_eq!(simplest("bytes", bytes(&[9; 40]), some), bytes(&[0; 3]));
    let word = |word: B256| DynSolValue::FixedBytes(word, 32);
    assert_eq!(simplest("bytes32", word(B256::repeat_byte(7)), |_| true), word(B256::ZERO));
    let second = |value: &DynSolValue| value.as_fixed_bytes().is_some_and(|(bytes, _)| bytes[1] > 5);
    let expected = B256::right_padding_from(&[0, 6]);
    assert_eq!(simplest("bytes32", word(B256::repeat_byte(7)), second), word(expected));
    let someone = DynSolValue::Address(Address::repeat_byte(9));
    let not_zero = |value: &DynSolValue| value.as_address().is_some_and(|address| !address.is_zero());
    assert_eq!(simplest("address", someone, not_zero), DynSolValue::Address(ALICE));
}

#[test]
fn nested_containers_shrink_inside_out() {
    let pair =
        |n: u64| DynSolValue::Tuple(vec![DynSolValue::Uint(U256::from(n), 256), DynSolValue::Bool(true)]);
    let value = DynSolValue::Array((0..20).map(|n| pair(1_000 + n)).collect());
    let large = |value: &DynSolValue| {
        let first = |item: &DynSolValue| item.as_tuple().and_then(|items| items[0].as_uint());
        value.as_array().is_some_and(|items| items.iter().filter_map(first).any(|(n, _)| n > U256::from(9)))
    };
    let expected = DynSolValue::Tuple(vec![DynSolValue::Uint(U256::from(10), 256), DynSolValue::Bool(false)]);
    assert_eq!(simplest("(uint256,bool)[]", value, large), DynSolValue::Array(vec![expected]));
}

#[test]
fn parallel_arrays_shrink_together() {
    let function = toy::parse("f(uint8[] a, bool[] b)");
    let args = vec![
        DynSolValue::Array((0..9).map(|n| DynSolValue::Uint(U256::from(n), 8)).collect()),
        DynSolValue::Array(vec![DynSolValue::Bool(true); 9]),
    ];
    let calls = vec![toy::call_of(Address::ZERO, &function, args)];
    let lengths = |calls: &Sequence| match &calls[0].input {
        Input::Typed { args, .. } => [0, 1].map(|arg| args[arg].as_array().map_or(0, <[_]>::len)),
        Input::Raw(_) => panic!("typed"),
    };
    let (result, _) = shrunk(calls, |calls| lengths(calls)[0] == lengths(calls)[1] && lengths(calls)[0] > 1);
    assert_eq!(lengths(&result), [2, 2]);
}

fn names(sequence: &Sequence) -> Vec<String> {
    sequence.iter().map(|call| call.input.function().expect("typed").name.clone()).collect()
}

#[test]
fn two_calls_that_only_go_together_go() {
    let calls = ["inc", "make", "reset", "finish"].map(|name| toy::call(name, &[])).to_vec();
    let (result, _) = shrunk(calls, |calls| {
        let has = |name: &str| names(calls).contains(&name.to_owned());
        has("finish") && has("inc") == has("reset")
    });
    assert_eq!(names(&result), ["finish"]);
}

#[test]
fn calls_of_one_function_become_one_with_the_sum_of_their_numbers() {
    let calls = vec![
        toy::call("enter", &[60]),
        toy::call("make", &[]),
        toy::call("enter", &[30]),
        toy::call("enter", &[25]),
        toy::call("finish", &[]),
    ];
    let (result, _) = shrunk(calls, |calls| {
        let entered = calls.iter().filter_map(|call| match &call.input {
            Input::Typed { args, .. } => args.first()?.as_uint().map(|(number, _)| number),
            Input::Raw(_) => None,
        });
        entered.sum::<U256>() > U256::from(100) && names(calls).last().is_some_and(|last| last == "finish")
    });
    assert_eq!(
        result,
        [toy::call("enter", &[101]), toy::call("finish", &[])]
            .map(|call| Transaction { sender: result[0].sender, ..call })
    );
}

#[test]
fn all_the_time_passes_before_one_call() {
    let mut calls = ["inc", "make", "finish"].map(|name| toy::call(name, &[])).to_vec();
    calls.iter_mut().for_each(|call| call.warp = U256::from(40));
    let (result, _) = shrunk(calls, |calls| {
        let time: U256 = calls.iter().map(|call| call.warp).sum();
        calls.len() == 3 && time > U256::from(100)
    });
    assert_eq!(result.iter().map(|call| call.warp.to::<u64>()).collect::<Vec<_>>(), [0, 0, 101]);
}

/// Shrinks as Forge does: removes one call after the other until no call can be removed.
fn as_forge(mut calls: Sequence, mut holds: impl FnMut(&Sequence) -> bool) -> Sequence {
    loop {
        let before = calls.len();
        let mut index = 0;
        while index < calls.len() && calls.len() > 1 {
            let mut fewer = calls.clone();
            fewer.remove(index);
            if holds(&fewer) { calls = fewer } else { index += 1 }
        }
        if calls.len() == before {
            return calls;
        }
    }
}

#[test]
fn nothing_is_longer_than_what_forge_makes_of_it() {
    for seed in 0..40 {
        let (generator, mut rng) = (toy::generator(), Rng::new(seed, 0));
        let calls: Sequence = (0..40).filter_map(|_| generator.call(&[], None, &mut rng)).collect();
        // Each of several sets of calls suffices; smaller sets are rarer.
        let holds = |calls: &Sequence| {
            let count = |name: &str| names(calls).iter().filter(|other| *other == name).count();
            count("inc") > 1 && count("make") > 0
                || count("reset") > 0 && count("pay") > 0
                || count("boom") > 3
        };
        if holds(&calls) {
            let ours = shrunk(calls.clone(), holds).0.len();
            assert!(ours <= as_forge(calls, holds).len(), "seed {seed}");
        }
    }
}

#[test]
fn a_predicate_that_gives_up_ends_it_with_the_best_so_far() {
    let calls = vec![toy::call("inc", &[]); 30];
    let mut attempts = 0;
    let result = shrink(calls, &hints(), BUDGET, &mut |calls| {
        attempts += 1;
        (attempts < 3).then_some(calls.len() > 13)
    });
    assert!((14..30).contains(&result.len()) && attempts == 3);
}

#[test]
fn the_budget_bounds_the_attempts_and_zero_changes_nothing() {
    let calls = vec![toy::call("inc", &[]); 30];
    let mut attempts = 0;
    let mut count = |budget| {
        attempts = 0;
        let result = shrink(calls.clone(), &hints(), budget, &mut |calls| {
            attempts += 1;
            Some(calls.len() > 13)
        });
        (result.len(), attempts)
    };
    assert_eq!(count(0), (30, 0));
    let (length, attempts) = count(3);
    assert!(length >= 14 && attempts == 3);
    assert_eq!(count(BUDGET).0, 14);
}

#[test]
fn raw_calls_are_removed_or_kept_as_they_are() {
    let raw = Transaction { input: Input::Raw(vec![1, 2, 3].into()), ..toy::call("inc", &[]) };
    let (result, _) = shrunk(vec![raw.clone(), raw.clone()], |_| true);
    assert_eq!(result, [Transaction { sender: ALICE, ..raw }]);
}

proptest! {
    #[test]
    fn whatever_breaks_a_property_shrinks_to_something_minimal(seed: u64, property in 0..3_usize) {
        let mut engine = Engine::new(toy::init(40, seed));
        let mut holds = breaks(property);
        let found = (0..20_000).find_map(|_| {
            let candidate = engine.ask();
            let seen = toy::Toy.run(candidate.sequence(), &toy::checks(&[property]), &Probing::default());
            engine.tell(&candidate, &seen);
            (!seen.broken.is_empty()).then(|| candidate.sequence()[..seen.steps.len()].to_vec())
        });
        let Some(found) = found else { return Ok(()) };
        let (result, _) = shrunk(found.clone(), &mut holds);
        prop_assert!(result.len() <= found.len());
        for removed in 0..result.len() {
            let mut fewer = result.clone();
            fewer.remove(removed);
            prop_assert!(!holds(&fewer), "call {} of {:?} is not needed", removed, result);
        }
        prop_assert!(property != toy::COUNT_IS_SMALL || result.len() == 14);
        prop_assert_eq!(shrunk(found, holds).0, result, "deterministic");
    }
}
