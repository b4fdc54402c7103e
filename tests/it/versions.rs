//! Assertions are told apart, and located, whatever compiled them.

use crate::harness::{Project, Run};
use insta::assert_snapshot;

/// What the findings of all suites are, one a line.
fn findings(run: &Run) -> String {
    let report = run.json();
    let mut lines = Vec::new();
    for (id, suite) in report.as_object().unwrap() {
        for finding in suite["harvey"]["findings"].as_array().unwrap() {
            let [contract, function, location, reason] =
                ["contract", "function", "location", "reason"].map(|field| finding[field].as_str().unwrap());
            lines.push(format!("{id}: {contract}.{function} at {location}: {reason}"));
        }
    }
    lines.sort();
    lines.join("\n")
}

#[test]
fn a_source_that_two_compilers_compiled_is_located_in_the_output_of_each() {
    let project = Project::copy_of("testdata/errors/versions");
    project
        .write("test/Shared.sol", &project.read("test/Shared.sol").replace("acted = true", "assert(acted)"));
    let run = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    assert_snapshot!(findings(&run), @"
    test/New.sol:New: test/Old.sol:OldTarget.act() at test/Shared.sol:9:9: panic: assertion failed (0x01)
    test/New.sol:New: test/Shared.sol:Shared.0.8.30.act() at test/Shared.sol:9:9: panic: assertion failed (0x01)
    test/Old.sol:Old: test/Old.sol:OldTarget.act() at test/Shared.sol:9:9: panic: assertion failed (0x01)
    ");
}

const TWO_ASSERTIONS: &str = "
contract Account {
    uint256 public balance;

    function move(uint256 amount, bool out) external {
        if (out) {
            assert(balance != 2);
            balance -= amount % (balance + 1);
        } else {
            balance += amount % 4;
            assert(balance != 3);
        }
    }
}

contract Accounting {
    Account account = new Account();

    function invariant_holds() external {}
}
";

#[test]
fn two_assertions_of_a_function_are_two_findings_through_either_pipeline() {
    for settings in ["", "optimizer = true", "via_ir = true", "via_ir = true\noptimizer = true"] {
        let project = Project::with_tests(settings, TWO_ASSERTIONS);
        let run = project.ours("--json --fuzz-seed 1 --runs 50 --depth 10").run().exits_with(1);
        insta::allow_duplicates!(assert_snapshot!(findings(&run), @"
        test/Test.t.sol:Accounting: test/Test.t.sol:Account.move(uint256,bool) at test/Test.t.sol:21:13: panic: assertion failed (0x01)
        test/Test.t.sol:Accounting: test/Test.t.sol:Account.move(uint256,bool) at test/Test.t.sol:25:13: panic: assertion failed (0x01)
        "));
    }
}

#[test]
fn assertions_of_constructors_are_told_apart_and_located() {
    let tests = "
contract Part {
    constructor(uint256 size) {
        assert(size != 1);
        uint256 weight = size * 2;
        assert(weight != 4);
    }
}

contract Other {
    constructor(uint256 size) {
        assert(size != 3);
    }
}

contract Factory {
    uint256 public made;

    function make(uint8 size) external {
        new Part(size % 5);
        new Other(size % 5);
        made++;
    }
}

contract Making {
    Factory factory = new Factory();

    function invariant_holds() external {}
}";
    let project = Project::with_tests("", tests);
    let run = project.ours("--json --fuzz-seed 1 --runs 20 --depth 10").run().exits_with(1);
    assert_snapshot!(findings(&run), @"
    test/Test.t.sol:Making: test/Test.t.sol:Factory.make(uint8) at test/Test.t.sol:18:9: panic: assertion failed (0x01)
    test/Test.t.sol:Making: test/Test.t.sol:Factory.make(uint8) at test/Test.t.sol:20:9: panic: assertion failed (0x01)
    test/Test.t.sol:Making: test/Test.t.sol:Factory.make(uint8) at test/Test.t.sol:26:9: panic: assertion failed (0x01)
    ");
}
