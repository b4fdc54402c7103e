//! Toy program with its own executor, so that the engine has exact tests that run in microseconds.
//!
//! It has a counter (accumulation), a lock with three steps (a magic number of the dictionary, a number that
//! equals another part of the state, an order of calls), and a factory whose children become targets.

mod program;

pub(super) use program::Toy;

use crate::{
    config::{Config, HarveyConfig, InvariantConfig},
    engine::{
        EngineInit,
        call_generator::CallGenerator,
        dictionary::InitialDictionary,
        functions::{Functions, Method},
    },
    model::{
        Branch, BranchKind, BranchOutcome, Created, EdgeId, Relation, Target, TargetFunction, TargetSet,
        Transaction, executor::Checks,
    },
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, I256, U256};
use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

/// Code that opens the lock; a literal of the dictionary.
pub(super) const MAGIC: u64 = 0x5eed_cafe_f00d_d00d;
/// Fixture of the parameter `amount`.
pub(super) const FIXTURE: u64 = 123_456_789;
/// Number of functions that change state.
pub(super) const FUNCTIONS: usize = 11;
/// Address that is excluded from the senders.
pub(super) const EXCLUDED: Address = Address::repeat_byte(0x71);

/// Property: the counter stays below 14.
pub(super) const COUNT_IS_SMALL: usize = 0;
/// Property: the lock stays closed.
pub(super) const LOCK_IS_SHUT: usize = 1;
/// Property: fewer than two calls of `poke` succeed.
pub(super) const CHILDREN_SLEEP: usize = 2;
/// Optimization: the largest sum.
pub(super) const LARGEST_SUM: usize = 3;

const HOME: Address = Address::repeat_byte(0xa1);

static SIGNATURES: LazyLock<Vec<Arc<TargetFunction>>> = LazyLock::new(|| {
    let signatures = [
        "inc()",
        "reset()",
        "boom(uint8 n)",
        "unlock(uint64 code)",
        "enter(uint256 n)",
        "finish()",
        "add(int16 n)",
        "pay(address[] to, uint256[] amounts)",
        "never()",
        "make()",
        "deposit(uint256 _amount) payable",
    ];
    assert_eq!(signatures.len(), FUNCTIONS);
    signatures.map(parse).to_vec()
});
static VIEWS: LazyLock<Vec<Arc<TargetFunction>>> = LazyLock::new(|| {
    let count = Function::parse("count() view returns (uint256)").expect("a signature");
    vec![Arc::new(TargetFunction::only_ours(count))]
});
static CHILD: LazyLock<Vec<Arc<TargetFunction>>> = LazyLock::new(|| vec![parse("poke(uint8 n)")]);

pub(super) fn parse(signature: &str) -> Arc<TargetFunction> {
    Arc::new(TargetFunction::new(Function::parse(signature).expect("a signature")))
}

/// Returns the only target of the toy program. The children of the factory join it.
pub(super) fn targets() -> TargetSet {
    TargetSet {
        targets: vec![Target {
            address: HOME,
            identifier: "toy.sol:Toy".into(),
            functions: SIGNATURES.clone(),
            views: VIEWS.clone(),
            abi: Arc::default(),
        }],
        excluded_senders: vec![EXCLUDED],
        dynamic: true,
        ..Default::default()
    }
}

pub(super) fn init(depth: u32, seed: u64) -> EngineInit {
    let config = Config::defaults(Path::new("/toy"));
    EngineInit {
        targets: targets(),
        dictionary: InitialDictionary {
            literals: vec![
                DynSolValue::Uint(U256::from(MAGIC), 64),
                DynSolValue::String("open sesame".into()),
                DynSolValue::Bytes(vec![0xbe, 0xef]),
            ],
            constants: vec![U256::from(1_000_000)],
            addresses: vec![HOME, EXCLUDED],
            fixtures: vec![("fixtureAmount".into(), vec![DynSolValue::Uint(U256::from(FIXTURE), 256)])],
        },
        invariant: InvariantConfig { depth, ..config.invariant },
        harvey: HarveyConfig { random_walks: 30, ..config.harvey },
        examples: Vec::new(),
        has_solver: false,
        seed,
        stream: 0,
    }
}

pub(super) fn generator() -> CallGenerator {
    let init = init(20, 0);
    CallGenerator::new(&init.targets, &init.dictionary, &init.invariant)
}

pub(super) fn functions() -> Functions {
    generator().functions
}

pub(super) fn method(name: &str) -> Arc<Method> {
    let generator = generator();
    let callable = generator.functions.all().find(|callable| callable.method.function.name == name);
    callable.expect("a function of the toy").method.clone()
}

/// Returns the comparison `left < 100` with these edges, which was false.
pub(super) fn missed(edges: [EdgeId; 2], left: u64) -> Branch {
    Branch {
        kind: BranchKind::Jump,
        relation: Relation::Less,
        left: U256::from(left),
        right: U256::from(100),
        edges,
        taken: [true, false],
        branch_outcomes: [BranchOutcome::On; 2],
        preimages: None,
    }
}

pub(super) fn call_of(
    target: Address,
    function: &Arc<TargetFunction>,
    args: Vec<DynSolValue>,
) -> Transaction {
    Transaction::plain(Address::repeat_byte(1), target, function, args)
}

/// Returns a call of the toy program by name. Integer arguments have the width that the function declares.
pub(super) fn call(name: &str, args: &[u64]) -> Transaction {
    let function = SIGNATURES.iter().chain(&*VIEWS).find(|f| f.name == name).expect("a function of the toy");
    let integer = |(arg, param): (&u64, &alloy_json_abi::Param)| match param.ty.as_str() {
        "int16" => DynSolValue::Int(I256::from_raw(U256::from(*arg)), 16),
        ty => DynSolValue::Uint(U256::from(*arg), ty[4..].parse().expect("a width")),
    };
    call_of(HOME, function, args.iter().zip(&function.inputs).map(integer).collect())
}

/// Returns a call of the child with this index.
pub(super) fn poke(index: usize, n: u8) -> Transaction {
    call_of(child(index), &CHILD[0], vec![DynSolValue::Uint(U256::from(n), 8)])
}

fn child(index: usize) -> Address {
    Address::with_last_byte(0xc0 + index as u8)
}

/// Returns the record of the child with this index, created by the call at `step`.
pub(super) fn created(step: usize, index: usize) -> Created {
    Created { step, address: child(index), identifier: "Child".into(), functions: CHILD.clone() }
}

/// Returns checks of the given properties after every call.
pub(super) fn checks(properties: &[usize]) -> Checks {
    Checks {
        properties: properties.to_vec(),
        interval: 1,
        fail_on_revert: false,
        after_invariant: false,
        depth: u32::MAX,
        full_runs_only: true,
        from: 0,
    }
}
