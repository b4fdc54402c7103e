//! What a tracked run records, by an executor over a suite that was really compiled and set up.

use crate::harness::{set_up, transaction};
use alloy_primitives::{Address, U256, keccak256};
use forge_harvey::{
    evm::exec::{executor::EvmExecutor, test_env::TestEnv},
    model::{
        Branch, BranchKind, BranchOutcome, Executor, Footprint, Observation, Outcome, Probing, Relation,
        Sequence, Slot, Transaction, executor::Checks,
    },
};
use std::sync::{Arc, OnceLock};

const SOURCE: &str = r#"
pragma solidity 0.8.30;

interface Vm {
    function assume(bool condition) external pure;
    function assertTrue(bool condition) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
}

contract Target {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    uint256 public total;
    mapping(address => uint256) public balance;
    uint256[] public list;
    bytes32 answer = keccak256("open sesame");
    bytes32 second;
    bool public open;
    string public motto = "one";

    constructor(string memory secret) { second = keccak256(bytes(secret)); }

    function add(uint256 a) external {
        require(a < 1000, "too much at once");
        total += a;
        balance[msg.sender] += a;
    }

    function put(uint256 slot, uint256 value) external {
        assembly { sstore(slot, value) }
    }

    function guess(string calldata word) external {
        if (keccak256(bytes(word)) == answer) open = true;
        if (keccak256(bytes(word)) == second) open = false;
    }

    function assumes(uint256 a) external {
        vm.assume(a > 10 && a != 77);
        total = a;
    }

    function twice(uint256 a) external {
        for (uint256 i = 0; i < 2; i++) vm.assertTrue(a + i < 50);
    }

    function fails(uint256 a) external {
        total = a;
        assert(a != 5);
    }
}

contract TrackedTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Target target;

    function setUp() external { target = new Target(string.concat("se", "cret")); }

    function invariant_motto() external view { vm.assertEq(target.motto(), "two"); }

    function invariant_total() external view { vm.assertLe(target.total(), 5000); }
}
"#;

/// Where `setUp` puts the target: the test contract's first creation.
fn target() -> Address {
    test_env().suite.test.create(1)
}

fn test_env() -> &'static Arc<TestEnv> {
    static TEST_ENV: OnceLock<Arc<TestEnv>> = OnceLock::new();
    TEST_ENV.get_or_init(|| set_up("test/Tracked.t.sol", SOURCE, "TrackedTest", false))
}

fn executor() -> EvmExecutor {
    EvmExecutor::new(test_env().clone())
}

fn call(signature: &str, arguments: &[&str]) -> Transaction {
    transaction(target(), signature, arguments)
}

fn checks() -> Checks {
    Checks {
        properties: vec![],
        interval: 1,
        fail_on_revert: false,
        after_invariant: false,
        depth: u32::MAX,
        full_runs_only: true,
        from: 0,
    }
}

fn tracked(sequence: &[Transaction]) -> Observation {
    executor().run(&sequence.to_vec(), &checks(), &Probing::traced())
}

fn footprint(sequence: &[Transaction]) -> Footprint {
    tracked(sequence).steps.pop().unwrap().footprint.unwrap().as_ref().clone()
}

fn slot(number: u64) -> Slot {
    Slot { address: target(), slot: U256::from(number) }
}

fn of_kind(footprint: &Footprint, kind: BranchKind) -> Vec<&Branch> {
    footprint.branches.iter().filter(|branch| branch.kind == kind).collect()
}

fn operands(branch: &Branch) -> (Relation, u64, u64) {
    (branch.relation, branch.left.to(), branch.right.to())
}

#[test]
fn only_the_last_call_is_tracked_and_only_where_that_is_asked_for() {
    let sequence: Sequence = vec![call("add(uint256)", &["5"]), call("add(uint256)", &["7"])];
    let seen = tracked(&sequence);
    assert!(seen.steps[0].footprint.is_none());
    let footprint = seen.steps[1].footprint.as_ref().unwrap();
    assert_eq!(footprint.reads[0], (slot(0), U256::from(5)));
    assert_eq!(footprint.reads.len(), 2, "total and the sender's balance, each once");
    assert!(footprint.writes.contains(&(slot(0), U256::from(12))));
    let untracked = executor().run(&sequence, &checks(), &Probing::default());
    assert!(untracked.steps[1].footprint.is_none());
    assert_eq!(untracked.steps[1].path, seen.steps[1].path);
    assert_eq!(untracked.state, seen.state);
}

