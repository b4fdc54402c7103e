//! Solver of path conditions: cases that predictions do not solve, with and without an external SMT solver.

use crate::harness::{Project, REPOSITORY, Run};
use std::path::Path;

/// The cases of `testdata/solver`, with libraries by absolute path.
fn cases() -> Project {
    let project = Project::copy_of("testdata/solver");
    let settings = project.read("foundry.toml").replace("../", &format!("{REPOSITORY}/testdata/"));
    project.write("foundry.toml", &settings);
    project
}

fn search(project: &Project, flags: &str) -> Run {
    let limits = "--runs 100 --depth 50 --threads 1 --fuzz-seed 1";
    project.ours(&format!("--match-test testFuzz|invariant --no-corpus --json {limits} {flags}")).run()
}

/// Returns the suites of which something failed.
fn found(run: &Run) -> Vec<String> {
    let report = run.json();
    let failed = report.as_object().unwrap().iter().filter(|(_, suite)| {
        suite["test_results"].as_object().unwrap().values().any(|test| test["status"] == "Failure")
    });
    failed.map(|(name, _)| name.rsplit(':').next().unwrap().to_owned()).collect()
}

#[test]
fn conditions_are_met_without_any_other_program() {
    let project = cases();
    let run = search(&project, "--solver none --fuzz-runs 5000");
    let solved = found(&run);
    assert!(solved.len() >= 12, "{solved:?}\n{}", run.brief());
    project.forget_failures();
    let _ = std::fs::remove_dir_all(project.root().join("cache/fuzz"));
    let names = solved.join("|");
    let without = search(
        &project,
        &format!("--without solver,unit-tests --fuzz-runs 5000 --match-contract ^({names})$"),
    );
    assert_eq!(found(&without), [] as [&str; 0], "predictions meet them, too");
}

#[test]
fn an_smt_solver_meets_others() {
    let z3 = Path::new(REPOSITORY).join("testdata/cache/python/bin/z3");
    assert!(z3.is_file(), "scripts/test installs it");
    let project = cases();
    let names = ["SwappedBytesTest", "SenderBindingTest"];
    let matching = format!("--match-contract ^({})$", names.join("|"));
    let run = search(&project, &format!("--solver {} --fuzz-runs 40000 {matching}", z3.display()));
    let solved = found(&run);
    assert!(
        names.iter().all(|name| solved.iter().any(|solved| solved == name)),
        "{solved:?}\n{}",
        run.brief()
    );
    let report = run.json();
    let answered =
        |suite: &serde_json::Value| suite["harvey"]["stats"]["solver"]["answered"].as_u64().unwrap();
    assert!(report.as_object().unwrap().values().map(answered).sum::<u64>() >= 2);
}

#[test]
fn a_solver_that_does_not_exist_is_refused() {
    let project = Project::with_tests("", "contract T { function testFuzz_x(uint256) external {} }");
    let run = project.ours("--solver ./none/z3").run().exits_with(1);
    insta::assert_snapshot!(run.shown(), @"
    exit code 1
    --- stderr
    Error: there is no program `./none/z3` for setting `harvey.solver`
      --> flag --solver
    ");
}

#[test]
fn branches_that_wait_for_a_solver_are_counted() {
    let source = "contract T {
        function testFuzz_x(uint128 x, uint128 y) external {
            if (x > 1 && y > 1 && uint256(x) * y == 0xabc1230000000000000000000000000000000000000000000000000001) revert('found');
        }
    }";
    let project = Project::with_tests("", source);
    let run =
        project.ours("--solver none --fuzz-runs 3000 --threads 1 --fuzz-seed 1 --json").run().exits_with(0);
    let report = run.json();
    let solver = &report["test/Test.t.sol:T"]["harvey"]["stats"]["solver"];
    assert_eq!(solver["asked"], 0, "{solver}");
    assert!(solver["left"].as_u64().unwrap() > 0 && solver["conditions"].as_u64().unwrap() > 0, "{solver}");
}
