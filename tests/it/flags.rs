//! Flags, variables and comments decide what runs and for how long, as they do for Forge.

use crate::harness::{Project, Run, placeholders};
use insta::assert_snapshot;
use serde_json::Value;
use std::{collections::BTreeMap, sync::OnceLock, time::Instant};

const SETTINGS: &str = "
[profile.default.invariant]
runs = 40
depth = 5

[profile.ci.invariant]
runs = 60";

const TESTS: &str = r#"
contract Counter {
    uint256 public number;

    function count() external {
        number++;
    }
}

contract Breaks {
    Counter counter = new Counter();

    function invariant_fewerThanFour() external view {
        require(counter.number() < 4, "four");
    }

    function invariant_holds() external {}
}

contract Holds {
    Counter counter = new Counter();

    function invariant_holds() external {}
}
"#;

const MORE_TESTS: &str = "
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Idle {
    function act() external {}
}

/// forge-config: default.invariant.runs = 3
contract Inline {
    Idle idle = new Idle();

    function invariant_asTheContract() external {}

    /// forge-config: default.invariant.depth = 2
    function invariant_short() external {}

    /// forge-config: default.invariant.runs = 1
    /// forge-config: ci.invariant.runs = 2
    function invariant_rare() external {}
}
";

/// Two sources of tests, compiled once.
fn suites() -> Project {
    static SUITES: OnceLock<Project> = OnceLock::new();
    let suites = SUITES.get_or_init(|| {
        let project = Project::with_tests(SETTINGS, TESTS);
        project.write("test/more/Inline.sol", MORE_TESTS);
        project.ours("--list").run().exits_with(0);
        project
    });
    suites.copy()
}

/// The runs of each invariant that held, by contract and signature.
fn runs(report: &Value) -> BTreeMap<String, u64> {
    let mut runs = BTreeMap::new();
    for (id, suite) in report.as_object().unwrap() {
        for (signature, test) in suite["test_results"].as_object().unwrap() {
            if test["status"] == "Success" {
                let contract = id.rsplit(':').next().unwrap();
                let name = format!("{contract}.{}", signature.trim_end_matches("()"));
                runs.insert(name, test["kind"]["Invariant"]["runs"].as_u64().unwrap());
            }
        }
    }
    runs
}

#[test]
fn filters_choose_what_they_choose_for_forge() {
    let project = suites();
    for line in [
        "",
        "--json",
        "--match-contract Inline|Holds",
        "--match-test ^invariant_holds\\(\\)$",
        "--match-path test/more/*",
        "test/more/Inline.sol",
        "--no-match-contract ^Holds$",
        "--no-match-test holds",
        "--no-match-path *Inline*",
        "--mc Breaks --nmt holds --mp *.t.sol",
        "--json --mc ^Nowhere$",
    ] {
        let [ours, forge] = [project.ours(line), project.forge(line)]
            .map(|running| running.args("--list").run().exits_with(0).stdout);
        assert_eq!(ours, forge, "{line}");
    }
    // The same for what runs as for what is listed.
    let report = project.ours("--json --mt holds --nmc Breaks").run().exits_with(0).json();
    assert_eq!(runs(&report).into_keys().collect::<Vec<_>>(), ["Holds.invariant_holds"]);
}

#[test]
fn the_number_of_runs_comes_from_where_forge_takes_it() {
    let project = suites();
    project.write(".env", "FOUNDRY_INVARIANT_DEPTH=3\nFOUNDRY_INVARIANT_RUNS=8\nFOUNDRY_MATCH_TEST=o\n");
    for (line, variables) in [
        ("", &[][..]),
        ("--fuzz-runs 9", &[]),
        ("", &[("FOUNDRY_FUZZ_RUNS", "9"), ("FOUNDRY_INVARIANT_RUNS", "2")]),
        ("", &[("FOUNDRY_PROFILE", "ci"), ("FOUNDRY_NO_MATCH_CONTRACT", "Breaks")]),
    ] {
        let [ours, forge] = [project.ours(line), project.forge(line)].map(|running| {
            let running = variables.iter().fold(running, |running, (name, value)| running.env(name, value));
            runs(&running.args("--json").run().json())
        });
        assert_eq!(ours, forge, "{line} {variables:?}");
        assert!(ours.len() >= 3, "{ours:?}");
    }
}

