//! Mutants of the sources.

use crate::harness::Project;
use serde_json::{Value, json};

pub(crate) const SETTINGS: &str =
    "[profile.default]\nsolc = \"0.8.30\"\n[profile.default.invariant]\nruns = 50\ndepth = 20\n";

pub(crate) const BANK: &str = r#"// SPDX-License-Identifier: MIT
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

const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Vault {
    uint256 public total;
    uint256 public fees;
    mapping(address => uint256) public shares;

    function deposit(uint128 amount) external {
        require(amount > 0, "nothing");
        uint256 fee = amount / 100;
        shares[msg.sender] += amount - fee;
        total += amount - fee;
        fees = fees + fee;
    }

    function withdraw(uint256 amount) external {
        shares[msg.sender] -= amount;
        total -= amount;
    }

    function unused(uint256 a, uint256 b) internal pure returns (uint256) {
        return a - b;
    }
}

contract Untested {
    uint256 public count;

    function add() external {
        count += 1;
    }
}
"#;

const VAULT_SUITE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Vault} from "../src/Vault.sol";

contract VaultTest {
    Vault internal vault = new Vault();

    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xbeef);
    }

    function targetContracts() external view returns (address[] memory contracts) {
        contracts = new address[](1);
        contracts[0] = address(vault);
    }

    function invariant_totalIsTheSum() public view {
        require(vault.total() == vault.shares(address(0xbeef)), "not the sum");
    }

    function test_nothingIsRefused() public {
        try vault.deposit(0) {
            revert("accepted");
        } catch {}
    }

    function test_failsAnyway() public pure {
        revert("always");
    }

    function testFail_ofForgeBefore1() public pure {
        revert("as it should");
    }
}
"#;

fn vault() -> Project {
    Project::new(&[("foundry.toml", SETTINGS), ("src/Vault.sol", VAULT), ("test/Vault.t.sol", VAULT_SUITE)])
}

/// Verdict of the mutant of a report that an operator made of `original`.
fn verdict<'a>(report: &'a Value, operator: &str, original: &str) -> &'a Value {
    let mutants = report["mutants"].as_array().unwrap().iter();
    let mut found = mutants.filter(|mutant| mutant["operator"] == operator && mutant["original"] == original);
    found.next().unwrap_or_else(|| panic!("no {operator} of {original} in {report:#}"))
}

const FEW: &str = "--fuzz-seed 1 --budget 1 --operators dropped-write,require,relational";

