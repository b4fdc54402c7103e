//! Verdicts on mutants in special cases: shared code, calls that revert, suites that skip themselves.

use crate::{
    harness::Project,
    mutants::{BANK, SETTINGS},
};
use serde_json::{Value, json};

const ROUNDING: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

uint256 constant UNIT = 100;

function half(uint256 x) pure returns (uint256) {
    return x / 2;
}

library Rounding {
    function up(uint256 x) internal pure returns (uint256) {
        return (x + UNIT - 1) / UNIT;
    }

    function unused(uint256 x) internal pure returns (uint256) {
        return x % 2;
    }
}

abstract contract Rounded {
    function _twice(uint256 x) internal pure returns (uint256) {
        return x * 2;
    }
}
"#;

const ROUNDING_SUITE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Rounded, Rounding, half} from "../src/Rounding.sol";

contract RoundingTest is Rounded {
    function test_roundsUp() public pure {
        require(Rounding.up(101) == 2 && Rounding.up(200) == 2 && half(8) == 4 && _twice(8) == 16, "wrong");
    }
}
"#;

#[test]
fn code_that_tests_contain_is_compiled_and_code_that_nothing_contains_is_not_reached() {
    let project = Project::new(&[
        ("foundry.toml", SETTINGS),
        ("src/Rounding.sol", ROUNDING),
        ("test/Rounding.t.sol", ROUNDING_SUITE),
    ]);
    let report =
        project.command("mutate", "--operators arithmetic --budget 1 --json").run().exits_with(0).json();
    let mutants = report["mutants"].as_array().unwrap();
    let (unused, used): (Vec<_>, Vec<_>) = mutants.iter().partition(|mutant| mutant["function"] == "unused");
    assert!(used.len() == 5 && !unused.is_empty(), "{report:#}");
    assert!(
        used.iter().all(|mutant| mutant["verdict"] == "killed" && mutant["by"] == "unit-test"),
        "{report:#}"
    );
    assert!(unused.iter().all(|mutant| mutant["verdict"] == "not-reached"), "{report:#}");
}

const SALE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Fees {
    function fee(uint256 amount) external pure returns (uint256) {
        unchecked {
            return amount + 1;
        }
    }
}

contract Sale {
    Fees internal fees = new Fees();
    uint256 public paid;

    function buy(uint256 amount) external {
        paid = fees.fee(amount);
        revert("closed");
    }
}
"#;

const SALE_SUITE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Sale} from "../src/Sale.sol";

contract SaleTest {
    Sale internal sale = new Sale();

    function testFuzz_isClosed(uint128 amount) public {
        (bool success,) = address(sale).call(abi.encodeCall(sale.buy, (amount)));
        require(!success, "open");
    }
}
"#;

#[test]
fn effects_inside_a_call_that_reverts_are_no_difference() {
    let project =
        Project::new(&[("foundry.toml", SETTINGS), ("src/Sale.sol", SALE), ("test/Sale.t.sol", SALE_SUITE)]);
    let line = "--operators arithmetic --match-contract Fees --budget 1 --json";
    let report = project.command("mutate", line).run().exits_with(0).json();
    let mutants = report["mutants"].as_array().unwrap();
    assert!(!mutants.is_empty());
    for mutant in mutants {
        assert_eq!(
            (&mutant["verdict"], &mutant["difference"]),
            (&"survived".into(), &Value::Null),
            "{mutant:#}"
        );
    }
}

const SKIPPING: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Bank} from "../src/Bank.sol";

interface Vm {
    function skip(bool) external;
    function writeFile(string calldata path, string calldata text) external;
}

contract SkippingTest {
    Bank internal bank = new Bank();

    function setUp() public {
        Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).skip(true);
    }

    function testFuzz_deposits(uint128 amount) public {
        bank.deposit(amount);
        require(bank.total() == amount, "lost");
    }
}

contract WritingTest {
    Bank internal bank = new Bank();

    /// forge-config: default.fuzz.runs = 10
    function testFuzz_writes(uint128 amount) public {
        Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).writeFile("written.txt", "text");
        bank.deposit(amount);
    }
}
"#;

#[test]
fn suites_that_skip_themselves_kill_nothing_and_tests_write_no_files() {
    let settings =
        format!("{SETTINGS}[[profile.default.fs_permissions]]\naccess = \"read-write\"\npath = \"./\"\n");
    let settings = settings.replace("[profile.default.invariant]\nruns = 50\ndepth = 20\n", "");
    let files = [("foundry.toml", &*settings), ("src/Bank.sol", BANK), ("test/Skipping.t.sol", SKIPPING)];
    let project = Project::new(&files);
    let line = "--operators dropped-write --budget 1 --json";
    let report = project.command("mutate", line).run().exits_with(0).json();
    assert_eq!(report["failing"], json!(["test/Skipping.t.sol:WritingTest.testFuzz_writes(uint128)"]));
    let mutants = report["mutants"].as_array().unwrap();
    assert!(
        mutants.len() == 2 && mutants.iter().all(|mutant| mutant["verdict"] == "not-reached"),
        "{report:#}"
    );
    assert!(!project.root().join("written.txt").exists());
}
