//! What tests may rely on with Forge 1.8.

use crate::harness::Project;

const HOOKS: &str = r#"
interface Hooks {
    function registerSloadHook(address target, bytes4 callback) external;
    function registerSstoreHook(address target, bytes4 callback) external;
    function registerMappingSstoreHook(address target, bytes32 root, bytes4 callback) external;
    function record() external;
    function recordLogs() external;
    function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
    function mockCall(address, bytes calldata, bytes calldata) external;
    function expectEmit() external;
}

Hooks constant hooks = Hooks(address(vm));

contract Store {
    uint256 public value;
    mapping(address => mapping(uint256 => uint256)) nested;

    event Set(uint256 value);

    function set(uint256 new_) external {
        value = new_;
        emit Set(new_);
    }

    function get() external view returns (uint256) {
        return value;
    }

    function put(address owner, uint256 id, uint256 amount) external {
        nested[owner][id] = amount;
    }

    function seven() external pure returns (uint256) {
        return 7;
    }
}

contract Proxy {
    uint256 value;

    function run(address code, bytes calldata data) external {
        (bool success,) = code.delegatecall(data);
        require(success);
    }
}

contract Meter {
    function used(Store store, uint256 value) external returns (uint256) {
        uint256 before = gasleft();
        store.set(value);
        return before - gasleft();
    }
}

contract HookTest {
    event Seen(uint256 old);
    event Set(uint256 value);

    Store store = new Store();
    uint256 public calls;
    address account;
    bytes32 slot;
    bytes32 root;
    bytes32[] keys;
    uint256 old;
    uint256 new_;
    uint256 seven;

    modifier byHook() {
        require(msg.sender == address(vm), "not a hook");
        calls++;
        _;
    }

    function onLoad(address account_, bytes32 slot_, bytes32 value) external byHook {
        (account, slot, old) = (account_, slot_, uint256(value));
        // Reads in a callback are not reported.
        require(store.get() == uint256(value));
    }

    function onStore(address account_, bytes32 slot_, bytes32 old_, bytes32 new__) external byHook {
        (account, slot, old, new_) = (account_, slot_, uint256(old_), uint256(new__));
        require(new_ < 1000, "too large");
        seven = store.seven();
        emit Seen(old);
    }

    function onElement(
        address account_, bytes32 slot_, bytes32 root_, bytes32[] calldata keys_, bytes32 old_, bytes32 new__
    ) external byHook {
        (account, slot, root, keys, old, new_) =
            (account_, slot_, root_, keys_, uint256(old_), uint256(new__));
    }

    function test_loads() external {
        store.set(5);
        hooks.registerSloadHook(address(store), this.onLoad.selector);
        require(store.get() == 5 && store.get() == 5);
        require(calls == 2 && account == address(store) && slot == 0 && old == 5);
    }

    function test_stores_with_their_gas() external {
        Meter meter = new Meter();
        store.set(1);
        uint256 plain = meter.used(store, 2);
        hooks.registerSstoreHook(address(store), this.onStore.selector);
        require(plain == meter.used(store, 3), "gas");
        require(calls == 1 && account == address(store) && slot == 0 && old == 2 && new_ == 3);
    }

    function test_storage_of_a_delegate_call() external {
        Proxy proxy = new Proxy();
        hooks.registerSstoreHook(address(proxy), this.onStore.selector);
        store.set(1);
        proxy.run(address(store), abi.encodeCall(Store.set, (9)));
        require(calls == 1 && account == address(proxy) && new_ == 9);
    }

    function test_elements_of_a_mapping() external {
        hooks.registerMappingSstoreHook(address(store), bytes32(uint256(1)), this.onElement.selector);
        store.set(4);
        require(calls == 0);
        store.put(address(0xABC), 6, 8);
        require(calls == 1 && root == bytes32(uint256(1)) && old == 0 && new_ == 8);
        require(keys.length == 2 && uint256(keys[0]) == 0xABC && uint256(keys[1]) == 6);
    }

    function test_raw_and_mapping_hooks_exclude_each_other() external {
        hooks.registerMappingSstoreHook(address(store), 0, this.onElement.selector);
        try hooks.registerSstoreHook(address(store), this.onStore.selector) {
            revert("accepted");
        } catch {}
        hooks.registerSstoreHook(address(this), this.onStore.selector);
        try hooks.registerMappingSstoreHook(address(this), 0, this.onElement.selector) {
            revert("accepted");
        } catch {}
    }

    function test_reverts_reach_the_caller() external {
        hooks.registerSstoreHook(address(store), this.onStore.selector);
        store.set(3);
        try store.set(1000) {
            revert("not reverted");
        } catch Error(string memory reason) {
            require(keccak256(bytes(reason)) == keccak256("too large"), reason);
        }
        require(calls == 1 && store.get() == 3);
    }

    function register() external {
        calls = 10;
        hooks.registerSstoreHook(address(store), this.onStore.selector);
        revert();
    }

    function test_a_revert_keeps_the_registration() external {
        try this.register() {} catch {}
        store.set(3);
        require(calls == 1 && new_ == 3);
    }

    function test_the_test_sees_nothing_of_it() external {
        hooks.registerSstoreHook(address(store), this.onStore.selector);
        hooks.mockCall(address(store), abi.encodeCall(Store.seven, ()), abi.encode(8));
        hooks.record();
        hooks.expectEmit();
        emit Set(3);
        store.set(3);
        (bytes32[] memory reads, bytes32[] memory writes) = hooks.accesses(address(this));
        require(calls == 1 && seven == 7 && store.seven() == 8);
        require(reads.length == 1 && writes.length == 0, "recorded");
    }

    function testFuzz_of_each_input(uint256 value) external {
        hooks.registerSstoreHook(address(store), this.onStore.selector);
        store.set(value % 100);
        require(calls == 1 && new_ == value % 100);
    }
}