#[test]
fn a_decision_has_operands_edges_and_fates_and_the_compilers_own_checks_are_left_out() {
    let footprint = footprint(&[call("add(uint256)", &["5"])]);
    let jumps = of_kind(&footprint, BranchKind::Jump);
    let bound = jumps.iter().find(|branch| branch.right == U256::from(1000)).unwrap();
    assert_eq!((bound.relation, bound.left), (Relation::Less, U256::from(5)));
    assert_eq!(
        (bound.taken, bound.branch_outcomes),
        ([false, true], [BranchOutcome::Revert, BranchOutcome::On])
    );
    // Beside it, the function that both additions are checked by.
    assert_eq!(jumps.len(), 2, "{jumps:?}");
}

#[test]
fn what_a_reverted_call_wrote_is_not_listed() {
    let seen = tracked(&[call("fails(uint256)", &["5"])]);
    assert_eq!(seen.steps[0].outcome, Outcome::Revert);
    assert_eq!(seen.steps[0].footprint.as_ref().unwrap().writes, []);
    let branches = &seen.steps[0].footprint.as_ref().unwrap().branches;
    assert!(
        branches.iter().any(|branch| branch.branch_outcomes.contains(&BranchOutcome::Assert)),
        "{branches:?}"
    );
}

#[test]
fn edges_are_new_once() {
    let mut executor = executor();
    let mut edges = |a: &str| {
        let seen = executor.run(&vec![call("add(uint256)", &[a])], &checks(), &Probing::default());
        seen.steps[0].new_coverage.edges.len()
    };
    assert!(edges("5") > 3);
    assert_eq!(edges("6"), 0);
    assert_eq!(edges("1000"), 1, "the other side of the requirement");
    assert_eq!(edges("1001"), 0);
}

#[test]
fn the_missed_edge_of_a_branch_is_the_one_that_another_call_takes() {
    let footprint = footprint(&[call("add(uint256)", &["5"])]);
    let bound = footprint.branches.iter().find(|branch| branch.right == U256::from(1000)).unwrap();
    let mut executor = executor();
    let mut run = |a: &str| executor.run(&vec![call("add(uint256)", &[a])], &checks(), &Probing::default());
    let before = run("5").steps.remove(0).new_coverage.edges;
    assert!(before.contains(&bound.edges[1]) && !before.contains(&bound.edges[0]));
    assert_eq!(run("1000").steps[0].new_coverage.edges, [bound.edges[0]]);
}

#[test]
fn words_of_storage_are_replaced_for_the_last_call_of_one_run_only() {
    let mut executor = executor();
    let sequence: Sequence = vec![call("add(uint256)", &["5"]), call("add(uint256)", &["7"])];
    let probing = Probing { state: vec![(slot(0), U256::from(100))], ..Probing::traced() };
    let probed = executor.run(&sequence, &checks(), &probing);
    let footprint = probed.steps[1].footprint.as_ref().unwrap();
    assert_eq!(footprint.reads[0], (slot(0), U256::from(100)));
    assert!(footprint.writes.contains(&(slot(0), U256::from(107))));
    let plain = executor.run(&sequence, &checks(), &Probing::traced());
    assert_eq!(plain.steps[1].footprint.as_ref().unwrap().reads[0], (slot(0), U256::from(5)));
}

