//! Initial sequences from the calls that unit tests make.

use super::{
    call_generator::{self, CallGenerator},
    candidate::{Candidate, Intent},
    functions::Callable,
    rng::Rng,
    technique::Technique,
    value::tree,
};
use crate::engine::tuning::example::{MOST_PLACES, TAKEN_OVER, VARIANTS};
use crate::model::{Sequence, TargetFunction, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Call of a unit test, in terms of the functions of targets.
#[derive(Clone, Debug)]
pub struct Example {
    /// The same function of a target, or functions of targets that make the same call; at least one.
    pub functions: Vec<(Address, Arc<TargetFunction>)>,
    /// Arguments of the call.
    pub args: Vec<DynSolValue>,
    /// Sender of the call.
    pub sender: Address,
    /// Wei sent along.
    pub value: U256,
    /// Seconds that passed before the call.
    pub warp: U256,
}

/// Returns candidates that repeat the calls of unit tests. Each test is a list of calls that begins with
/// those of `setUp`; the last `depth` of them are used.
pub(super) fn candidates(
    tests: &[Vec<Example>],
    depth: usize,
    generator: &CallGenerator,
    rng: &mut Rng,
) -> Vec<Candidate> {
    let mut made: Vec<Candidate> = Vec::new();
    for test in tests {
        for _ in 0..VARIANTS {
            let last = test.iter().skip(test.len().saturating_sub(depth));
            let calls: Sequence = last.filter_map(|example| call(example, generator, rng)).collect();
            // If nothing is drawn at random, all variants are the same.
            if !calls.is_empty() && !made.iter().any(|known| known.sequence == calls) {
                let candidate = Candidate::new(calls, Technique::Seeds, "unit-test");
                made.push(candidate.traced(0, Intent::Explore));
            }
        }
    }
    made
}

fn call(example: &Example, generator: &CallGenerator, rng: &mut Rng) -> Option<Transaction> {
    let (target, function) = rng.pick(&example.functions)?;
    let method = generator.functions.method(function)?;
    let mut call = generator.call_of(&Callable { target: *target, method }, rng);
    call.reentry = None;
    if generator.may_send(example.sender) {
        call.sender = example.sender;
    }
    if generator.takes_value(function) {
        call.value = example.value;
    }
    call.warp = example.warp.min(generator.longest_warp());
    if let Some(args) = call.input.args_mut() {
        take_over(args, &example.args, rng);
    }
    Some(call)
}

/// Takes over the arguments of the call in the unit test: all if the types agree, else those that fit, in
/// their order.
fn take_over(args: &mut [DynSolValue], known: &[DynSolValue], rng: &mut Rng) {
    let is_same = args.len() == known.len()
        && args.iter().zip(known).all(|(arg, known)| arg.as_type() == known.as_type());
    if is_same {
        args.clone_from_slice(known);
        return;
    }
    let known = tree::flat(known);
    let mut next = 0;
    for to in 0..tree::count(args).min(MOST_PLACES) {
        let Some(place) = tree::node_mut(args, to) else { return };
        let found =
            (next..known.len()).find_map(|from| Some((from, call_generator::held(known[from], place)?)));
        if let Some((from, value)) = found.filter(|_| rng.percent(TAKEN_OVER)) {
            *place = value;
            next = from + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn example(name: &str, args: Vec<DynSolValue>) -> Example {
        let Transaction { target, input, .. } = toy::call(name, &[0][..args.len().min(1)]);
        let function = input.function().expect("typed").clone();
        Example {
            functions: vec![(target, function)],
            args,
            sender: Address::repeat_byte(7),
            value: U256::ZERO,
            warp: U256::ZERO,
        }
    }

    fn uint(value: u64, bits: usize) -> DynSolValue {
        DynSolValue::Uint(U256::from(value), bits)
    }

    #[test]
    fn calls_with_the_same_parameters_are_made_as_they_were() {
        let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
        let test = vec![example("inc", vec![]), example("unlock", vec![uint(42, 64)])];
        let made = candidates(&[test], 10, &generator, &mut rng);
        let named = |call: &Transaction| call.input.function().expect("typed").name.clone();
        let first = &made[0].sequence;
        assert_eq!(first.iter().map(named).collect::<Vec<_>>(), ["inc", "unlock"]);
        assert_eq!(first[1].input, toy::call("unlock", &[42]).input);
        assert_eq!(made[0].origin(), "unit-test");
    }

    #[test]
    fn parameters_of_other_types_get_what_they_can_hold() {
        let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
        let args = vec![DynSolValue::Address(Address::repeat_byte(9)), uint(300, 256), uint(7, 256)];
        let mut test = example("enter", vec![uint(0, 256)]);
        test.args = args;
        let made = candidates(&[vec![test]], 10, &generator, &mut rng);
        let entered = |n| toy::call("enter", &[n]).input;
        assert!(made.iter().any(|candidate| candidate.sequence[0].input == entered(300)));
    }

    #[test]
    fn tests_are_cut_to_the_depth() {
        let (generator, mut rng) = (toy::generator(), Rng::new(1, 0));
        let test = vec![example("inc", vec![]); 9];
        assert!(candidates(&[test], 4, &generator, &mut rng).iter().all(|made| made.sequence.len() == 4));
    }
}
