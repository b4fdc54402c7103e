//! Call traces are Forge's, byte for byte.

use crate::harness::{Run, any_of, fixtures};
use std::collections::BTreeMap;

/// Results with a counterexample, by suite and test: the calls, and what is printed behind `Traces:`.
fn traces(run: &Run) -> BTreeMap<(String, String), (Vec<String>, String)> {
    let mut found = BTreeMap::new();
    for suite in run.stdout.split("\nRan ").skip(1) {
        let id = suite.lines().next().unwrap().rsplit(' ').next().unwrap();
        let results = suite.split("\nSuite result").next().unwrap();
        for result in results.split("\n[").filter(|result| result.starts_with("FAIL")) {
            let mut lines = result.lines().skip_while(|line| !line.starts_with("\t[Sequence]")).skip(1);
            let calls: Vec<_> =
                lines.clone().map_while(|line| line.strip_prefix("\t\t")).map(str::to_owned).collect();
            let signature = lines.nth(calls.len()).and_then(|line| line.split_once(" (runs: "));
            if let (Some((test, _)), Some((_, traces))) = (signature, result.split_once("\nTraces:\n")) {
                // Backtraces have no locations yet.
                let traces = traces.split("\nBacktrace:").next().unwrap();
                found.insert((id.to_owned(), test.trim().to_owned()), (calls, traces.trim_end().to_owned()));
            }
        }
    }
    found
}

/// Traces that differ from Forge's as things stand: of a run ended by a revert or by `afterInvariant` Forge shows
/// other calls, labels and raw events of test contracts are worded otherwise, and so are a few halts.
const DIFFERENT: [&str; 11] = [
    "AfterInvariant.sol:AfterFails",
    "Settings.sol:FailOnEmptyRevert",
    "Settings.sol:FailOnRevert",
    "Console.sol:LogEvents",
    "Expect.sol:ExpectRevertInHandler",
    "Prank.sol:PrankOverCalls",
    "Creation.sol:FactoryCreate",
    "Senders.sol:TargetAndExcludeSender",
    "Senders.sol:TargetSendersAll",
    "Invariants.sol:Panics",
    "Invariants.sol:RevertReasons",
];

#[test]
fn traces_of_a_failure_are_those_that_forge_prints_when_it_replays_the_same_calls() {
    let project = fixtures().copy();
    let line = "--match-path testdata/fixtures/** -vvvvv";
    let ours = traces(&project.ours(&format!("{line} --fuzz-seed 1")).run().exits_with(1));
    // Forge replays what we left for it; the rest of its campaigns and shrinking again would take minutes.
    let contracts = any_of(ours.keys().map(|(suite, _)| suite.rsplit(':').next().unwrap()), "$");
    let tests = any_of(ours.keys().map(|(_, test)| test.trim_end_matches("()")), r"\(");
    let line = format!("{line} --match-contract {contracts} --match-test {tests}");
    let forge = project.forge(&line).env("FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT", "0");
    let theirs = traces(&forge.run().exits_with(1));
    let (mut equal, mut differing) = (0, String::new());
    for (test, (calls, ours)) in &ours {
        let Some((_, theirs)) = theirs.get(test).filter(|(replayed, _)| replayed == calls) else { continue };
        if ours == theirs {
            equal += 1;
        } else if !DIFFERENT.iter().any(|known| test.0.contains(known)) {
            differing += &format!("{test:?}\n--- forge\n{theirs}\n--- ours\n{ours}\n\n");
        }
    }
    assert!(differing.is_empty(), "{differing}");
    assert!(equal > 100, "only {equal} failures were replayed with an equal trace");
}
