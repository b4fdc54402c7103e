//! What the project's own unit tests do is tried first, and nothing of it reaches beyond the search.

use crate::harness::Project;

const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Vault {
    bytes32 internal immutable lock = keccak256(abi.encode(key())) ^ bytes32(uint256(1));
    bool public isOpen;
    uint256 public openedAt;
    bool public isEmpty;

    function key() public pure returns (bytes32) {
        return keccak256(abi.encode("key", uint256(42)));
    }

    function open(bytes32 word) external {
        require(keccak256(abi.encode(word)) ^ bytes32(uint256(1)) == lock, "wrong key");
        isOpen = true;
        openedAt = block.timestamp;
    }

    function empty(uint64 code) external {
        require(isOpen && block.timestamp == openedAt + 3 days, "shut");
        require(keccak256(abi.encode(code, isOpen)) == keccak256(abi.encode(uint64(10 ** 9 + 7 ** 5), true)));
        isEmpty = true;
    }
}
"#;

const HANDLER: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Vault} from "../src/Vault.sol";

interface Vm {
    function warp(uint256) external;
    function writeFile(string calldata, string calldata) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Handler {
    Vault public immutable vault = new Vault();

    function unlock(uint256, bytes32 word) external {
        vault.open(word);
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + time % 30 days);
    }

    function drain(address, uint256 code) external {
        vault.empty(uint64(code));
    }
}

contract VaultTest {
    Vault internal vault;

    function setUp() external {
        vault = new Handler().vault();
    }

    function targetContracts() external view returns (address[] memory all) {
        all = new address[](1);
        all[0] = handler();
    }

    function handler() internal view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes2(0xd694), address(this), bytes1(0x01))))));
    }

    function invariant_isFull() external view {
        require(!vault.isEmpty(), "empty");
    }
}
"#;

const UNIT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Vault} from "../src/Vault.sol";
import {vm} from "./Vault.t.sol";

contract VaultUnitTest {
    Vault internal vault;

    function setUp() external {
        vault = new Vault();
    }

    function test_empties() external {
        vault.open(vault.key());
        vm.warp(block.timestamp + 3 days);
        vault.empty(uint64(10 ** 9 + 7 ** 5));
    }

    function test_writes() external {
        vm.writeFile("written.txt", "by a unit test");
        vault.open(vault.key());
    }
}
"#;

const SETTINGS: &str = "[profile.default]\nsolc = \"0.8.30\"\n\
                        fs_permissions = [{ access = \"read-write\", path = \"./\" }]\n";

const LINE: &str = "--match-contract ^VaultTest$ --fuzz-seed 1 --runs 20 --depth 20 --threads 1";

fn project() -> Project {
    Project::new(&[
        ("foundry.toml", SETTINGS),
        ("src/Vault.sol", VAULT),
        ("test/Vault.t.sol", HANDLER),
        ("test/VaultUnit.t.sol", UNIT),
    ])
}

#[test]
fn calls_of_unit_tests_are_made_by_the_handlers_that_make_the_same_calls() {
    let project = project();
    let line = format!("{LINE} --json");
    let report = project.ours(&line).run().exits_with(1).json();
    let found = &report["test/Vault.t.sol:VaultTest"]["harvey"]["stats"]["found"]["invariant_isFull()"];
    assert_eq!(found["operator"], "unit-test", "{report:#}");
    let project = self::project();
    project.ours(&format!("{line} --without unit-tests")).run().exits_with(0);
}

#[test]
fn unit_tests_that_nobody_asked_for_write_nothing() {
    let project = project();
    project.ours(LINE).run().exits_with(1);
    assert!(!project.root().join("written.txt").exists());
}

const COUNTER: &str = "
contract Counter {
    uint256 public value;

    function add(uint8 more) external { value += more; }
    function reset() external { value = 0; }
}

contract CounterTest {
    Counter counter = new Counter();
    uint256 last;

    function invariant_grows() public {
        require(counter.value() >= last, 'fell');
        last = counter.value();
    }

    function invariant_isKnown() public view { require(address(counter) != address(0)); }
}";

#[test]
fn an_invariant_that_writes_is_named_and_called_in_sequences_when_asked_for() {
    let line = "--fuzz-seed 1 --runs 50 --depth 20 --threads 1";
    let run = Project::with_tests("", COUNTER).ours(line).run().exits_with(0);
    assert!(run.stderr.contains("CounterTest.invariant_grows() writes storage"), "{}", run.shown());
    assert!(!run.stderr.contains("invariant_isKnown"), "{}", run.shown());
    let project = Project::with_tests("[profile.default.harvey]\ninvariant_calls = true", COUNTER);
    let run = project.ours(line).run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: fell"), "{}", run.shown());
    assert!(run.stdout.contains("calldata=invariant_grows() args=[]"), "{}", run.shown());
    assert!(!run.stderr.contains("writes storage"), "{}", run.shown());
}
