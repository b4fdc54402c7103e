//! Comments on a function change how its result is shown.

use crate::harness::Project;

const TESTS: &str = "
contract Counter {
    uint256 public number;

    function count() external {
        number++;
    }
}

contract Looks {
    Counter counter = new Counter();

    /// forge-config: default.invariant.show_solidity = true
    function invariant_asSolidity() external view {
        require(counter.number() == 0, 'counted');
    }

    /// forge-config: default.invariant.show_metrics = false
    function invariant_asLine() external view {
        require(counter.number() == 0, 'counted');
    }
}";

#[test]
fn the_looks_of_a_result_are_those_that_its_own_comment_asks_for() {
    let run = Project::with_tests("", TESTS).ours("--fuzz-seed 1 --runs 2").run().exits_with(1);
    let result = |name: &str| {
        let result = run.stdout.split("\n[FAIL").find(|result| result.contains(name));
        result.unwrap_or_else(|| panic!("{}", run.shown())).split("\nSuite result").next().unwrap().to_owned()
    };
    let (solidity, line) = (result("invariant_asSolidity()"), result("invariant_asLine()"));
    assert!(solidity.contains("\t\tvm.prank(") && solidity.contains("| Counter "), "{solidity}");
    assert!(line.contains("\t\tsender=") && !line.contains("| Counter "), "{line}");
}
