//! Suites on forks of a real node: found, cached, and what happens when the node goes away.

use crate::harness::{Node, Project, Run};
use std::path::Path;
use tempfile::TempDir;

/// A suite on the ledger that the node's chain has in block 6, whose total is 123.
const SUITE: &str = r"
interface Ledger {
    function total() external view returns (uint256);
    function share(address who) external view returns (uint256);
}

contract Handler {
    Ledger constant LEDGER = Ledger(0x5FbDB2315678afecb367f032d93F642f64180aa3);
    uint256 public opened;

    function open(uint256 key) external {
        if (key == LEDGER.total() * 1000003 + 17) ++opened;
    }

    function look(address who) external view returns (uint256) {
        return LEDGER.share(who);
    }
}

contract ForkTest {
    Handler handler = new Handler();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_closed() external view {
        require(handler.opened() == 0, 'opened');
    }

    function invariant_theBlock() external view {
        require(block.number == 6 && block.chainid == 271828, 'another block');
    }
}
";

/// What of a run does not depend on how long it took.
fn verdicts(run: &Run) -> Vec<(String, String)> {
    let json = run.json();
    let suite = &json["test/Test.t.sol:ForkTest"]["test_results"];
    let tests = suite.as_object().unwrap().iter();
    tests.map(|(name, result)| (name.clone(), format!("{} {}", result["status"], result["reason"]))).collect()
}

fn on_fork(project: &Project, node: &Node, home: &Path) -> Run {
    let line = "--json --fork-block-number 6 --fuzz-seed 1 --threads 1 --runs 64 --depth 16 --fork-url";
    let running = project.ours(&format!("{line} {}", node.url));
    running.home(home).run()
}

#[test]
fn a_fork_is_searched_and_again_without_its_node_from_what_was_fetched() {
    let project = Project::with_tests("", SUITE);
    let home = TempDir::new().unwrap();
    let mut node = Node::start();
    let online = verdicts(&on_fork(&project, &node, home.path()));
    let expected =
        [("invariant_closed()", "\"Failure\" \"opened\""), ("invariant_theBlock()", "\"Success\" null")];
    assert_eq!(online, expected.map(|(name, result)| (name.to_owned(), result.to_owned())));
    node.stop();
    project.forget_failures();
    assert_eq!(verdicts(&on_fork(&project, &node, home.path())), online);
}

#[test]
fn a_node_that_does_not_answer_is_named_before_anything_runs() {
    let project = Project::with_tests("", SUITE);
    let mut node = Node::start();
    node.stop();
    let run = project.ours(&format!("--fork-url {}", node.url)).run().exits_with(1);
    let shown = run.shown();
    assert!(shown.contains("could not instantiate forked environment with provider 127.0.0.1"), "{shown}");
    assert!(shown.contains("Connection refused"), "{shown}");
}

#[test]
fn a_node_that_is_restarted_in_the_middle_is_waited_for() {
    let asking = r"
    interface Forks { function createSelectFork(string calldata url, uint256 number) external returns (uint256); function ffi(string[] calldata command) external returns (bytes memory); }
    interface Ledger { function total() external view returns (uint256); }

    contract WaitTest {
        function test_total() external {
            Forks forks = Forks(address(vm));
            forks.createSelectFork('node', 6);
            string[] memory command = new string[](2);
            (command[0], command[1]) = ('sh', 'restart.sh');
            forks.ffi(command);
            require(Ledger(0x5FbDB2315678afecb367f032d93F642f64180aa3).total() == 123, 'another total');
        }
    }";
    let mut node = Node::start();
    let settings = format!("ffi = true\n[rpc_endpoints]\nnode = '{}'", node.url);
    let project = Project::with_tests(&settings, asking);
    // The test kills the node, and starts another one that takes its time.
    project.write("restart.sh", &node.restart_script(2));
    let run = project.ours("--unit").env("FOUNDRY_NO_STORAGE_CACHING", "true").run();
    node.adopt_restarted(project.root());
    let shown = run.exits_with(0).shown();
    assert!(shown.contains("[PASS] test_total()"), "{shown}");
}

#[test]
fn a_node_that_is_gone_for_good_ends_the_campaign_with_what_was_found() {
    let dying = r"
    interface Ffi { function ffi(string[] calldata command) external returns (bytes memory); }
    interface Ledger { function share(address who) external view returns (uint256); }

    contract Handler {
        uint256 public calls;
        uint256 public shares;

        function call() external {
            calls++;
        }

        function look(address who) external {
            if (calls == 3) {
                string[] memory command = new string[](2);
                (command[0], command[1]) = ('sh', 'stop.sh');
                Ffi(address(vm)).ffi(command);
            }
            shares += Ledger(0x5FbDB2315678afecb367f032d93F642f64180aa3).share(who);
        }
    }

    contract DyingTest {
        Handler handler = new Handler();

        function targetContracts() external view returns (address[] memory targets) {
            targets = new address[](1);
            targets[0] = address(handler);
        }

        function invariant_fewCalls() external view {
            require(handler.calls() < 2, 'two calls');
        }

        function invariant_holds() external view {}
    }";
    let node = Node::start();
    let endpoint =
        format!("{{ endpoint = '{}', config = {{ retries = 2, retry_backoff = 100 }} }}", node.url);
    let settings = format!("ffi = true\nno_storage_caching = true\n[rpc_endpoints]\nnode = {endpoint}");
    let project = Project::with_tests(&settings, dying);
    project.write("stop.sh", &node.stop_script());
    let line = "--fork-block-number 6 --fuzz-seed 1 --threads 1 --runs 64 --depth 16 --fork-url node";
    let shown = project.ours(line).run().exits_with(1).shown();
    for part in
        ["[FAIL: two calls]\n", "[FAIL: EVM error; database error: failed to get", "] invariant_holds() "]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