#[test]
fn the_changes_that_no_test_notices_are_shown_with_calls_that_show_them() {
    let project = vault();
    let run = project.command("mutate", FEW).args("--json").run().exits_with(0);
    let report = run.json();
    let write = verdict(&report, "dropped-write", "total -= amount;");
    assert_eq!((&write["verdict"], &write["test"]), (&"killed".into(), &"invariant_totalIsTheSum()".into()));
    let guard = verdict(&report, "require", r#"require(amount > 0, "nothing");"#);
    assert_eq!((&guard["verdict"], &guard["by"]), (&"killed".into(), &"unit-test".into()));
    let fees = verdict(&report, "dropped-write", "fees = fees + fee;");
    assert_eq!(fees["verdict"], "survived", "{fees:#}");
    assert_eq!(fees["difference"]["kind"], "storage");
    let calls = fees["difference"]["calls"].as_array().unwrap();
    assert!(calls.last().unwrap().as_str().unwrap().starts_with("Vault.deposit("), "{fees:#}");
    assert_eq!(verdict(&report, "dropped-write", "count += 1;")["verdict"], "not-reached");
    assert_eq!(
        report["failing"],
        json!([
            "test/Vault.t.sol:VaultTest.test_failsAnyway()",
            "test/Vault.t.sol:VaultTest.testFail_ofForgeBefore1()"
        ])
    );

    // What was tested is not tested again, and a survivor can be run alone.
    let again = project.command("mutate", FEW).args("--json").run().exits_with(0).json();
    assert_eq!((&report["left"], &again["left"]), (&json!(0), &json!(0)));
    let mutants = |report: &Value| report["mutants"].as_array().unwrap().clone();
    for (again, first) in mutants(&again).iter().zip(&mutants(&report)) {
        assert_eq!(again, first);
    }
    assert_eq!(again["mutants"], report["mutants"]);
    let id = fees["id"].as_str().unwrap();
    let line = format!("--fuzz-seed 1 --nmt Anyway|testFail --unit --mutant cache/harvey/mutants/{id}");
    project.ours(&line).run().exits_with(0);
    let line = "--budget 1 --operators dropped-write --match-contract Untested --fail-under 50";
    let run = project.command("mutate", line).run().exits_with(1);
    assert!(run.stdout.contains("Score: 0.0 %, 0 of 1 mutant killed"), "{}", run.shown());
}

#[test]
fn contracts_without_tests_are_called_when_asked() {
    let project = vault();
    let line = "--budget 2 --corpus-budget 2 --operators dropped-write --match-contract Untested --match-suite Untested";
    let run = project.command("mutate", line).args("--scan --no-search --json").run().exits_with(0);
    let write = verdict(&run.json(), "dropped-write", "count += 1;").clone();
    assert_eq!((&write["verdict"], &write["difference"]["kind"]), (&"survived".into(), &"storage".into()));
}

#[test]
fn a_kill_leaves_the_sources_as_they_were_and_the_next_run_goes_on() {
    let project = vault();
    let outside = || {
        let files = walkdir::WalkDir::new(project.root()).sort_by_file_name().into_iter().flatten();
        let files = files.filter(|file| file.file_type().is_file()).map(|file| file.into_path());
        let kept = files.filter(|path| {
            let relative = path.strip_prefix(project.root()).unwrap();
            !relative.starts_with("cache") && !relative.starts_with("out")
        });
        kept.map(|path| (project.read(&path), path)).collect::<Vec<_>>()
    };
    let before = outside();
    let line = "--fuzz-seed 1 --budget 1 --operators dropped-write,arithmetic";
    for milliseconds in [500, 2000, 5000] {
        let started = project.command("mutate", line).start();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        started.signal("KILL");
        started.finish();
        assert_eq!(outside(), before, "after {milliseconds} ms");
    }
    let report = project.command("mutate", line).args("--json").run().exits_with(0).json();
    assert_eq!(report["left"], 0);
    assert_eq!(outside(), before);
}

#[test]
fn mutants_are_chosen_by_operator_line_contract_and_sample() {
    let project = vault();
    let list = |line: &str| {
        let run = project.command("mutate", line).args("--list").run().exits_with(0);
        let lines = run.stdout.lines().filter(|line| line.contains(" src/Vault.sol:"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let all = list("");
    assert!(all.lines().count() > 20, "{all}");
    let writes = list("--operators dropped-write");
    assert!(writes.lines().all(|line| line.contains(" dropped-write: ")), "{writes}");
    assert_eq!(list("--operators dropped-write --mc Untested").lines().count(), 1);
    assert_eq!(list("--sample 3").lines().count(), 3);
    assert!(list("--sample 3").lines().all(|line| all.contains(line)));
    let id = writes.split_whitespace().next().unwrap();
    assert_eq!(list(&format!("--ids {id}")), format!("{}\n", writes.lines().next().unwrap()));
    let run = project.command("mutate", "--list --ids 0123456789").run().exits_with(1);
    assert!(run.stderr.contains("there is no mutant 0123456789; `--list` shows the ids"), "{}", run.shown());
    let run = project.command("mutate", "--operators nonsense").run().exits_with(1);
    assert!(
        run.stderr.contains("there is no operator nonsense; there are integer-overflow, "),
        "{}",
        run.shown()
    );
    let run = project.command("mutate", "src/Missing.sol").run().exits_with(1);
    assert!(run.stderr.contains("cannot find src/Missing.sol"), "{}", run.shown());
    project.command("mutate", "--sample many").run().exits_with(2);
}

const SAVINGS: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Bank} from "./Bank.sol";

contract Savings is Bank {
    function withInterest(uint256 amount) external pure returns (uint256) {
        return _twice(amount);
    }
}
"#;

/// The suite deploys a contract whose name it puts together, so that no import and no string tells of it.
const HIDDEN: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {BankTest} from "./Bank.t.sol";

interface Vm {
    function deployCode(string calldata) external returns (address);
}

contract HiddenTest is BankTest {
    address internal savings;

    function setUp() public {
        Vm vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
        savings = vm.deployCode(string.concat("Savings", ".sol"));
    }

    function test_thereIsCode() public view {
        require(savings.code.length > 0, "no code");
    }
}
"#;

#[test]
fn contracts_that_no_suite_needs_are_not_compiled_and_those_of_the_original_stay() {
    let bank = BANK.trim_end().trim_end_matches('}').to_owned()
        + "\n    function _twice(uint256 x) internal pure returns (uint256) {\n        return x + x;\n    }\n}\n";
    let project = Project::new(&[
        ("foundry.toml", SETTINGS),
        ("src/Bank.sol", &bank),
        ("src/Savings.sol", SAVINGS),
        ("test/Bank.t.sol", SUITE),
        ("test/Hidden.t.sol", HIDDEN),
    ]);
    let line = "--operators arithmetic,dropped-write --budget 1 --fuzz-seed 1 --json src/Bank.sol";
    let report = project.command("mutate", line).run().exits_with(0).json();
    assert_eq!(verdict(&report, "arithmetic", "+")["verdict"], "not-reached");
    let write = verdict(&report, "dropped-write", "total += amount;");
    assert_eq!((&write["verdict"], &write["test"]), (&"killed".into(), &"invariant_totalIsTheSum()".into()));
}
