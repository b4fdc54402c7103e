//! Suites on which something once went wrong, or easily could.

use crate::harness::{Project, Run};
use insta::assert_snapshot;
use std::time::Instant;

/// Status, reason and length of the sequence of each test and finding, one a line.
fn verdicts(run: &Run) -> String {
    let mut lines = Vec::new();
    for suite in run.json().as_object().unwrap().values() {
        for (signature, test) in suite["test_results"].as_object().unwrap() {
            let calls = test["counterexample"]["Sequence"][1].as_array().map_or(0, Vec::len);
            lines.push(format!("{} {signature} {} {calls}", test["status"], test["reason"]));
        }
        for finding in suite["harvey"]["findings"].as_array().unwrap() {
            let calls = finding["sequence"].as_array().unwrap().len();
            lines.push(format!("finding {} {} {calls}", finding["function"], finding["reason"]));
        }
    }
    lines.join("\n").replace('"', "")
}

#[test]
fn a_run_that_ends_with_reverts_is_judged_by_after_invariant() {
    let tests = r#"
contract Three {
    uint256 public number;

    function count() external {
        require(number < 3, "enough");
        number++;
    }
}

contract AfterReverts {
    Three three = new Three();

    function invariant_holds() external {}

    function afterInvariant() external view {
        require(three.number() < 3, "three in the end");
    }
}"#;
    let project = Project::with_tests("[profile.default.invariant]\nruns = 8\ndepth = 8", tests);
    let run = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @"Failure invariant_holds() three in the end 3");
    assert_eq!(run.warnings(), "");
    // Forge replays the three calls that count.
    let forge = project.forge("").run().exits_with(1);
    assert!(forge.warnings().starts_with("Warning: Replayed invariant failure"), "{}", forge.shown());
    assert!(
        forge.stdout.contains("[FAIL: three in the end]\n\t[Sequence] (original: 3, shrunk: 3)"),
        "{}",
        forge.shown()
    );
}

#[test]
fn a_call_that_breaks_everything_at_once_breaks_each_invariant_and_ends_nothing() {
    let tests = r#"
contract Vase {
    bool public broken;

    function drop() external {
        broken = true;
    }

    function mend() external {
        assert(!broken);
    }
}

contract Shattered {
    Vase vase = new Vase();

    function invariant_first() external view {
        require(!vase.broken(), "first");
    }

    function invariant_second() external view {
        require(!vase.broken(), "second");
    }

    function statefulFuzz_third() external view {
        assert(!vase.broken());
    }
}"#;
    let project = Project::with_tests("[profile.default.invariant]\nruns = 10\ndepth = 5", tests);
    let run = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @"
    Failure invariant_first() first 1
    Failure invariant_second() second 1
    Failure statefulFuzz_third() panic: assertion failed (0x01) 1
    finding mend() panic: assertion failed (0x01) 2
    ");
}

#[test]
fn fixtures_are_those_of_the_state_after_set_up() {
    let tests = r#"
contract Safe {
    bool public open;
    bool public forced;

    function unlock(uint256 key) external {
        bytes32 lock = keccak256(abi.encode(key));
        // Hashes of the hashes of 7 and 8.
        if (lock == 0x607bca8f7c1c56da874da29cd62c3769b9880d38a258a91fc6dd1cfb6b4d1a8e) open = true;
        if (lock == 0xa7c46294ffa3fad92dc8422b2e38b688ccf1b86172f5beaf864af9368d2844e5) forced = true;
    }
}

/// The array holds the key to one thing after setUp, and the key to another once a handler was called.
contract Fixtures {
    Safe safe;
    uint256 number;

    function setUp() external {
        safe = new Safe();
        number = 7;
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](2);
        (targets[0], targets[1]) = (address(this), address(safe));
    }

    function fixtureKey() external view returns (uint256[] memory keys) {
        keys = new uint256[](1);
        keys[0] = uint256(keccak256(abi.encode(number)));
    }

    function change() external {
        number = 8;
    }

    function invariant_changed() external view {
        require(number == 7, "changed");
    }

    function invariant_closed() external view {
        require(!safe.open(), "open");
    }

    function invariant_unforced() external view {
        require(!safe.forced(), "forced");
    }
}"#;
    let project = Project::with_tests("[profile.default.invariant]\nruns = 20\ndepth = 5", tests);
    let run = project.ours("--json --fuzz-seed 1 --no-match-test closed").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @"
    Failure invariant_changed() changed 1
    Success invariant_unforced() null 0
    ");
    // This run begins with a replay that calls the handler.
    let run = project.ours("--json --fuzz-seed 2").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @"
    Failure invariant_changed() changed 1
    Failure invariant_closed() open 1
    Success invariant_unforced() null 0
    ");
}

