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
    insta::assert_snapshot!(run.brief(), @r#"
    exit code 1
    Ran 5 tests for test/Test.t.sol:TestToken
    [PASS] echidna_owner() [FIGURES]
    [FAIL: did not revert]
    	[Sequence] (original: 3, shrunk: 1)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[test/Test.t.sol:TestToken]0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496 calldata=mint(uint256) args=[31415926535897932384 [3.141e19]]
     echidna_revert_transfer() [FIGURES]
    [FAIL: returned false]
    	[Sequence] (original: 95, shrunk: 1)
    		sender=0x0000000000000000000000000000000000010000 addr=[test/Test.t.sol:TestToken]0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496 calldata=mint(uint256) args=[31415926535897932384 [3.141e19]]
     echidna_supply() [FIGURES]
    [PASS]
    	[Best sequence] (original: 1, shrunk: 1)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[test/Test.t.sol:TestToken]0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496 calldata=pause() args=[]
     optimize_paused() (best: 7, runs: 256, calls: 128009)
    [FAIL: returned false]
    	[Sequence] (original: 1, shrunk: 1)
    		sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr=[test/Test.t.sol:TestToken]0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496 calldata=pause() args=[]
     property_running() [FIGURES]
    Note: `forge test` cannot replay echidna_revert_transfer(), echidna_supply(), property_running() from its failure file (Forge knows no such property); `--emit-repro DIR` writes a Solidity test that can
    --- stderr
    {"timestamp":[TIME],"event":"failure","invariant":"property_running","target":"test/Test.t.sol:TestToken","reason":"returned false"}
    {"timestamp":[TIME],"event":"failure","invariant":"echidna_supply","target":"test/Test.t.sol:TestToken","reason":"returned false"}
    {"timestamp":[TIME],"event":"failure","invariant":"echidna_revert_transfer","target":"test/Test.t.sol:TestToken","reason":"did not revert"}
    "#);
}

#[test]
fn their_reproducers_fail_under_forge() {
    let project = project();
    project.ours("--fuzz-seed 1 --emit-repro test/repro").run().exits_with(1);
    let shown = project.forge("--match-test test_regression").run().exits_with(1).shown();
    // Each in the suite and in the summary.
    assert_eq!(shown.matches("[FAIL: returned false] test_regression_").count(), 4, "{shown}");
    assert_eq!(shown.matches("[FAIL: did not revert] test_regression_").count(), 2, "{shown}");
    assert!(!shown.contains("[PASS] test_regression"), "{shown}");
}
