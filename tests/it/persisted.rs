//! What failed once is tried first the next time, until it no longer fails.

use crate::harness::{Project, Run, Running};
use insta::assert_snapshot;
use serde_json::Value;
use std::{fs, sync::OnceLock};

const TESTS: &str = r#"
contract Counter {
    uint256 public number;

    function count() external {
        number++;
    }
}

contract Breaks {
    Counter counter = new Counter();

    function invariant_few() external view {
        require(counter.number() < 3, "three");
    }
}

contract Ledger {
    uint256 entries;
    uint256 audits;

    function enter() external {
        entries++;
    }

    function audit() external {
        audits++;
        vm.assertTrue(entries < 2, "two entries");
    }
}

contract Asserts {
    Ledger ledger = new Ledger();

    function invariant_holds() external {}
}
"#;

/// Where our store keeps what breaks [`TESTS`].
const OURS: &str = "cache/harvey/failures/test+Test.t.sol";

/// The file that Forge replays for `Breaks`.
const FORGES: &str = "cache/invariant/failures/Breaks/invariant_few";

/// The contracts above, compiled once.
fn project() -> Project {
    static PROJECT: OnceLock<Project> = OnceLock::new();
    let project = PROJECT.get_or_init(|| {
        let project = Project::with_tests("[profile.default.invariant]\nruns = 8\ndepth = 6", TESTS);
        project.ours("--list").run().exits_with(0);
        project
    });
    project.copy()
}

/// [`project`] after a run that found what there is.
fn failed() -> Project {
    let project = project();
    project.ours("--fuzz-seed 1").run().exits_with(1);
    project
}

/// Calls that the search made before it knew of a failure; none when the failure was replayed.
fn calls_until(report: &Value, contract: &str, found: &str) -> Option<u64> {
    let stats = &report[format!("test/Test.t.sol:{contract}")]["harvey"]["stats"];
    stats["found"].get(found).map(|found| found["calls"].as_u64().unwrap())
}

/// The calls of the first counterexample in a report for people.
fn sequence(run: &Run) -> Vec<String> {
    let calls = run.stdout.lines().skip_while(|line| !line.starts_with("\t[Sequence]")).skip(1);
    calls.map_while(|line| line.strip_prefix("\t\t")).map(str::to_owned).collect()
}

