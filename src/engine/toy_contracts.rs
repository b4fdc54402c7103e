//! Toy program of 80 functions with thousands of paths each, as in large test harnesses. Nearly every run
//! takes a new path, writes a slot that other functions read, and just misses a branch.

use super::{EngineInit, dictionary::InitialDictionary, toy};
use crate::model::{
    Branch, BranchKind, BranchOutcome, EdgeId, Executor, Footprint, Input, NewCoverage, Observation, Probing,
    Relation, Sequence, Slot, Step, Target, TargetFunction, TargetSet, executor::Checks,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};
use rustc_hash::FxHasher;
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

/// Number of functions.
pub(super) const FUNCTIONS: u64 = 80;
const HOME: Address = Address::repeat_byte(0xa1);

/// Returns the initial data of an engine for the program.
pub(super) fn init(seed: u64) -> EngineInit {
    let functions: Vec<Arc<TargetFunction>> =
        (0..FUNCTIONS).map(|index| toy::parse(&format!("f{index}(uint256 n)"))).collect();
    let target = Target {
        address: HOME,
        identifier: "toy.sol:ToyContracts".into(),
        functions,
        views: Vec::new(),
        abi: Arc::default(),
    };
    EngineInit {
        targets: TargetSet { targets: vec![target], ..TargetSet::default() },
        dictionary: InitialDictionary { addresses: vec![HOME], ..Default::default() },
        ..toy::init(50, seed)
    }
}

/// Executor of the program.
#[derive(Default)]
pub(super) struct ToyContracts {
    seen: std::collections::BTreeSet<EdgeId>,
}

impl Executor for ToyContracts {
    fn run(&mut self, sequence: &Sequence, _: &Checks, probing: &Probing) -> Observation {
        let (mut state, mut seen) = (BTreeMap::new(), Observation::default());
        for (index, tx) in sequence.iter().enumerate() {
            let Input::Typed { function, args } = &tx.input else { continue };
            let number: u64 = function.name[1..].parse().expect("functions are numbered");
            let argument =
                args.first().and_then(DynSolValue::as_uint).map(|(word, _)| word).unwrap_or_default();
            let (read, written) = (slot(number), slot((number * 7 + 1) % FUNCTIONS));
            let word = state.get(&read).copied().unwrap_or_default();
            let branch = branch(number, argument, word);
            let edge = branch.edges[usize::from(branch.taken[1])];
            let is_traced = probing.track && index + 1 == sequence.len();
            let footprint = is_traced.then(|| {
                let (reads, writes) = (vec![(read, word)], vec![(written, argument)]);
                Arc::new(Footprint { branches: vec![branch], reads, writes })
            });
            state.insert(written, argument);
            let edges = if self.seen.insert(edge) { vec![edge] } else { Vec::new() };
            let new_coverage = NewCoverage { edges, ..NewCoverage::default() };
            let work = if is_traced { &mut seen.work.traced } else { &mut seen.work.plain };
            *work += 500 + 10 * number;
            seen.steps.push(Step {
                path: path(number, argument),
                new_coverage,
                footprint,
                ..Step::default()
            });
        }
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        seen.state = hasher.finish();
        seen
    }
}

fn slot(number: u64) -> Slot {
    Slot { address: HOME, slot: U256::from(number) }
}

/// Returns one of thousands of paths per function, as if a loop ran over the bits of the argument.
fn path(number: u64, argument: U256) -> u64 {
    let mut hasher = FxHasher::default();
    (number, argument.wrapping_to::<u64>() & 0xfff).hash(&mut hasher);
    hasher.finish()
}

/// Returns the branch `argument == 3 * word + 12345 + number`, which random arguments practically never take.
fn branch(number: u64, argument: U256, word: U256) -> Branch {
    let right = word.wrapping_mul(U256::from(3)).wrapping_add(U256::from(12_345 + number));
    let holds = argument == right;
    Branch {
        kind: BranchKind::Jump,
        relation: Relation::Equal,
        left: argument,
        right,
        edges: [2 * number + 1, 2 * number + 2],
        taken: [!holds, holds],
        branch_outcomes: [BranchOutcome::On; 2],
        preimages: Default::default(),
    }
}
