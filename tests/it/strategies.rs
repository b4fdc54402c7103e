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

#[test]
fn each_strategy_finds_what_is_easy_with_its_own_techniques() {
    let project = Project::with_tests("solc = \"0.8.30\"", PUZZLE);
    for threads in [1, 2] {
        let run = |strategy: &str| {
            project.forget_failures();
            let limits = "--runs 200 --depth 20 --no-corpus --json --solver none --fuzz-seed 1";
            project.ours(&format!("{limits} --threads {threads} --strategy {strategy}")).run().exits_with(1)
        };
        let runs = STRATEGIES.map(|strategy| (strategy, run(strategy)));
        for (strategy, run) in &runs {
            assert!(broken(run).contains("invariant_small"), "{strategy}: {}", run.brief());
        }
        let exact = |strategy: &&str| {
            let (_, run) = runs.iter().find(|(name, _)| name == strategy).unwrap();
            broken(run).contains("invariant_inexact")
        };
        let found: Vec<_> = STRATEGIES.into_iter().filter(exact).collect();
        assert_eq!(found, ["harvey", "smt"], "the exact number");
        let used = runs.iter().map(|(name, run)| format!("{name}: {:?}\n", techniques(run)));
        assert_snapshot!(used.collect::<String>(), @"");
    }
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
