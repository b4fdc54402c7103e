//! Tests that are compiled without the code of the contracts that they create (`dynamic_test_linking`).

use crate::harness::{Program, Project, Run, Running};

const UNCHANGED: &str = "No files changed, compilation skipped";

const SETTINGS: &str = "[profile.default]\ndynamic_test_linking = true\n";

const SOURCE: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

enum Kind { Plain, Fancy }
type Share is uint128;

interface Owner {
    function owns() external view returns (bool);
}

library Configs {
    struct Config { uint256 rate; address[] admins; }
}

contract Counter is Owner {
    uint256 public count;

    function owns() external pure returns (bool) {
        return true;
    }

    function add(uint256 amount) external {
        count += amount;
    }
}

contract Token {
    struct Limits { uint8 low; uint8 high; }

    string public name;
    bytes4 public tag;
    Kind public kind;
    uint256 public low;
    uint256 public rate;
    Owner public owner;
    Share public share;
    uint256 public second;
    int256 public sign;

    constructor(
        string memory name_,
        bytes4 tag_,
        Kind kind_,
        Limits memory limits,
        Configs.Config memory config,
        Owner owner_,
        Share share_,
        uint8[2] memory pair,
        int256,
        int8 sign_
    ) {
        (name, tag, kind, low, rate) = (name_, tag_, kind_, limits.low, config.rate);
        (owner, share, second, sign) = (owner_, share_, pair[1], sign_);
    }
}

contract Vault {
    address public immutable creator = msg.sender;
    uint256 public amount;

    constructor(uint256 first, uint256 amount_) payable {
        require(first < 100, "first");
        amount = amount_;
    }
}
"#;

const TESTS: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Source.sol";

interface Vm {
    function prank(address sender) external;
    function deal(address account, uint256 balance) external;
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

contract Local {
    uint256 public x = 7;
}

contract LinkingTest {
    Counter counter = new Counter();
    Counter other;
    Vault vault;

    function setUp() public {
        other = new Counter(); counter = new Counter();
        vault = new Vault({amount_: 5, first: 1});
        vm.deal(address(this), 10 ether);
    }

    function test_arguments() public {
        Configs.Config memory config = Configs.Config(2, new address[](2));
        Token token = new Token(
            "abc", 0x12345678, Kind.Fancy, Token.Limits(3, 4), config, new Counter(), Share.wrap(9), [1, 2], -1, -2
        );
        assert(keccak256(bytes(token.name())) == keccak256("abc"));
        assert(token.tag() == 0x12345678 && token.kind() == Kind.Fancy && token.low() == 3 && token.rate() == 2);
        assert(token.owner().owns() && Share.unwrap(token.share()) == 9 && token.second() == 2 && token.sign() == -2);
        assert(vault.amount() == 5 && vault.creator() == address(this));
    }

    function test_value_and_salt() public {
        Vault rich = new Vault{value: 1 ether, salt: bytes32(uint256(1))}(2, 3);
        assert(address(rich).balance == 1 ether && rich.amount() == 3);
        bytes memory code = abi.encodePacked(type(Vault).creationCode, abi.encode(2, 3));
        bytes32 digest = keccak256(abi.encodePacked(bytes1(0xff), this, uint256(1), keccak256(code)));
        assert(address(rich) == address(uint160(uint256(digest))));
        assert(new Counter{salt: "salt"}().count() == 0);
    }

    function test_try() public {
        try new Vault(20, 1) returns (Vault made) {
            assert(made.amount() == 1);
        } catch {
            assert(false);
        }
    }

    function test_pranked() public {
        vm.prank(address(0xbeef));
        assert(new Vault(1, 1).creator() == address(0xbeef));
        assert(new Local().x() == 7);
    }

    function test_fails_here() public {
        Counter last = new Counter();
        last.add(3);
        assert(last.count() == 4);
    }

    function test_fails_later() public {
        other.add(3); Counter last = new Counter(); last.add(1); Vault made = new Vault(2, 1); assert(made.amount() == 2);
    }
}
"#;

/// A handler whose assertion fails behind several creations.
const PLACES: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Source.sol";

contract Handler {
    Counter counter = new Counter(); Counter second = new Counter();
    uint256 public steps;

    function step(uint256 x) external {
        Counter made = new Counter(); made.add(x); Vault v = new Vault(1, x); if (v.amount() == 77) {
            steps = 99;
        }
        counter = new Counter();
        assert(x % 1024 != 77);
    }
}

contract PlacesTest {
    Handler handler = new Handler();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_steps() external view {
        require(handler.steps() != 99, 'reached');
    }
}
"#;

/// A failed creation that is caught, which Forge's own rewriting does not catch.
const CAUGHT: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vault} from "../src/Source.sol";

