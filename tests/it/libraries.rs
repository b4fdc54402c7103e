//! External libraries have the addresses at which the followed version of Forge deploys them.

use crate::harness::{Node, Project, Run};
use alloy_primitives::{Address, B256, hex, keccak256};
use serde_json::Value;

/// A library that uses another one, which uses a third one, and a contract that uses all of them.
const SOURCE: &str = "
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Zero {
    function twice(uint256 x) external pure returns (uint256) {
        return 2 * x;
    }
}

library Middle {
    function plus(uint256 x) external pure returns (uint256) {
        return Zero.twice(x) + 1;
    }
}

library Above {
    function square(uint256 x) external pure returns (uint256) {
        return Middle.plus(x) * Middle.plus(x);
    }
}

contract User {
    uint256 public sum;

    function add(uint8 x) external {
        sum += Above.square(x) + Zero.twice(x);
    }
}
";

/// Tests of both ways to deploy the libraries, and of what every test may rely on.
const TESTS: &str = "
import {Above, Middle, User, Zero} from '../src/Libraries.sol';

interface Addresses {
    function computeCreate2Address(bytes32 salt, bytes32 hash) external pure returns (address);
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function getNonce(address account) external view returns (uint64);
    function lastCallGas() external view returns (uint64, uint64, uint64, int64, uint64);
}

contract LibrariesTest {
    Addresses constant addresses = Addresses(address(vm));
    bytes32 constant SALT = bytes32(uint256(SALT_OF_TEST));
    address constant FACTORY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bool immutable hadFactory = FACTORY.code.length > 0;

    function byCreate2(bytes memory code) internal pure returns (address) {
        return addresses.computeCreate2Address(SALT, keccak256(code));
    }

    function byNonce(uint256 nonce) internal pure returns (address) {
        return addresses.computeCreateAddress(0x1F95D37F27EA0dEA9C252FC09D5A6eaA97647353, nonce);
    }

    function test_create2() external view {
        require(address(Zero) == byCreate2(type(Zero).creationCode), 'Zero');
        require(address(Middle) == byCreate2(type(Middle).creationCode), 'Middle');
        require(address(Above) == byCreate2(type(Above).creationCode), 'Above');
    }

    function test_factoryBefore() external view {
        require(hadFactory, 'factory');
        require(addresses.getNonce(FACTORY) == 4, 'nonce of the factory');
    }

    function test_nonces() external view {
        require(address(Above) == byNonce(0), 'Above');
        require(address(Middle) == byNonce(1), 'Middle');
        require(address(Zero) == byNonce(2), 'Zero');
    }

    function test_factoryAfter() external view {
        require(!hadFactory, 'factory');
        require(addresses.getNonce(FACTORY) == 1, 'nonce of the factory');
    }

    function test_use() external {
        User user = new User();
        require(address(user) == 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 'the first child');
        user.add(3);
        require(user.sum() == 7 * 7 + 6, 'sum');
    }

    function test_noCallWasMade() external {
        try addresses.lastCallGas() {
            revert('a call of the deployment');
        } catch {}
    }
}
";

fn project(settings: &str, salt: &str) -> Project {
    let project = Project::with_tests(settings, &TESTS.replace("SALT_OF_TEST", salt));
    project.write("src/Libraries.sol", SOURCE);
    project
}

/// Names of the passing tests.
#[track_caller]
fn passing(run: &Run) -> Vec<String> {
    let lines = run.stdout.lines().filter_map(|line| line.strip_prefix("[PASS] "));
    let mut names: Vec<_> = lines.map(|line| line.split('(').next().unwrap().to_owned()).collect();
    names.sort();
    assert!(!names.is_empty(), "{}", run.shown());
    names
}

fn as_1_8(project: &Project, flags: &str) -> Run {
    project.ours(&format!("--unit --forge-version 1.8 {flags}")).run()
}

const BY_CREATE2: [&str; 4] = ["test_create2", "test_factoryBefore", "test_noCallWasMade", "test_use"];
const BY_NONCES: [&str; 4] = ["test_factoryAfter", "test_noCallWasMade", "test_nonces", "test_use"];

#[test]
fn libraries_are_deployed_by_create2_since_forge_1_8() {
    let project = project("", "0");
    assert_eq!(passing(&as_1_8(&project, "").exits_with(1)), BY_CREATE2);
    let (ours, forges) = (project.ours("--unit").run(), project.forge("").run());
    assert_eq!(passing(&ours), BY_NONCES);
    assert_eq!(passing(&forges), BY_NONCES);
}

