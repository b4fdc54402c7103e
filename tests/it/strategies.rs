//! Strategies of the search: each finds what is easy, and each runs its own techniques alone.

use crate::harness::{Project, Run};
use insta::assert_snapshot;
use std::collections::BTreeSet;

/// A failure that one call in two shows, and one that needs an exact number and another call before it.
const PUZZLE: &str = r#"
contract Puzzle {
    bool public large;
    bool public exact;
    bool armed;

    function guess(uint256 number) external {
        if (number > 1 << 128) large = true;
        if (armed && number == 7_340_033) exact = true;
    }

    function arm() external {
        armed = true;
    }
}

contract PuzzleTest {
    Puzzle puzzle = new Puzzle();

    function invariant_small() external view {
        require(!puzzle.large(), "large");
    }

    function invariant_inexact() external view {
        require(!puzzle.exact(), "exact");
    }
}
"#;

const STRATEGIES: [&str; 5] = ["harvey", "blackbox", "genetic", "adaptive", "smt"];

/// Returns the invariants that a run broke.
fn broken(run: &Run) -> BTreeSet<String> {
    let report = run.json();
    let (_, suite) = report.as_object().unwrap().iter().next().unwrap();
    let tests = suite["test_results"].as_object().unwrap().iter();
    tests
        .filter(|(_, test)| test["status"] == "Failure")
        .map(|(name, _)| name.split('(').next().unwrap().to_owned())
        .collect()
}

/// Returns the techniques that a run used.
fn techniques(run: &Run) -> BTreeSet<String> {
    let report = run.json();
    let (_, suite) = report.as_object().unwrap().iter().next().unwrap();
    suite["harvey"]["stats"]["techniques"].as_object().unwrap().keys().cloned().collect()
}

/// Runs all strategies.
fn runs(threads: u32) -> [(&'static str, Run); 5] {
    let project = Project::with_tests("solc = \"0.8.30\"", PUZZLE);
    STRATEGIES.map(|strategy| {
        project.forget_failures();
        let limits = "--runs 200 --depth 20 --no-corpus --json --solver none --fuzz-seed 1";
        let run = project.ours(&format!("{limits} --threads {threads} --strategy {strategy}"));
        (strategy, run.run().exits_with(1))
    })
}

/// Returns the strategies that broke an invariant.
fn breakers(runs: &[(&'static str, Run)], invariant: &str) -> Vec<&'static str> {
    runs.iter().filter(|(_, run)| broken(run).contains(invariant)).map(|(name, _)| *name).collect()
}

#[test]
fn each_strategy_finds_what_is_easy_with_its_own_techniques() {
    let runs = runs(1);
    assert_eq!(breakers(&runs, "invariant_small"), STRATEGIES);
    assert_eq!(breakers(&runs, "invariant_inexact"), ["harvey", "smt"], "the exact number");
    let used = runs.iter().map(|(name, run)| format!("{name}: {:?}\n", techniques(run)));
    assert_snapshot!(used.collect::<String>(), @r#"
    harvey: {"demand-driven", "mutation", "prediction", "prefix", "random", "replacement", "seeds"}
    blackbox: {"random"}
    genetic: {"mutation", "random"}
    adaptive: {"mutation", "seeds"}
    smt: {"random", "solver"}
    "#);
}

#[test]
fn strategies_run_on_several_threads() {
    assert_eq!(breakers(&runs(2), "invariant_small"), STRATEGIES);
}

#[test]
fn an_unknown_strategy_is_refused() {
    let project = Project::with_tests("", PUZZLE);
    let run = project.ours("--strategy random").run().exits_with(1);
    assert_snapshot!(run.stderr, @"
    Error: there is no strategy `random`; there are harvey, blackbox, genetic, adaptive, smt for setting `harvey.strategy`
      --> flag --strategy
    ");
}
