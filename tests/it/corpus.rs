//! Forge's corpus on disk (`corpus_dir`): we read what it wrote, and it reads what we write.

use crate::harness::Project;
use std::fs;

/// Three calls in this order, the first with a number that is nowhere in the code, make it bad.
const TESTS: &str = r"
contract Lock {
    bool public bad;
    bool private set;
    bool private turned;

    function put(uint256 x) external {
        if (x ^ 0x5555555555555555 == 0x1234567890abcdef) set = true;
    }

    function turn(uint8 y, string calldata word) external {
        if (set && bytes(word).length > 3 && y == 7) turned = true;
    }

    function open() external {
        if (turned) bad = true;
    }
}

contract LockTest {
    Lock lock = new Lock();

    function invariant_closed() external view {
        require(!lock.bad(), 'open');
    }

    // Lets the search go on.
    function invariant_holds() external pure {}
}";

fn project(gzip: bool) -> Project {
    let project = Project::with_tests("", TESTS);
    let toml = format!(
        "[profile.default]\n[profile.default.invariant]\ncorpus_dir = 'corpus'\ncorpus_gzip = {gzip}\ndepth = 20\n"
    );
    project.write("foundry.toml", &toml);
    project
}

#[test]
fn what_was_kept_is_run_first() {
    let project = project(true);
    let first = project.ours("--fuzz-seed 3").run().exits_with(1).stdout;
    assert!(first.contains("[FAIL: open]") && !first.contains("(runs: 0,"), "{first}");
    project.forget_failures();
    let second = project.ours("--fuzz-seed 2").run().exits_with(1).stdout;
    assert!(
        second.contains("[FAIL: open]") && second.contains("(runs: 0, calls: 0, reverts: 0)"),
        "{second}"
    );
}

#[test]
fn forge_runs_what_we_kept() {
    let project = project(false);
    project.ours("--fuzz-seed 3").run().exits_with(1);
    project.forget_failures();
    let search = || project.forge("--fuzz-seed 1").env("FOUNDRY_INVARIANT_RUNS", "300").run();
    let run = search();
    assert!(run.stdout.contains("[FAIL: open]"), "{}", run.shown());
    project.forget_failures();
    fs::remove_dir_all(project.root().join("corpus")).unwrap();
    search().exits_with(0);
}

#[test]
fn we_run_what_forge_kept_and_name_what_is_no_sequence() {
    let project = project(true);
    // Of all that Forge makes in so many runs, something covers each branch.
    project.forge("--fuzz-seed 1").env("FOUNDRY_INVARIANT_RUNS", "2000").run();
    let kept = project.root().join("corpus/LockTest/invariant_closed");
    assert!(kept.join("worker0/corpus").read_dir().unwrap().count() > 0);
    project.write("corpus/LockTest/invariant_closed/f90a5d22-603f-4a92-8916-0cdfba84e370-1.json", "[{}");
    project.forget_failures();
    let run = project.ours("--fuzz-seed 1").run();
    let warnings = run.warnings();
    assert!(warnings.contains("f90a5d22-603f-4a92-8916-0cdfba84e370-1.json holds no sequence of calls that can be read; remove it"), "{warnings}");
}