#[test]
fn flags_beat_variables_and_comments_beat_flags() {
    let project = suites();
    let running = project.ours("--json --runs 7 --depth 3").env("FOUNDRY_INVARIANT_RUNS", "2");
    let report = running.run().exits_with(0).json();
    assert_snapshot!(format!("{:#?}", runs(&report)), @r#"
    {
        "Breaks.invariant_fewerThanFour": 7,
        "Breaks.invariant_holds": 7,
        "Holds.invariant_holds": 7,
        "Inline.invariant_asTheContract": 3,
        "Inline.invariant_rare": 1,
        "Inline.invariant_short": 3,
    }
    "#);
    // With sequences of three calls nobody counts to four; runs are counted in those calls.
    let holds = &report["test/Test.t.sol:Holds"]["test_results"]["invariant_holds()"]["kind"]["Invariant"];
    assert!((21..24).contains(&holds["calls"].as_u64().unwrap()), "{holds}");
}

#[test]
fn under_a_timeout_every_campaign_of_a_suite_gets_its_share_of_the_time() {
    let project = suites();
    let start = Instant::now();
    let report = project.ours("--json --timeout 2 --match-contract Inline").run().exits_with(0).json();
    assert!((2..6).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    let runs = runs(&report);
    assert!(runs.len() == 3 && runs.values().all(|runs| *runs > 100), "{runs:?}");
}

#[test]
fn the_seed_that_a_failure_prints_shows_it_again() {
    let seed_of = |run: &Run| {
        let seed = run.stdout.split_once("Fuzz seed: ").and_then(|(_, rest)| rest.split_once(' '));
        seed.unwrap_or_else(|| panic!("{}", run.shown())).0.to_owned()
    };
    let first = suites().ours("").run().exits_with(1);
    let seed = seed_of(&first);
    let again = suites().ours(&format!("--fuzz-seed {seed}")).run().exits_with(1);
    assert_eq!(placeholders(&first.stdout), placeholders(&again.stdout));
    let other = suites().ours("").run().exits_with(1);
    assert_ne!(seed_of(&other), seed);
    assert_eq!(seed_of(&suites().ours("--fuzz-seed 42").run().exits_with(1)), "0x2a");
}

#[test]
fn a_rerun_runs_what_failed_last() {
    let project = suites();
    let run = project.ours("--rerun").run().exits_with(1);
    assert!(run.stdout.contains("(6 total tests)"), "without a list everything runs: {}", run.shown());
    let rerun = project.ours("--rerun --json").run().exits_with(1).json();
    let results = &rerun["test/Test.t.sol:Breaks"]["test_results"];
    assert_eq!(rerun.as_object().unwrap().len(), 1, "{rerun}");
    assert_eq!(results.as_object().unwrap().keys().collect::<Vec<_>>(), ["invariant_fewerThanFour()"]);

    // The list is Forge's: each reads what the other wrote.
    let forge = suites();
    forge.forge("").run().exits_with(1);
    assert_eq!(forge.read("cache/test-failures"), project.read("cache/test-failures"));
    let run = forge.ours("--rerun").run().exits_with(1);
    assert!(run.stdout.contains("0 tests passed, 1 failed, 0 skipped (1 total tests)"), "{}", run.shown());
}

#[test]
fn after_a_failure_no_further_suite_starts_when_asked() {
    let run = suites().ours("--fail-fast --threads 1 --fuzz-seed 1").run().exits_with(1);
    let suites: Vec<_> = run.stdout.lines().filter(|line| line.starts_with("Ran ")).collect();
    assert_snapshot!(placeholders(&suites.join("\n")), @"
    Ran 2 tests for test/Test.t.sol:Breaks
    Ran 1 test suite in [TIME] ([TIME] CPU time): 1 tests passed, 1 failed, 0 skipped (2 total tests)
    ");
    assert_snapshot!(run.warnings(), @"Warning: 2 of 3 test suites were not run: test/Test.t.sol:Holds, test/more/Inline.sol:Inline");
}

#[test]
fn a_failure_elsewhere_ends_a_campaign_and_what_it_left_unsearched_does_not_pass() {
    let project = suites();
    // The first of three campaigns.
    let endless = MORE_TESTS.replace("default.invariant.runs = 3", "default.invariant.runs = 100000000");
    project.write("test/more/Inline.sol", &endless);
    // The other contract's search is to be on its way before this one fails.
    let slow = "contract Breaks {\n    function setUp() external { for (uint256 i; i < 500000; i++) {} }\n";
    let tests = project.read("test/Test.t.sol").replace("contract Breaks {\n", slow);
    project.write("test/Test.t.sol", &tests);
    let run =
        project.ours("--fail-fast --threads 2 --runs 2000 --no-match-contract Holds").run().exits_with(1);
    let results: Vec<_> = run.stdout.lines().filter(|line| line.starts_with(['[', 'R'])).collect();
    assert_snapshot!(placeholders(&results.join("\n")), @"
    Ran 2 tests for test/Test.t.sol:Breaks
    [FAIL: four]
    [PASS] invariant_holds() [FIGURES]
    Ran 1 test for test/more/Inline.sol:Inline
    [PASS] invariant_asTheContract() [FIGURES]
    Ran 2 test suites in [TIME] ([TIME] CPU time): 2 tests passed, 1 failed, 0 skipped (3 total tests)
    [FAIL: four] invariant_fewerThanFour()
    ");
    assert_snapshot!(run.warnings(), @"
    Warning: invariant_rare() was not searched: the run ended before
    Warning: invariant_short() was not searched: the run ended before
    ");
}

#[test]
fn traces_of_what_passed_are_left_out_when_asked() {
    let line = "--match-contract Breaks --fuzz-seed 1 -vvvv -s";
    let [ours, forge] = [suites().ours(line), suites().forge(line)].map(|running| {
        let run = running.run().exits_with(1);
        let failing = run.stdout.split("[PASS]").next().unwrap();
        (failing.matches("\nTraces:\n").count(), run.stdout.matches("\nTraces:\n").count())
    });
    assert_eq!((ours, forge), ((1, 1), (1, 1)));
}

#[test]
fn a_compiler_is_chosen_by_version() {
    let project = suites();
    for compiler in ["0.8.19", "solc:0.8.19"] {
        let ours = project.ours("--force --list").args(&format!("--use {compiler}")).run().exits_with(0);
        assert!(ours.stdout.starts_with("Compiling 2 files with Solc 0.8.19\n"), "{}", ours.shown());
    }
    let forge = project.forge("--list --use 0.8.19").run().exits_with(0);
    assert!(forge.stdout.starts_with("No files changed, compilation skipped\n"), "{}", forge.shown());
}

#[test]
fn colors_are_forges_and_come_when_asked_for() {
    let project = suites();
    let line = "--match-contract Holds --fuzz-seed 1 --color";
    let ours = |color| project.ours(&format!("{line} {color} --no-corpus"));
    let plain = ours("never").run().exits_with(0).stdout;
    let auto = ours("auto").run().exits_with(0).stdout;
    let always = ours("always").env("NO_COLOR", "1").run().exits_with(0).stdout;
    assert_eq!(placeholders(&plain), placeholders(&auto));
    assert!(always.contains('\u{1b}') && !plain.contains('\u{1b}'));
    let forge = project.forge(&format!("{line} always")).run().exits_with(0).stdout;
    // Forge does not paint the table unless there is a terminal, whatever it is told.
    let words = |text: &str| {
        let lines = placeholders(text);
        lines.lines().filter(|line| !line.starts_with(['|', '╭', '╰', '+'])).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(words(&always), words(&forge));
}