contract Watcher {
    Store store;
    uint256 public calls;
    uint256 public last;
    bool public isCalled;

    constructor(Store store_) {
        store = store_;
        hooks.registerSstoreHook(address(store), this.onStore.selector);
    }

    function onStore(address, bytes32, bytes32, bytes32 value) external {
        if (msg.sender != address(vm)) isCalled = true;
        last = uint256(value);
        calls++;
    }

    function set(uint256 value) external {
        store.set(value);
    }
}

contract HookedTest {
    Store store;
    Watcher watcher;

    function setUp() external {
        store = new Store();
        watcher = new Watcher(store);
    }

    function excludeContracts() external view returns (address[] memory contracts) {
        contracts = new address[](1);
        contracts[0] = address(store);
    }

    function invariant_each_store_is_seen() external view {
        require(watcher.last() == store.value(), "missed");
    }

    function invariant_callbacks_are_no_targets() external view {
        require(!watcher.isCalled(), "called");
    }

    function invariant_it_is_reached() external view {
        require(watcher.calls() < 3, "reached");
    }
}
"#;

/// Flags of a version of Forge.
const VERSIONS: [&str; 2] = ["--forge-version 1.7", "--forge-version 1.8"];

#[test]
fn storage_hooks_report_accesses() {
    let project = Project::with_tests("", HOOKS);
    for version in VERSIONS {
        let run =
            project.ours(&format!("{version} --unit --fuzz-seed 1 --runs 20 --match-contract HookTest"));
        let run = run.run().exits_with(0);
        assert!(run.stdout.contains("9 passed; 0 failed"), "{}", run.shown());
    }
}

#[test]
fn storage_hooks_of_the_set_up_last_through_a_campaign() {
    let project = Project::with_tests("", HOOKS);
    for version in VERSIONS {
        let flags = "--fuzz-seed 1 --runs 40 --depth 10 --threads 1 --match-contract HookedTest --json";
        let json = project.ours(&format!("{version} {flags}")).run().exits_with(1).json();
        let results = &json["test/Test.t.sol:HookedTest"]["test_results"];
        let status = |name: &str| results[format!("invariant_{name}()")]["status"].as_str().unwrap();
        assert_eq!(status("each_store_is_seen"), "Success", "{results:#}");
        assert_eq!(status("callbacks_are_no_targets"), "Success", "{results:#}");
        assert_eq!(status("it_is_reached"), "Failure", "{results:#}");
    }
}

const CHANGES: &str = r#"
interface Cheats {
    function roll(uint256) external;
    function fee(uint256) external;
    function txGasPrice(uint256) external;
    function setBlockhash(uint256, bytes32) external;
    function expectRevert(bytes calldata) external;
}

Cheats constant cheats = Cheats(address(vm));

contract Fees {
    uint256 calls;

    // Not a view: static calls are not isolated.
    function fees() external returns (uint256, uint256) {
        calls++;
        return (block.basefee, tx.gasprice);
    }

    function invalid() external pure {
        assembly { invalid() }
    }

    function skip() external {
        vm.skip(true, "caught");
    }
}

contract ChangesTest {
    address constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;

    function ask(uint256 number) internal view returns (bytes32) {
        (bool success, bytes memory hash) = HISTORY.staticcall(abi.encode(number));
        require(success && hash.length == 32, "no hash");
        return abi.decode(hash, (bytes32));
    }

    function test_block_history() external {
        require(HISTORY.code.length > 0, "no contract");
        cheats.roll(1000);
        require(ask(999) == blockhash(999) && ask(1) != 0, "hash");
        cheats.setBlockhash(998, bytes32(uint256(7)));
        require(ask(998) == bytes32(uint256(7)), "set hash");
        cheats.roll(9000);
        require(ask(8999) == blockhash(8999), "hash after a roll");
        (bool success,) = HISTORY.staticcall(abi.encode(uint256(1)));
        require(!success, "too old");
    }

    function test_fees_of_isolated_calls() external {
        Fees fees = new Fees();
        cheats.fee(5);
        cheats.txGasPrice(6);
        (uint256 base, uint256 price) = fees.fees();
        require(base == 5 && price == 6, "fees");
        require(block.basefee == 5 && tx.gasprice == 6, "own fees");
    }

    function test_name_of_an_exception() external {
        Fees fees = new Fees();
        cheats.expectRevert("EvmError: InvalidFEOpcode");
        fees.invalid();
    }

    function test_forged_skip() external pure {
        bytes memory data = "FOUNDRY::SKIPforged";
        assembly { revert(add(data, 32), mload(data)) }
    }

    function test_skip_after_a_caught_revert() external {
        Fees fees = new Fees();
        try fees.skip() {} catch {}
        vm.skip(true, "why");
    }
}
"#;

