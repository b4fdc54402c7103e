//! Time limits of a run: what they replace, how suites and their campaigns share them, and what stored inputs take.

use crate::harness::{Project, Run};
use serde_json::Value;

/// Two suites. In the first one, everything breaks at once.
const SUITES: &str = "
contract Counter {
    uint256 public number;

    function set(uint256 to) external {
        number = to;
    }
}

contract Broken {
    Counter counter = new Counter();

    function invariant_small() external view {
        require(counter.number() < 3, 'three');
    }
}

contract Holds {
    Counter counter = new Counter();

    function invariant_holds() external view {
        counter.number();
    }

    function testFuzz_holds(uint256 x) external pure {}

    function testFuzz_fails(uint256 x) external pure {
        require(x < 1 << 200, 'large');
    }
}";

/// Returns the events of a run that wrote them to `events.jsonl`.
fn events(project: &Project) -> Vec<Value> {
    project.read("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the seconds that the run says to have taken.
fn seconds(project: &Project) -> f64 {
    events(project).last().unwrap()["seconds"].as_f64().unwrap()
}

fn figure(run: &Run, suite: &str, test: &str, figure: &str) -> u64 {
    let kind = &run.json()[format!("test/Test.t.sol:{suite}")]["test_results"][test]["kind"];
    kind.as_object().unwrap().values().next().unwrap()[figure].as_u64().unwrap()
}

#[test]
fn a_budget_replaces_runs_and_is_spent_to_the_end() {
    let project = Project::with_tests("", SUITES);
    let line =
        "--budget 4 --runs 1 --depth 2 --fuzz-runs 1 --threads 1 --fuzz-seed 1 --json --events events.jsonl";
    let run = project.ours(line).run().exits_with(1);
    assert!((3.5..7.0).contains(&seconds(&project)), "{}", run.shown());
    assert!(figure(&run, "Holds", "invariant_holds()", "calls") > 1000, "{}", run.shown());
    assert!(figure(&run, "Holds", "testFuzz_holds(uint256)", "runs") > 1000, "{}", run.shown());
    let invariants = events(&project).into_iter().find(|event| {
        event["event"] == "campaign_started"
            && event["target"].as_str().unwrap().ends_with("Holds")
            && event["properties"] == 1
            && event["seconds"].as_f64().unwrap() > 0.9
    });
    assert!(invariants.is_some(), "the invariants get what the decided tests leave");
}

#[test]
fn stored_inputs_leave_most_of_the_time_to_the_search() {
    // A call of `spin` takes long, so that the corpus of the first run would fill the time of the second.
    let project = Project::with_tests(
        "",
        "
contract Slow {
    uint256 public last;

    function spin(uint256 seed) external {
        for (uint256 i; i < 2000; i++) seed = uint256(keccak256(abi.encode(seed)));
        if (seed % 7 == 3) last = seed % 512;
    }
}

contract SlowTest {
    Slow slow = new Slow();

    function invariant_low() external view {
        uint256 last = slow.last();
        for (uint256 i; i < last; i++) last % 2;
    }
}",
    );
    let run = |seconds: u32, seed: u32| {
        let line = format!("--budget {seconds} --threads 1 --fuzz-seed {seed} --events events.jsonl");
        project.ours(&line).run().exits_with(0)
    };
    run(8, 1);
    let shown = run(4, 2).shown();
    let calls = events(&project).iter().filter_map(|event| event["calls"].as_u64()).max().unwrap();
    assert!(calls > 20, "{calls} calls\n{shown}");
}