#[test]
fn the_salt_of_libraries_can_be_set() {
    let salt = B256::with_last_byte(0xa5);
    let project = project(&format!("create2_library_salt = '{salt}'"), "0xa5");
    for settings in ["", "--isolate", "--no-isolate"] {
        assert_eq!(passing(&as_1_8(&project, settings).exits_with(1)), BY_CREATE2, "{settings}");
    }
    // The factory is called by itself then, and its nonce is another one.
    let through_itself = passing(&as_1_8(&project, "--always-use-create-2-factory"));
    assert_eq!(through_itself, ["test_create2", "test_noCallWasMade", "test_use"]);
    assert_eq!(passing(&project.forge("").run()), BY_NONCES);

    project.write("foundry.toml", "[profile.default]\ncreate2_library_salt = '0x12'\n");
    let refused = project.ours("").run().exits_with(1).stderr;
    assert!(refused.contains("foundry.toml:2:24"), "{refused}");
    assert!(refused.contains("expected 32 bytes in hexadecimal"), "{refused}");
}

#[test]
fn one_account_creates_the_libraries_if_the_factory_is_another_one() {
    let project = project("create2_deployer = '0x0000000000000000000000000000000000001234'", "0");
    assert_eq!(passing(&as_1_8(&project, "").exits_with(1)), BY_NONCES);
}

#[test]
fn any_factory_on_a_fork_deploys_libraries() {
    let node = Node::start();
    let without = project("create2_deployer = '0x0000000000000000000000000000000000001234'", "0");
    let fork = format!("--fork-block-number 6 --fork-url {}", node.url);
    let passed = passing(&as_1_8(&without, &fork).exits_with(1));
    assert!(
        passed.contains(&"test_nonces".to_owned()) && passed.contains(&"test_use".to_owned()),
        "{passed:?}"
    );
    let usual = project("", "0");
    let passed = passing(&as_1_8(&usual, &fork).exits_with(1));
    assert!(
        passed.contains(&"test_create2".to_owned()) && passed.contains(&"test_use".to_owned()),
        "{passed:?}"
    );
}

/// Creation code of a library of [`SOURCE`], linked with another one.
fn creation_code(project: &Project, name: &str, needed: Option<Address>) -> Vec<u8> {
    let artifact: Value =
        serde_json::from_str(&project.read(format!("out/Libraries.sol/{name}.json"))).unwrap();
    let bytecode = &artifact["bytecode"];
    let mut digits = bytecode["object"].as_str().unwrap().trim_start_matches("0x").to_owned();
    let links =
        bytecode["linkReferences"].as_object().unwrap().values().flat_map(|file| file.as_object().unwrap());
    for place in links.flat_map(|(_, places)| places.as_array().unwrap()) {
        let start = 2 * usize::try_from(place["start"].as_u64().unwrap()).unwrap();
        digits.replace_range(start..start + 40, &hex::encode(needed.unwrap()));
    }
    hex::decode(digits).unwrap()
}

/// Address of a library of [`SOURCE`] by its artifact.
fn by_create2(project: &Project, name: &str, needed: Option<Address>) -> Address {
    let factory = hex!("4e59b44847b379578588920ca78fbf26c0b4956c");
    let hash = keccak256(creation_code(project, name, needed));
    Address::from_slice(&keccak256([&[0xff][..], &factory, &[0; 32], &hash[..]].concat())[12..])
}

#[test]
fn addresses_follow_from_the_artifacts() {
    let project = Project::new(&[("foundry.toml", ""), ("src/Libraries.sol", SOURCE)]);
    project.forge_build().run().exits_with(0);
    let zero = by_create2(&project, "Zero", None);
    let middle = by_create2(&project, "Middle", Some(zero));
    let above = by_create2(&project, "Above", Some(middle));
    let tests = format!(
        "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import {{Above, Middle, Zero}} from '../src/Libraries.sol';

contract FixedTest {{
    function test_addresses() external view {{
        require(address(Zero) == {zero} && address(Middle) == {middle} && address(Above) == {above});
    }}
}}"
    );
    project.write("test/Fixed.t.sol", &tests);
    assert_eq!(passing(&as_1_8(&project, "").exits_with(0)), ["test_addresses"]);
}