#[test]
fn a_handler_that_never_returns_does_not_outlast_the_timeout() {
    let tests = r#"
contract Spinner {
    uint256 public turns;

    function spin() external {
        turns++;
        while (true) {}
    }

    function step() external {
        turns++;
    }
}

contract Spinning {
    Spinner spinner = new Spinner();

    function invariant_fewSteps() external view {
        require(spinner.turns() < 3, "three steps");
    }
}"#;
    let project = Project::with_tests("gas_limit = \"max\"", tests);
    project.ours("--list").run().exits_with(0);
    let start = Instant::now();
    let run = project.ours("--timeout 2 --fuzz-seed 1 -vvvv").run().exits_with(0);
    assert!((2..6).contains(&start.elapsed().as_secs()), "{:?}\n{}", start.elapsed(), run.shown());
    assert_snapshot!(run.warnings(), @"Warning: test/Test.t.sol:Spinner.spin() was still running when the time was up; does it loop without end?");
}

#[test]
fn a_gas_limit_that_pays_for_nothing_is_an_error() {
    let tests = "
contract Idle {
    function act() external {}
}

contract Poor {
    Idle idle = new Idle();

    function invariant_holds() external {}
}";
    let project = Project::with_tests("gas_limit = 20000", tests);
    let run = project.ours("").run().exits_with(1);
    assert_snapshot!(run.brief(), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:Poor
    [FAIL: EVM error; transaction validation error: call gas cost (58964) exceeds the gas limit (20000)] setUp() (gas: 0)
    ");
    let reason = "EVM error; transaction validation error: call gas cost (";
    let forge = project.forge("").run().exits_with(1);
    assert!(run.stdout.contains(reason) && forge.stdout.contains(reason), "{}", forge.shown());
}

#[test]
fn behind_a_canary_that_always_breaks_the_deep_invariant_is_found() {
    let tests = r#"
contract Chimera {
    uint256 stage;
    uint256 calls;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function canary() external {
        calls++;
        vm.assertTrue(false, "!!! canary assertion");
    }

    function first(uint8 step) external {
        if (stage == 0 && step == 3) stage = 1;
    }

    function second(uint8 step) external {
        if (stage == 1 && step > 200) stage = 2;
    }

    function third() external {
        if (stage == 2) stage = 3;
    }

    function invariant_deep() external view {
        require(stage < 3, "third stage");
    }

    function invariant_holds() external {}
}"#;
    let project = Project::with_tests("[profile.default.invariant]\nruns = 200\ndepth = 20", tests);
    let run = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @"
    Failure invariant_deep() third stage 3
    Success invariant_holds() null 0
    finding canary() !!! canary assertion 1
    ");
}

#[test]
fn a_number_that_follows_its_own_operand_does_not_hold_the_search() {
    // The sum's overflow check compares what was set with one more than that, so that each replacement asks for another.
    let tests = r#"
contract Counter {
    uint256 public number;
    bool public locked;

    function increment() external {
        number += 1;
    }

    function setNumber(uint256 n) external {
        require(n < 1000000);
        if (n == 777777) locked = true;
        number = n;
    }
}

contract CounterTest {
    Counter counter = new Counter();

    function invariant_small() external view {
        require(counter.number() < 1000000, "large");
    }
}"#;
    let project = Project::with_tests("[profile.default.invariant]\nruns = 40\ndepth = 50", tests);
    for seed in 1..=5 {
        let run = project.ours(&format!("--json --threads 1 --fuzz-seed {seed}")).run().exits_with(1);
        assert!(verdicts(&run).starts_with("Failure invariant_small() large "), "{}", run.shown());
        project.forget_failures();
    }
}
