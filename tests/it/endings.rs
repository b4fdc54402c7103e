//! However a run ends, what was found until then is reported and kept.

use crate::harness::Project;
use std::time::{Duration, Instant};

/// Two suites, the first of which is done at once; the invariants hold.
const HOLDING: &str = "
contract Counter {
    uint256 public number;

    function count() external {
        number++;
    }
}

/// forge-config: default.invariant.runs = 1
contract First {
    Counter counter = new Counter();

    function invariant_holds() external {}
}

contract Second {
    Counter counter = new Counter();

    function invariant_alsoHolds() external {}
";

/// The second suite has an invariant that breaks as well.
const BREAKING: &str = "
    function invariant_breaks() external view {
        require(counter.number() < 2, 'twice');
    }
";

/// A project whose second suite would be searched for hours, and a word of what it prints when that is under way.
fn endless(breaking: bool) -> (Project, &'static str) {
    let tests = format!("{HOLDING}{}}}", if breaking { BREAKING } else { "" });
    let project = Project::with_tests("threads = 1\n[profile.default.invariant]\nruns = 100000000", &tests);
    (project, if breaking { r#""reason":"twice""# } else { "Suite result: ok." })
}

#[test]
fn an_interrupt_ends_the_search_with_what_was_found_reported_and_kept() {
    for signal in ["INT", "TERM"] {
        let (project, sign) = endless(true);
        let mut running = project.ours("--fuzz-seed 1").start();
        running.wait_for(sign);
        let start = Instant::now();
        running.signal(signal);
        let run = running.finish().exits_with(1);
        assert!(start.elapsed() < Duration::from_secs(5), "{signal}: {:?}", start.elapsed());
        assert!(run.stderr.contains("Interrupted: ending campaigns"), "{}", run.shown());
        assert!(run.stdout.contains("[FAIL: twice]\n\t[Sequence] "), "{}", run.shown());
        assert!(run.stdout.contains("[PASS] invariant_alsoHolds()"), "{}", run.shown());
        assert!(run.stdout.contains("1 failed"), "{}", run.shown());
        project.read("cache/invariant/failures/Second/invariant_breaks");
    }
}

#[test]
fn an_interrupt_before_anything_broke_ends_with_3() {
    let (project, sign) = endless(false);
    let mut running = project.ours("").start();
    running.wait_for(sign);
    std::thread::sleep(Duration::from_millis(500));
    running.signal("INT");
    let run = running.finish().exits_with(3);
    assert!(run.stdout.contains("[PASS] invariant_alsoHolds()"), "{}", run.shown());
    assert!(run.stdout.contains("\nInterrupted after "), "{}", run.shown());
    assert!(run.stdout.contains(" calls, with 2 of 2 test suites begun\n"), "{}", run.shown());
}

#[test]
fn a_timeout_is_an_end_like_any_other() {
    let (project, _) = endless(true);
    project.ours("--list").run().exits_with(0);
    let start = Instant::now();
    let run = project.ours("--timeout 2 --match-contract Second").run().exits_with(1);
    assert!((2..8).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    assert!(run.stdout.contains("[FAIL: twice]"), "{}", run.shown());
    let run = project.ours("--timeout 2 --match-test alsoHolds").run().exits_with(0);
    assert!(
        run.stdout.contains("2 tests passed") || run.stdout.contains("1 tests passed"),
        "{}",
        run.shown()
    );
}

#[test]
fn a_reader_that_goes_away_changes_neither_the_exit_code_nor_what_is_kept() {
    let (project, _) = endless(true);
    let run = project.ours("--runs 100 --fuzz-seed 1").run_into_closed_pipe().exits_with(1);
    assert!(!run.stderr.contains("panicked") && !run.stderr.contains("rror:"), "{}", run.shown());
    project.read("cache/invariant/failures/Second/invariant_breaks");
    for flag in ["--json", "--list", "--junit"] {
        let run = project.ours(&format!("--runs 100 {flag}")).run_into_closed_pipe();
        assert!(!run.stderr.contains("panicked") && !run.stderr.contains("rror:"), "{}", run.shown());
    }
}

#[test]
fn a_target_that_loops_without_end_is_named_and_does_not_stop_the_search() {
    let tests = "
contract Spinner {
    uint256 public turns;

    function spin() external {
        while (true) turns++;
    }

    function step() external {
        turns++;
    }
}

contract Endless {
    Spinner spinner = new Spinner();

    function invariant_fewSteps() external view {
        require(spinner.turns() < 3, 'three steps');
    }
}";
    let settings = "gas_limit = 30000000\n[profile.default.invariant]\nruns = 2\ndepth = 10";
    let run = Project::with_tests(settings, tests).ours("--fuzz-seed 1").run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: three steps]"), "{}", run.shown());
    assert!(run.stderr.contains("Spinner.spin() used all of its 30000000 gas"), "{}", run.shown());
}
