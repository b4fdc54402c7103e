//! Call traces are Forge's, byte for byte.

use crate::harness::{Run, any_of, fixtures};
use std::collections::BTreeMap;

/// Traces that differ from Forge's as things stand, by contract and test: backtraces have no locations, what is
/// evaluated behind a forbidden revert is not shown, and a few calls and halts are worded otherwise.
const DIFFERENT: [&str; 10] = [
    "AssumeNested invariant_caught()",
    "FailOnEmptyRevert invariant_strict()",
    "FailOnRevert invariant_strict()",
    "ExpectRevertInHandler invariant_neverMet()",
    "FactoryCreate invariant_untouched()",
    "Panics invariant_hugeMemory()",
    "Panics invariant_invalid()",
    "Panics invariant_missingContract()",
    "Panics invariant_missingFunction()",
    "RevertReasons invariant_unknownErrorWithData()",
];

/// A failure as it is printed.
struct Failure {
    /// The calls of its sequence.
    calls: Vec<String>,
    /// What stands behind `Traces:`.
    traces: String,
}

/// Failures with a sequence and traces, by contract and test.
fn failures(run: &Run) -> BTreeMap<(String, String), Failure> {
    let mut found = BTreeMap::new();
    for suite in run.tests_alone().split("\nRan ").skip(1) {
        let contract = suite.lines().next().unwrap().rsplit(':').next().unwrap();
        let results = suite.split("\nSuite result").next().unwrap();
        for result in results.split("\n[").filter(|result| result.starts_with("FAIL")) {
            let mut lines = result.lines().skip_while(|line| !line.starts_with("\t[Sequence]")).skip(1);
            let calls: Vec<_> =
                lines.clone().map_while(|line| line.strip_prefix("\t\t")).map(str::to_owned).collect();
            let headline = lines.nth(calls.len()).and_then(|line| line.split_once(" (runs: "));
            if let (Some((test, _)), Some((_, traces))) = (headline, result.split_once("\nTraces:\n")) {
                let traces = with_changes_sorted(traces.trim_end());
                found.insert((contract.to_owned(), test.trim().to_owned()), Failure { calls, traces });
            }
        }
    }
    found
}

/// Forge prints the storage changes of a call in any order.
fn with_changes_sorted(traces: &str) -> String {
    let is_change = |line: &str| line.trim_start_matches([' ', '│']).starts_with("@ ");
    let mut lines: Vec<_> = traces.lines().collect();
    for changes in lines.chunk_by_mut(|one, next| is_change(one) && is_change(next)) {
        changes.sort_unstable();
    }
    lines.join("\n")
}

#[test]
fn traces_of_a_failure_are_those_that_forge_prints_when_it_replays_the_same_calls() {
    let project = fixtures().copy();
    let line = "--match-path testdata/fixtures/** -vvvvv";
    let ours = failures(&project.ours(&format!("{line} --fuzz-seed 1")).run().exits_with(1));
    // Only replays are asked of Forge: its own campaigns, and shrinking once more, would take minutes.
    let contracts = any_of(ours.keys().map(|(contract, _)| contract.as_str()), "$");
    let tests = any_of(ours.keys().map(|(_, test)| test.trim_end_matches("()")), r"\(");
    let forge = project
        .forge(&format!("{line} --match-contract {contracts} --match-test {tests}"))
        .env("FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT", "0");
    let forge = failures(&forge.run().exits_with(1));

    let (mut equal, mut different, mut shown) = (0, Vec::new(), String::new());
    for (name, ours) in &ours {
        let Some(forge) = forge.get(name).filter(|forge| forge.calls == ours.calls) else { continue };
        if ours.traces == forge.traces {
            equal += 1;
            continue;
        }
        let name = format!("{} {}", name.0, name.1);
        if !DIFFERENT.contains(&name.as_str()) {
            shown += &format!("{name}\n--- forge\n{}\n--- ours\n{}\n\n", forge.traces, ours.traces);
        }
        different.push(name);
    }
    assert!(shown.is_empty(), "{shown}");
    let mended: Vec<_> = DIFFERENT.iter().filter(|name| !different.iter().any(|is| is == *name)).collect();
    assert!(mended.is_empty(), "no longer different: {mended:?}");
    assert!(equal > 150, "only {equal} failures were replayed with an equal trace");
}