fn files(project: &Project, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(project.root().join(directory)).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_broken_invariant_is_replayed_before_the_search() {
    let project = project();
    let first = project.ours("--match-contract Breaks --fuzz-seed 1").run().exits_with(1);
    let second = project.ours("--match-contract Breaks --fuzz-seed 2").run().exits_with(1);
    assert_eq!(sequence(&first).len(), 3);
    assert_eq!(sequence(&first), sequence(&second));
    assert!(second.stdout.contains(" invariant_few() (runs: 1, calls: 1, reverts: 1)"), "{}", second.shown());
    assert_snapshot!(second.warnings(), @"Warning: replayed a failure of an earlier run; remove [ROOT]/cache/harvey/failures/test+Test.t.sol/Breaks/invariant_few.json to forget it");
    let report = project.ours("--match-contract Breaks --json").run().exits_with(1).json();
    assert_eq!(calls_until(&report, "Breaks", "invariant_few()"), Some(0));
}

#[test]
fn a_failure_that_forge_kept_is_replayed_with_forges_warning() {
    let project = project();
    project.forge("--match-contract Breaks").run().exits_with(1);
    let forge = project.copy().forge("--match-contract Breaks").run().exits_with(1);
    let run = project.ours("--match-contract Breaks").run().exits_with(1);
    assert_eq!(run.warnings(), forge.warnings());
    assert!(run.warnings().contains(FORGES), "{}", run.shown());
    assert!(run.stdout.contains(" invariant_few() (runs: 1, calls: 1, reverts: 1)"), "{}", run.shown());
    assert_eq!(files(&project, &format!("{OURS}/Breaks")), ["invariant_few.json"]);
}

#[test]
fn a_file_of_forge_from_under_other_settings_is_warned_of_in_forges_words() {
    let project = project();
    project.forge("--match-contract Breaks").run().exits_with(1);
    let changed = |running: Running| {
        running
            .args("--match-contract Breaks")
            .env("FOUNDRY_INVARIANT_FAIL_ON_REVERT", "true")
            .run()
            .exits_with(1)
    };
    let forge = changed(project.copy().forge("")).warnings();
    let ours = changed(project.ours("")).warnings();
    let ignored =
        "was ignored because invariant test settings have changed: fail_on_revert changed from false to true";
    assert!(forge.ends_with(ignored), "{forge}");
    // Forge's file still shows something, and so we go on to use it.
    assert_eq!(ours.lines().next(), Some(forge.as_str()), "{ours}");
    assert!(ours.contains("Warning: Replayed invariant failure from "), "{ours}");
}

#[test]
fn what_no_longer_fails_is_forgotten() {
    let project = failed();
    let asserted = files(&project, &format!("{OURS}/Asserts"));
    assert!(asserted.len() == 1 && asserted[0].starts_with("assertion-audit-"), "{asserted:?}");
    let source = project.read("test/Test.t.sol");
    project.write(
        "test/Test.t.sol",
        &source.replace("< 3, \"three\"", "< 300, \"three\"").replace("< 2, ", "< 20, "),
    );
    let run = project.ours("").run().exits_with(0);
    assert_eq!(run.warnings(), "");
    for contract in ["Breaks", "Asserts"] {
        assert_eq!(files(&project, &format!("{OURS}/{contract}")), Vec::<String>::new());
    }
    // Forge leaves its files where they are, and nobody finds anything in them.
    project.read(FORGES);
    assert_eq!(project.ours("").run().exits_with(0).warnings(), "");
}

#[test]
fn a_smaller_depth_forgets_nothing() {
    let project = failed();
    let kept = [files(&project, &format!("{OURS}/Breaks")), vec![project.read(FORGES)]];
    let run = project.ours("--depth 2 --match-contract Breaks").run().exits_with(0);
    assert!(run.stdout.contains("[PASS] invariant_few()"), "{}", run.shown());
    assert_eq!([files(&project, &format!("{OURS}/Breaks")), vec![project.read(FORGES)]], kept);
    let report = project.ours("--match-contract Breaks --json").run().exits_with(1).json();
    assert_eq!(calls_until(&report, "Breaks", "invariant_few()"), Some(0));
}

#[test]
fn a_failed_assertion_is_replayed_at_any_depth() {
    let project = failed();
    let report = project.ours("--match-contract Asserts --json --depth 1").run().exits_with(1).json();
    let finding = &report["test/Test.t.sol:Asserts"]["harvey"]["findings"][0];
    assert_eq!(finding["reason"], "two entries");
    assert_eq!(finding["sequence"].as_array().unwrap().len(), 3);
    assert_eq!(calls_until(&report, "Asserts", finding["id"].as_str().unwrap()), Some(0));
    assert_eq!(report["test/Test.t.sol:Asserts"]["test_results"]["invariant_holds()"]["status"], "Success");
}

#[test]
fn a_damaged_file_is_set_aside_with_a_warning() {
    let project = failed();
    let ours = format!("{OURS}/Breaks/invariant_few.json");
    for path in [&ours, FORGES, "cache/invariant/failures/Breaks/invariants/invariant_few"] {
        project.write(path, &project.read(path)[..100]);
    }
    let run = project.ours("--match-contract Breaks --fuzz-seed 1").run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: three]\n\t[Sequence] "), "{}", run.shown());
    assert_snapshot!(run.warnings(), @"Warning: set saved failure aside as [ROOT]/cache/harvey/failures/test+Test.t.sol/Breaks/invariant_few.json.damaged: EOF while parsing a string at line 6 column 6");
    // The failure was found again, and kept.
    assert_eq!(
        files(&project, &format!("{OURS}/Breaks")),
        ["invariant_few.json", "invariant_few.json.damaged"]
    );
    assert_eq!(project.ours("--match-contract Breaks").run().exits_with(1).warnings().lines().count(), 1);
}