/// Status of each test of a suite in a report.
fn statuses(json: &serde_json::Value, contract: &str) -> Vec<(String, String)> {
    let results = json[format!("test/Test.t.sol:{contract}")]["test_results"].as_object();
    let status = |(name, result): (&String, &serde_json::Value)| {
        (name.clone(), result["status"].as_str().unwrap().to_owned())
    };
    results.unwrap().iter().map(status).collect()
}

#[test]
fn changes_of_cheatcodes_are_those_of_the_version() {
    let project = Project::with_tests("isolate = true", CHANGES);
    let ours = |version: &str| {
        let run = project.ours(&format!("--unit --fuzz-seed 1 --forge-version {version} --json"));
        statuses(&run.run().exits_with(1).json(), "ChangesTest")
    };
    let expected = |history: &str, fees: &str, skip: &str| {
        [
            ("test_block_history()", history),
            ("test_fees_of_isolated_calls()", fees),
            ("test_forged_skip()", "Failure"),
            ("test_name_of_an_exception()", "Success"),
            ("test_skip_after_a_caught_revert()", skip),
        ]
        .map(|(name, status)| (name.to_owned(), status.to_owned()))
    };
    assert_eq!(ours("1.8"), expected("Success", "Success", "Skipped"));
    let older = ours("1.7");
    assert_eq!(older, expected("Failure", "Failure", "Skipped"));
    // Where the versions differ, the real 1.7.1 has the last word.
    let forges = statuses(&project.forge("--json").run().json(), "ChangesTest");
    for name in ["test_block_history()", "test_fees_of_isolated_calls()"] {
        let of = |list: &[(String, String)]| list.iter().find(|test| test.0 == name).cloned();
        assert_eq!(of(&forges), of(&older));
    }
}

#[test]
fn the_block_history_follows_the_delays_of_a_campaign() {
    let tests = r"
    contract Reader {
        address constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
        bool public isWrong;
        uint256 public right;

        function read() external {
            (, bytes memory hash) = HISTORY.staticcall(abi.encode(block.number - 1));
            if (hash.length != 32 || abi.decode(hash, (bytes32)) != blockhash(block.number - 1)) isWrong = true;
            else if (block.number > 100) right++;
        }
    }

    contract HistoryTest {
        Reader reader = new Reader();

        function invariant_right() external view { require(!reader.isWrong(), 'wrong'); }
        function invariant_reached() external view { require(reader.right() < 3, 'reached'); }
    }";
    let project = Project::with_tests("[profile.default.invariant]\nmax_block_delay = 1000", tests);
    let flags = "--forge-version 1.8 --fuzz-seed 1 --runs 40 --depth 10 --threads 1 --json";
    let json = project.ours(flags).run().exits_with(1).json();
    let status = |name: &str, status: &str| (name.to_owned(), status.to_owned());
    assert_eq!(
        statuses(&json, "HistoryTest"),
        [status("invariant_reached()", "Failure"), status("invariant_right()", "Success")]
    );
}

#[test]
fn a_rejected_call_gives_its_delay_back() {
    let tests = r"
    contract Clock {
        uint256 immutable start = block.number;
        uint256 public accepted;

        function poke(uint256 x) external {
            vm.assume(x % 4 == 0);
            accepted++;
        }

        function isLate() external view returns (bool) {
            return block.number > start + 10 * accepted;
        }
    }

    contract ClockTest {
        Clock clock = new Clock();

        function invariant_in_time() external view { require(!clock.isLate(), 'late'); }
        function invariant_reached() external view { require(clock.accepted() < 4, 'reached'); }
    }";
    let project = Project::with_tests("[profile.default.invariant]\nmax_block_delay = 10", tests);
    let flags = "--forge-version 1.8 --fuzz-seed 1 --runs 40 --depth 10 --threads 1 --json";
    let json = project.ours(flags).run().exits_with(1).json();
    let status = |name: &str, status: &str| (name.to_owned(), status.to_owned());
    assert_eq!(
        statuses(&json, "ClockTest"),
        [status("invariant_in_time()", "Success"), status("invariant_reached()", "Failure")]
    );
}
