//! What a search takes from its caches is what a run without caches finds.

use crate::harness::{set_up, transaction};
use alloy_primitives::{Address, U256};
use forge_harvey::{
    evm::exec::executor::EvmExecutor,
    model::{Executor as _, Footprint, Observation, Probing, PropertyRun, Sequence, Step, executor::Checks},
};
use std::{collections::BTreeSet, sync::Arc};

const SOURCE: &str = r#"
pragma solidity 0.8.30;

interface Vm {
    function prank(address sender, address origin) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function warp(uint256 to) external;
    function record() external;
    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function startMappingRecording() external;
    function startStateDiffRecording() external;
    function lastCallGas() external returns (uint64, uint64, uint64, int64, uint64);
    function mockCall(address callee, bytes calldata data, bytes calldata answer) external;
    function clearMockedCalls() external;
    function expectCall(address callee, bytes calldata data, uint64 count) external;
}

contract Account {
    uint256 public cash;
    uint256 public due;

    function pay(uint256 wei_) external { cash += wei_; }
    function lock(uint256 until) external { due = until; }
    function status() external view returns (uint256) { return block.timestamp < due ? 1 : cash > 50 ? 2 : 3; }
    function isRich(uint256 least) external view returns (bool) { return cash > least && cash != 77; }
    function agrees(bool rich, uint256 least) external view returns (uint256) {
        if (rich) return least > 3 ? 1 : 2;
        return cash > least ? 3 : 4;
    }
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

/// Asks before and after what it does, as handlers do.
contract Handler {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Bank bank;
    uint256 public asked;
    uint256 public least;
    mapping(uint256 => uint256) public seen;

    constructor(Bank bank_) { bank = bank_; }

    function sum() public view returns (uint256 all) {
        for (uint256 i = 0; i < bank.count(); i++) all += bank.accounts(i).cash();
    }

    function pay(uint256 index, uint256 wei_) external {
        uint256 before = sum();
        if (!bank.paused()) asked = bank.total();
        bank.pay(index, wei_);
        uint256 later = this.sum();
        assert(later == before + wei_ % 40);
        seen[later] += 1;
        require(bank.accounts(index % 4).status() != 1, "locked");
    }

    function ask(uint256 index) external returns (address, uint256) {
        Account account = bank.accounts(index % 4);
        vm.prank(address(uint160(index)), address(uint160(index)));
        (address sender,) = account.who();
        try bank.total() returns (uint256 total) { asked = total; } catch { asked = 1; }
        if (asked > 60) { account.status(); assert(false); }
        return (sender, asked);
    }

    function compare(uint256 index, uint256 bound) external {
        Account account = bank.accounts(index % 4);
        bool rich = account.isRich(bound);
        uint256 cash = account.cash();
        if (rich && bound > 7) asked = 3;
        if (!account.isRich(bound / 2)) asked += 1;
        asked += account.agrees(cash > bound, bound) + account.agrees(!rich, index);
        asked += account.agrees(cash == bound, cash);
        require(account.isRich(2) || asked % 2 == 0, "odd");
    }

    function measure(uint256 index) external returns (uint256 used) {
        Account account = bank.accounts(index % 4);
        uint256 before = gasleft();
        account.status();
        used = before - gasleft();
        if (least == 0 || used < least) least = used;
    }

    function measureLast(uint256 index) external returns (uint64 used) {
        bank.accounts(index % 4).status();
        (, used,,,) = vm.lastCallGas();
        if (least == 0 || used < least) least = used;
    }

    function record(uint256 index) external returns (uint256) {
        Account account = bank.accounts(index % 4);
        vm.record();
        account.status();
        (bytes32[] memory reads,) = vm.accesses(address(account));
        assert(reads.length > 0);
        return asked = reads.length;
    }

    function mock(uint256 index) external returns (uint256 status) {
        Account account = bank.accounts(index % 4);
        vm.mockCall(address(account), abi.encodeWithSignature("cash()"), abi.encode(60));
        status = sum();
        vm.clearMockedCalls();
        asked = sum() + status;
    }

    function expect(uint256 index) external {
        vm.expectCall(address(bank.accounts(index % 4)), abi.encodeWithSignature("cash()"), 1);
        this.sum();
    }

    function bound(uint256 index, uint256 wei_) external {
        if (index % 2 == 0) asked = sum();
        try this.sum{gas: 6000 + 2000 * wei_}() returns (uint256 all) { asked = all; } catch { asked = 1000; }
    }

    function squeeze(uint256 index) external returns (bool done) {
        Account account = bank.accounts(index % 4);
        account.cash();
        bytes memory data = abi.encodeCall(Account.status, ());
        (done,) = address(account).call{gas: 3600}(data);
        asked = done ? 1 : 2;
    }
}

contract BankTest {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Bank bank;
    Handler handler;
    uint256 ghost;

    function setUp() public virtual {
        bank = new Bank();
        handler = new Handler(bank);
    }

    function invariant_total() external view {
        uint256 sum;
        for (uint256 i = 0; i < bank.count(); i++) sum += bank.accounts(i).cash();
        if (!bank.paused()) require(bank.total() == sum, "total");
    }

    function invariant_refusal() external view {
        try bank.total() returns (uint256 total) { require(total < 60, "rich"); }
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

/// A mock that `setUp` leaves changes nothing.
contract MockedBankTest is BankTest {
    function setUp() public override {
        super.setUp();
        vm.mockCall(address(0x1234), "", abi.encode(1));
    }
}

/// Recordings that `setUp` began go on. forge-std's `deal` leaves such a one.
contract RecordedBankTest is BankTest {
    function setUp() public override {
        super.setUp();
        vm.record();
        vm.startMappingRecording();
        vm.startStateDiffRecording();
    }

    function invariant_recorded() external {
        Account account = bank.accounts(0);
        vm.record();
        account.status();
        (bytes32[] memory reads,) = vm.accesses(address(account));
        require(reads.length > 0, "nothing");
    }

    function invariant_gas_of_call() external {
        bank.accounts(1).status();
        bank.accounts(1).status();
        (, uint64 used,,,) = vm.lastCallGas();
        ghost = used > 3000 ? 1 : 2;
    }
}
"#;

/// Sequences of a length of one to eight, from a generator of numbers (Knuth's).
fn sequences(bank: Address, handler: Address, count: usize) -> Vec<Sequence> {
    let mut state = 7_u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut one = || {
        let length = 1 + next(8);
        let calls = (0..length).map(|_| {
            let [index, number] = [next(4), next(60)].map(|number| number.to_string());
            let mut tx = match next(24) {
                0..=3 => transaction(bank, "pay(uint256,uint256)", &[&index, &number]),
                4..=7 => transaction(bank, "lock(uint256,uint256)", &[&index, &number]),
                8 => transaction(bank, "pause(bool)", &[if index == "0" { "true" } else { "false" }]),
                9 => transaction(bank, "move(uint256)", &[&index]),
                10..=12 => transaction(handler, "pay(uint256,uint256)", &[&index, &number]),
                13 => transaction(handler, "ask(uint256)", &[&index]),
                14 => transaction(handler, "measure(uint256)", &[&index]),
                15 => transaction(handler, "measureLast(uint256)", &[&index]),
                16 => transaction(handler, "record(uint256)", &[&index]),
                17 => transaction(handler, "mock(uint256)", &[&index]),
                18 | 19 => transaction(handler, "compare(uint256,uint256)", &[&index, &number]),
                20 | 21 => transaction(handler, "bound(uint256,uint256)", &[&index, &number]),
                22 => transaction(handler, "expect(uint256)", &[&index]),
                _ => transaction(handler, "squeeze(uint256)", &[&index]),
            };
            tx.warp = U256::from(next(5));
            tx
        });
        calls.collect()
    };
    (0..count).map(|_| one()).collect()
}

/// What a run says about its calls and the properties, and how, line by line.
fn said(observation: &Observation) -> Vec<String> {
    let mut lines = vec![format!("{:?}", observation.broken)];
    let mut show = |what: String, footprint: &Option<Arc<Footprint>>| {
        let Footprint { branches, reads, writes } = footprint.as_deref().cloned().unwrap_or_default();
        lines.extend(branches.iter().map(|branch| format!("{what}: {branch:?}")));
        lines.extend(reads.iter().map(|read| format!("{what}: {read:?}")));
        lines.push(format!("{what}: {writes:?}"));
    };
    for PropertyRun { property, step, path, footprint, .. } in &observation.properties {
        show(format!("property {property} after call {step}: path {path}"), footprint);
    }
    for (index, step) in observation.steps.iter().enumerate() {
        let Step { outcome, path, footprint, output, exhausted, reason, assertion, words, .. } = step;
        let all = format!("{outcome:?} {path} {output} {exhausted:?} {reason:?} {assertion:?} {words:?}");
        show(format!("call {index}: {all}"), footprint);
    }
    lines
}

#[test]
fn calls_answered_from_caches_are_those_that_run() {
    for isolate in [false, true] {
        compare("BankTest", isolate);
        compare("PrankedBankTest", isolate);
        compare("RecordedBankTest", isolate);
        compare("MockedBankTest", isolate);
    }
}

fn compare(suite: &str, isolate: bool) {
    let test_env = set_up("test/Bank.t.sol", SOURCE, suite, isolate);
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
    let [bank, handler] = [1, 2].map(|nonce| test_env.suite.test.create(nonce));
    for (index, sequence) in sequences(bank, handler, 400).iter().enumerate() {
        let probing = if index % 2 == 1 { Probing::traced() } else { Probing::default() };
        let runs = [&mut with, &mut without].map(|executor| executor.run(sequence, &checks, &probing));
        let [ours, plain] = [said(&runs[0]), said(&runs[1])];
        let differing = ours.iter().zip(&plain).find(|(one, other)| one != other);
        assert_eq!(differing, None, "{suite} {isolate} {index}");
        assert_eq!(ours.len(), plain.len(), "{suite} {isolate} {index}");
        for (seen, run) in coverage.iter_mut().zip(&runs) {
            let new = run.properties.iter().map(|run| &run.new_coverage);
            let new = new.chain(run.steps.iter().map(|step| &step.new_coverage));
            seen.extend(new.flat_map(|new| new.edges.iter().chain(&new.values).copied()));
        }
        broken.extend(runs[0].broken.iter().map(|broken| broken.reason.clone()));
    }
    assert!(coverage[0] == coverage[1] && !coverage[0].is_empty());
    assert!(broken.iter().any(|reason| reason.contains("rich")), "{broken:?}");
    assert!(
        with.executions() * 3 < without.executions() * 2,
        "{} {}",
        with.executions(),
        without.executions()
    );
}