#[test]
fn a_configured_library_is_not_deployed() {
    let zero = "0x00000000000000000000000000000000000000aa";
    let tests =
        "
import {Middle, Zero} from '../src/Libraries.sol';

interface Addresses { function computeCreate2Address(bytes32 salt, bytes32 hash) external pure returns (address); }

contract ConfiguredTest {
    function test_configured() external view {
        require(address(Zero) == address(0xaa) && address(0xaa).code.length == 0);
    }

    function test_create2() external view {
        bytes32 hash = keccak256(type(Middle).creationCode);
        require(address(Middle) == Addresses(address(vm)).computeCreate2Address(0, hash));
    }
}";
    let project = Project::with_tests("", tests);
    project.write("src/Libraries.sol", SOURCE);
    for path in ["src/Libraries.sol", "src/../src/Libraries.sol"] {
        let settings = format!("[profile.default]\nlibraries = ['{path}:Zero:{zero}']\n");
        project.write("foundry.toml", &settings);
        assert_eq!(
            passing(&as_1_8(&project, "").exits_with(0)),
            ["test_configured", "test_create2"],
            "{path}"
        );
    }
    project.write(
        "foundry.toml",
        &format!("[profile.default]\nlibraries = ['src/Libraries.sol:Zero:{zero}']\n"),
    );
    assert_eq!(passing(&project.ours("--unit").run()), ["test_configured"]);
    assert_eq!(passing(&project.forge("").run()), ["test_configured"]);
}

#[test]
fn libraries_that_need_each_other_are_created_by_one_account() {
    let tests = "
library Ping {
    function ping(uint256 n) external pure returns (uint256) {
        return n == 0 ? 0 : 1 + Pong.pong(n - 1);
    }
}

library Pong {
    function pong(uint256 n) external pure returns (uint256) {
        return n == 0 ? 0 : 1 + Ping.ping(n - 1);
    }
}

contract CircleTest {
    function test_circle() external view {
        require(address(Ping) == 0x5F65cD7D792E9746EF82929D60de9a1C526f93A5);
        require(Ping.ping(5) == 5);
    }
}";
    let project = Project::with_tests("", tests);
    assert_eq!(passing(&as_1_8(&project, "").exits_with(0)), ["test_circle"]);
    assert_eq!(passing(&project.forge("").run().exits_with(0)), ["test_circle"]);
}

/// The target is where its code, which holds the address of a library, says.
const TARGET: &str = "
import {User} from '../src/Libraries.sol';

contract SaltedTest {
    User user = new User{salt: 0}();

    function invariant_small() external view {
        require(user.sum() < 1000, 'large');
    }
}
";

#[test]
fn what_a_run_leaves_shows_the_failure_to_the_same_version() {
    let project = Project::with_tests("", TARGET);
    project.write("src/Libraries.sol", SOURCE);
    let flags = "--fuzz-seed 1 --runs 8 --depth 20";
    let mut targets = Vec::new();
    for version in ["1.7", "1.8"] {
        project.forget_failures();
        let flags = format!("{flags} --forge-version {version}");
        let dir = format!("test/repro{}", version.replace('.', "_"));
        let run = project.ours(&format!("{flags} --emit-repro {dir} --json")).run().exits_with(1);
        let result = &run.json()["test/Test.t.sol:SaltedTest"]["test_results"]["invariant_small()"];
        assert_eq!(result["reason"], "large", "{}", run.shown());
        let calls = result["counterexample"]["Sequence"][1].as_array().unwrap();
        targets.push(calls[0]["addr"].clone());
        // The stored failure is replayed first, and needs no search.
        let replay = project.command("replay", &format!("--forge-version {version}")).run().exits_with(1);
        assert!(
            replay.stdout.contains("[FAIL: large]\n\t[Sequence] (original: 1, shrunk: 1)"),
            "{}",
            replay.shown()
        );
        let line =
            format!("--unit --forge-version {version} --match-path {dir}/* --match-test test_regression");
        let repro = project.ours(&line).run().exits_with(1);
        assert!(repro.stdout.contains("[FAIL: large] test_regression"), "{}", repro.shown());
        if version == "1.7" {
            let line = format!("--match-path {dir}/* --match-test test_regression");
            let judged = project.forge(&line).run().exits_with(1);
            assert!(judged.stdout.contains("[FAIL: large] test_regression"), "{}", judged.shown());
        }
    }
    assert_ne!(targets[0], targets[1]);
}