contract CaughtTest {
    function test_caught() public {
        try new Vault(200, 1) returns (Vault) {
            assert(false);
        } catch Error(string memory reason) {
            assert(keccak256(bytes(reason)) == keccak256("first"));
        }
    }
}
"#;

/// Tests that keep code of the sources.
const MOCKS: &str = r"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Counter} from '../src/Source.sol';

contract CounterMock is Counter {
    function twice() external { count += 2; }
}

contract MockTest {
    function code() internal pure returns (bytes32) {
        return keccak256(type(Counter).creationCode);
    }

    function test_mock() external {
        CounterMock mock = new CounterMock();
        mock.twice();
        mock.add(1);
        assert(mock.count() == 3 && code() != 0);
    }
}
";

fn project() -> Project {
    let project = Project::new(&[("foundry.toml", SETTINGS)]);
    project.write("src/Source.sol", SOURCE);
    project.write("test/Linking.t.sol", TESTS);
    project.write("test/Mock.t.sol", MOCKS);
    project.write("test/Places.t.sol", PLACES);
    project
}

fn run(project: &Project, flags: &str) -> Run {
    project.ours(&format!("--unit --json --fuzz-seed 1 --runs 20 --depth 20 {flags}")).run().exits_with(1)
}

/// Names of the failed unit tests.
fn failures(run: &Run) -> Vec<String> {
    let json = run.json();
    let suites = json.as_object().unwrap().values();
    let results = suites.flat_map(|suite| suite["test_results"].as_object().unwrap());
    let failed = results.filter(|(name, result)| name.starts_with("test_") && result["status"] == "Failure");
    failed.map(|(name, _)| name.clone()).collect()
}

/// Places that a JSON report names.
fn places(run: &Run) -> Vec<&str> {
    let found = run.stdout.split("\"location\":\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    found.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[test]
fn a_build_of_forge_or_of_ours_is_taken_by_the_other() {
    let project = project();
    for forge in [Program::Forge, Program::Nightly] {
        let built_by_forge = || Running::new(forge, "build", project.root()).run().exits_with(0);
        let _ = std::fs::remove_dir_all(project.root().join("cache"));
        built_by_forge();
        let ours = project.ours("--list").run().exits_with(0);
        assert!(!ours.stdout.contains("Compiling"), "{forge:?} {}", ours.shown());
        assert!(built_by_forge().stdout.contains(UNCHANGED), "{forge:?} after ours");

        std::fs::remove_dir_all(project.root().join("cache")).unwrap();
        let ours = project.ours("--list").run().exits_with(0);
        assert!(ours.stdout.contains("Compiling 4 files"), "{}", ours.shown());
        assert!(built_by_forge().stdout.contains(UNCHANGED), "{forge:?} after ours alone");
        let ours = project.ours("--list").run().exits_with(0);
        assert!(!ours.stdout.contains("Compiling"), "{forge:?} {}", ours.shown());
    }
}

#[test]
fn linked_in_either_way_tests_do_the_same_at_the_same_places() {
    let project = project();
    let linked = run(&project, "");
    std::fs::remove_dir_all(project.root().join("cache")).unwrap();
    project.forge_build().run().exits_with(0);
    let linked_by_forge = run(&project, "");
    std::fs::remove_dir_all(project.root().join("cache")).unwrap();
    let statically = run(&project, "--no-dynamic-test-linking");
    for run in [linked, linked_by_forge, statically] {
        assert_eq!(failures(&run), ["test_fails_here()", "test_fails_later()"], "{}", run.shown());
        assert!(places(&run).contains(&"test/Places.t.sol:16:9"), "{:?}", places(&run));
    }
}

#[test]
fn a_failed_creation_is_caught() {
    let project = project();
    project.write("test/Caught.t.sol", CAUGHT);
    project.ours("--unit --match-contract CaughtTest").run().exits_with(0);
}

#[test]
fn a_change_inside_a_function_compiles_tests_only_if_they_keep_code() {
    let project = project();
    project.ours("--list").run().exits_with(0);
    project.write("src/Source.sol", &SOURCE.replace("count += amount;", "count += amount + 1 - 1;"));
    let ours = project.ours("--list").run().exits_with(0);
    assert!(ours.stdout.contains("Compiling 2 files"), "{}", ours.shown());
    let forge = project.forge_build().run().exits_with(0);
    assert!(forge.stdout.contains(UNCHANGED), "{}", forge.shown());

    project.write("src/Source.sol", &SOURCE.replace("count += amount;", "count += amount + 1;"));
    assert_eq!(failures(&run(&project, "")), ["test_fails_later()", "test_mock()"]);
}
