//! Properties as Echidna and Medusa name them, when they are switched on.

use crate::harness::Project;

const TESTS: &str = r"
contract Token {
    mapping(address => uint256) internal balances;
    address internal owner = tx.origin;
    bool internal paused;

    constructor() {
        balances[owner] = 1000;
    }

    function transfer(address to, uint256 value) public {
        require(!paused && balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        unchecked { balances[to] += value; }
    }

    function mint(uint256 value) public {
        if (value == 31415926535897932384) balances[msg.sender] += value;
    }

    function pause() public {
        require(msg.sender == owner);
        paused = true;
    }
}

contract TestToken is Token {
    function echidna_supply() public view returns (bool) {
        return balances[address(0x10000)] < 31415926535897932384;
    }

    function echidna_owner() public view returns (bool) {
        return owner != address(0);
    }

    function echidna_revert_transfer() public {
        transfer(address(1), 1001);
    }

    function property_running() public returns (bool) {
        return !paused;
    }

    function optimize_paused() public view returns (int256) {
        return paused ? int256(7) : int256(3);
    }
}";

fn project() -> Project {
    Project::with_tests("[profile.default.harvey]\nforeign_properties = true", TESTS)
}

#[test]
fn they_are_no_tests_unless_they_are_switched_on() {
    let project = Project::with_tests("", TESTS);
    let shown = project.ours("").run().exits_with(0).shown();
    assert!(shown.contains("No tests found"), "{shown}");
}

#[test]
fn they_hold_while_they_are_true_and_the_contract_itself_is_called() {
    let run = project().ours("--fuzz-seed 1 --threads 1").run().exits_with(1);
    insta::assert_snapshot!(run.brief(), @"");
}

#[test]
fn their_reproducers_fail_under_forge() {
    let project = project();
    project.ours("--fuzz-seed 1 --emit-repro test/repro").run().exits_with(1);
    let shown = project.forge("--match-test test_repro").run().exits_with(1).shown();
    for reason in ["[FAIL: returned false] test_repro_"] {
        assert_eq!(shown.matches(reason).count(), 4, "{shown}");
    }
    assert!(!shown.contains("[PASS] test_repro"), "{shown}");
}
