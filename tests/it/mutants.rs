//! Mutants of the sources.

use crate::harness::Project;

const SETTINGS: &str =
    "[profile.default]\nsolc = \"0.8.30\"\n[profile.default.invariant]\nruns = 50\ndepth = 20\n";

const BANK: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Bank {
    uint256 public total;
    mapping(address => uint256) public balances;

    function deposit(uint128 amount) external {
        balances[msg.sender] += amount;
        total += amount;
    }
}
"#;

const SUITE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Bank} from "../src/Bank.sol";

contract BankTest {
    Bank internal bank = new Bank();

    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xbeef);
    }

    function targetContracts() external view returns (address[] memory contracts) {
        contracts = new address[](1);
        contracts[0] = address(bank);
    }

    function invariant_totalIsTheSum() public view {
        require(bank.total() == bank.balances(address(0xbeef)), "not the sum");
    }
}
"#;

/// Describes the mutant that changes `before` into `after`.
fn described(before: &str, after: &str) -> String {
    let start = BANK.find(before).unwrap();
    serde_json::json!({
        "operator": "dropped-write", "path": "src/Bank.sol", "range": { "start": start, "end": start + before.len() },
        "original": before, "replacement": after, "contract": "Bank", "function": "deposit",
    })
    .to_string()
}

#[test]
fn a_mutant_is_tested_in_place_of_the_source_and_nothing_of_it_stays() {
    let project =
        Project::new(&[("foundry.toml", SETTINGS), ("src/Bank.sol", BANK), ("test/Bank.t.sol", SUITE)]);
    project.ours("--fuzz-seed 1").run().exits_with(0);
    let before = project.read("out/Bank.sol/Bank.json");

    let description = "cache/harvey/mutants/1/mutant.json";
    project.write(description, &described("total += amount;", "{}"));
    let run = project.ours("--fuzz-seed 1 --mutant cache/harvey/mutants/1").run().exits_with(1);
    assert!(run.stdout.contains("invariant_totalIsTheSum"), "{}", run.shown());
    assert_eq!(project.read("src/Bank.sol"), BANK);
    assert_eq!(project.read("out/Bank.sol/Bank.json"), before);
    project.ours("--fuzz-seed 1").run().exits_with(0);

    let changed = described("total += amount;", "{}").replace("total +=", "sum +=");
    project.write(description, &changed);
    let run = project.ours("--mutant cache/harvey/mutants/1").run().exits_with(1);
    assert!(run.stderr.contains("src/Bank.sol has changed since the mutant was made"), "{}", run.shown());
}
