//! What a search takes from its caches is what a run without caches finds.

use crate::harness::{set_up, transaction};
use alloy_primitives::{Address, U256};
use forge_harvey::{
    evm::exec::executor::EvmExecutor,
    model::{Executor as _, Observation, Probing, Sequence, executor::Checks},
};
use std::{collections::BTreeSet, sync::Arc};

const SOURCE: &str = r#"
pragma solidity 0.8.30;

interface Vm {
    function prank(address sender, address origin) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function warp(uint256 to) external;
}

contract Account {
    uint256 public cash;
    uint256 public due;

    function pay(uint256 wei_) external { cash += wei_; }
    function lock(uint256 until) external { due = until; }
    function status() external view returns (uint256) { return block.timestamp < due ? 1 : cash > 50 ? 2 : 3; }
    function who() external view returns (address, address) { return (msg.sender, tx.origin); }
    function gasLeft() external view returns (uint256) { return gasleft(); }
}

contract Bank {
    Account[] public accounts;
    bool public paused;

    constructor() { for (uint256 i = 0; i < 4; i++) accounts.push(new Account()); }

    function pay(uint256 index, uint256 wei_) external { accounts[index % 4].pay(wei_ % 40); }
    function lock(uint256 index, uint256 time) external { accounts[index % 4].lock(block.timestamp + time % 9); }
    function pause(bool on) external { paused = on; }
    function move(uint256 index) external { accounts[index % 4] = new Account(); }

    function count() external view returns (uint256) { return accounts.length; }
    function total() external view returns (uint256 sum) {
        require(!paused, "paused");
        for (uint256 i = 0; i < accounts.length; i++) sum += accounts[i].cash();
    }
}

contract BankTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Bank bank;
    uint256 ghost;

    function setUp() public virtual { bank = new Bank(); }

    function invariant_total() external view {
        uint256 sum;
        for (uint256 i = 0; i < bank.count(); i++) sum += bank.accounts(i).cash();
        if (!bank.paused()) require(bank.total() == sum, "total");
    }

    function invariant_refusal() external view {
        try bank.total() returns (uint256 total) { require(total < 100, "rich"); }
        catch { require(bank.paused(), "open"); }
    }

    function invariant_status() external view {
        for (uint256 i = 0; i < bank.count(); i++) {
            uint256 status = bank.accounts(i).status();
            require(status != 1 || bank.accounts(i).due() > block.timestamp, "status");
        }
    }

    function invariant_senders() external virtual {
        Account account = bank.accounts(0);
        vm.prank(address(1), address(2));
        (address sender, address origin) = account.who();
        require(sender == address(1) && origin == address(2), "pranked");
        (sender, origin) = account.who();
        require(sender == address(this) && origin != address(2), "own");
    }

    function invariant_gas() external view {
        uint256 before = gasleft();
        uint256 status = bank.accounts(1).status();
        require(status == 0 || before - gasleft() > 3000, "too cheap");
        require(bank.accounts(1).gasLeft() < before, "too much");
    }

    function invariant_time() external {
        uint256 before = bank.accounts(2).status();
        vm.warp(block.timestamp + 100);
        require(before != 1 || bank.accounts(2).status() != 1, "never due");
    }

    function invariant_ghost() external {
        ghost = bank.accounts(3).cash();
        require(this.twice() == 2 * ghost, "ghost");
        ghost += 1;
        require(this.twice() == 2 * ghost, "changed");
    }

    function twice() external view returns (uint256) { return 2 * ghost; }
}

/// `setUp` leaves a prank to the properties.
contract PrankedBankTest is BankTest {
    function setUp() public override {
        super.setUp();
        vm.startPrank(address(9));
    }

    function invariant_senders() external override {
        (address sender,) = bank.accounts(0).who();
        require(sender == address(9), "pranked");
        vm.stopPrank();
        (sender,) = bank.accounts(0).who();
        require(sender == address(this), "own");
    }
}
"#;

/// Sequences of a length of one to eight, from a generator of numbers (Knuth's).
fn sequences(bank: Address, count: usize) -> Vec<Sequence> {
    let mut state = 7_u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut one = || {
        let length = 1 + next(8);
        let calls = (0..length).map(|_| {
            let [index, number] = [next(4), next(60)].map(|number| number.to_string());
            let mut tx = match next(8) {
                0..=2 => transaction(bank, "pay(uint256,uint256)", &[&index, &number]),
                3..=5 => transaction(bank, "lock(uint256,uint256)", &[&index, &number]),
                6 => transaction(bank, "pause(bool)", &[if index == "0" { "true" } else { "false" }]),
                _ => transaction(bank, "move(uint256)", &[&index]),
            };
            tx.warp = U256::from(next(5));
            tx
        });
        calls.collect()
    };
    (0..count).map(|_| one()).collect()
}

/// What a run says about the properties, and how.
fn said(observation: &Observation) -> String {
    let runs = observation.properties.iter();
    let runs: Vec<_> = runs.map(|run| (run.property, run.step, run.path, &run.footprint)).collect();
    format!("{:?} {runs:?}", observation.broken)
}

#[test]
fn properties_answered_from_caches_are_those_that_are_evaluated() {
    compare("BankTest");
    compare("PrankedBankTest");
}

fn compare(suite: &str) {
    let test_env = set_up("test/Bank.t.sol", SOURCE, suite);
    let properties = (0..test_env.suite.properties.len()).collect();
    let checks = Checks {
        properties,
        interval: 1,
        fail_on_revert: false,
        after_invariant: false,
        depth: u32::MAX,
        full_runs_only: false,
        from: 0,
    };
    let executor = |reuse| {
        let mut executor = EvmExecutor::new(test_env.clone());
        executor.begin_search(Arc::new(|| false), reuse);
        executor
    };
    let (mut with, mut without) = (executor(true), executor(false));
    let (mut coverage, mut broken) = ([BTreeSet::new(), BTreeSet::new()], BTreeSet::new());
    for (index, sequence) in sequences(test_env.suite.test.create(1), 600).iter().enumerate() {
        let probing = if index % 4 == 3 { Probing::traced() } else { Probing::default() };
        let runs = [&mut with, &mut without].map(|executor| executor.run(sequence, &checks, &probing));
        assert_eq!(said(&runs[0]), said(&runs[1]), "{index}: {sequence:?}");
        for (seen, run) in coverage.iter_mut().zip(&runs) {
            let new = run.properties.iter().map(|run| &run.new_coverage);
            seen.extend(new.flat_map(|new| new.edges.iter().chain(&new.values).copied()));
        }
        broken.extend(runs[0].broken.iter().map(|broken| broken.reason.clone()));
    }
    assert!(coverage[0] == coverage[1] && !coverage[0].is_empty());
    assert!(broken.iter().all(|reason| reason.contains("rich")) && !broken.is_empty(), "{broken:?}");
    assert!(
        with.executions() * 3 < without.executions() * 2,
        "{} {}",
        with.executions(),
        without.executions()
    );
}