#[test]
fn properties_run_from_the_given_step_on_and_the_last_ones_are_tracked() {
    let sequence: Sequence = ["5", "6", "7"].map(|a| call("add(uint256)", &[a])).into();
    let checks = Checks { properties: vec![1], from: 1, ..checks() };
    let seen = executor().run(&sequence, &checks, &Probing::traced());
    let steps: Vec<usize> = seen.properties.iter().map(|run| run.step).collect();
    assert_eq!(steps, [1, 2]);
    assert!(seen.properties[0].footprint.is_none());
    assert!(
        !seen.properties[0].new_coverage.edges.is_empty() && seen.properties[1].new_coverage.edges.is_empty()
    );
    let footprint = seen.properties[1].footprint.as_ref().unwrap();
    let [assertion] = of_kind(footprint, BranchKind::Assertion)[..] else { panic!("{footprint:?}") };
    // total <= 5000 is that 5000 is not less than the total.
    assert_eq!(operands(assertion), (Relation::Less, 5000, 18));
    assert_eq!(
        (assertion.taken, assertion.branch_outcomes),
        ([true, false], [BranchOutcome::On, BranchOutcome::Assert])
    );
    assert_eq!(footprint.reads.last(), Some(&(slot(0), U256::from(18))));
    assert_eq!(
        executor().run(&sequence, &Checks { from: 3, ..checks }, &Probing::traced()).properties.len(),
        0
    );
}

#[test]
fn strings_are_compared_by_hashes_whose_preimages_are_known() {
    let texts = |branch: &Branch| -> Vec<String> {
        let preimages = branch.preimages.iter().flat_map(|both| both.iter());
        preimages.map(|preimage| String::from_utf8(preimage.to_vec()).unwrap()).collect()
    };
    // One hash was made by the compiler, the other one when the target was created.
    let guessed = footprint(&[call("guess(string)", &["abracadabra"])]);
    let mut found = guessed.branches.iter().flat_map(texts).collect::<Vec<_>>();
    found.sort_unstable();
    assert_eq!(found, ["abracadabra", "abracadabra", "open sesame", "secret"]);

    let checks = Checks { properties: vec![0], ..checks() };
    let seen = executor().run(&vec![call("add(uint256)", &["5"])], &checks, &Probing::traced());
    let footprint = seen.properties[0].footprint.as_ref().unwrap();
    let [assertion] = of_kind(footprint, BranchKind::Assertion)[..] else { panic!("{footprint:?}") };
    assert_eq!((assertion.left, assertion.right), (keccak256("one").into(), keccak256("two").into()));
    assert_eq!(texts(assertion), ["one", "two"]);
}

#[test]
fn assumptions_and_assertions_of_booleans_lead_to_the_comparisons_behind_them() {
    let footprint = |call: Transaction| footprint(&[call]);
    let assumed = footprint(call("assumes(uint256)", &["77"]));
    let [assumption] = of_kind(&assumed, BranchKind::Assumption)[..] else { panic!("{assumed:?}") };
    assert_eq!(operands(assumption), (Relation::Equal, 77, 77));
    assert_eq!(
        (assumption.taken, assumption.branch_outcomes),
        ([false, true], [BranchOutcome::On, BranchOutcome::Revert])
    );

    let asserted = footprint(call("twice(uint256)", &["20"]));
    let assertions = of_kind(&asserted, BranchKind::Assertion);
    let operands = assertions.iter().map(|branch| operands(branch)).collect::<Vec<_>>();
    assert_eq!(operands, [(Relation::Less, 20, 50), (Relation::Less, 21, 50)], "two calls from one place");
    assert!(
        assertions.iter().all(|branch| branch.branch_outcomes == [BranchOutcome::Assert, BranchOutcome::On])
    );
}

#[test]
fn slots_that_the_caller_chooses_are_compared_with_one_that_nobody_means() {
    assert_eq!(of_kind(&footprint(&[call("add(uint256)", &["5"])]), BranchKind::Store), [] as [&Branch; 0]);
    let chosen = footprint(&[call("put(uint256,uint256)", &["123456", "1"])]);
    let [store] = of_kind(&chosen, BranchKind::Store)[..] else { panic!("{chosen:?}") };
    assert_eq!((store.left, store.taken), (U256::from(123_456), [true, false]));
    let probe = store.right.to_string();
    let hit = footprint(&[call("put(uint256,uint256)", &[&probe, "1"])]);
    assert_eq!(of_kind(&hit, BranchKind::Store)[0].taken, [false, true]);
}
