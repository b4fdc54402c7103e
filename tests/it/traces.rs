//! Call traces are Forge's, byte for byte.

use crate::harness::{Run, fixtures};
use std::collections::BTreeMap;

/// Results with a counterexample, by suite and test: the calls, and what is printed behind `Traces:`.
fn traces(run: &Run) -> BTreeMap<String, (Vec<String>, String)> {
    let mut found = BTreeMap::new();
    for suite in run.stdout.split("\nRan ").skip(1) {
        let id = suite.lines().next().unwrap().rsplit(' ').next().unwrap();
        let results = suite.split("\nSuite result").next().unwrap();
        for result in results.split("\n[").filter(|result| result.starts_with("FAIL")) {
            let lines = result.lines().skip_while(|line| !line.starts_with("\t[Sequence]")).skip(1);
            let calls: Vec<_> = lines.clone().map_while(|line| line.strip_prefix("\t\t")).map(str::to_owned).collect();
            let signature = lines.skip(calls.len()).next().and_then(|line| line.split_once(" (runs: "));
            if let (Some((test, _)), Some((_, traces))) = (signature, result.split_once("\nTraces:\n")) {
                found.insert(format!("{id}{test}"), (calls, traces.trim_end().to_owned()));
            }
        }
    }
    found
}

#[test]
fn traces_of_a_failure_are_those_that_forge_prints_when_it_replays_the_same_calls() {
    let project = fixtures().copy();
    let line = "--match-path testdata/fixtures/** -vvvvv";
    let ours = traces(&project.ours(&format!("{line} --fuzz-seed 1")).run().exits_with(1));
    let theirs = traces(&project.forge(line).run().exits_with(1));
    let same = |test: &str| theirs.get(test).filter(|(calls, _)| *calls == ours[test].0);
    let replayed: Vec<_> = ours.keys().filter(|test| same(test).is_some()).collect();
    assert!(replayed.len() > 100, "forge replayed only {replayed:#?}");
    let mut differing = String::new();
    for test in replayed {
        let (ours, theirs) = (&ours[test].1, &theirs[test].1);
        if ours != theirs {
            differing += &format!("{test}\n--- forge\n{theirs}\n--- ours\n{ours}\n\n");
        }
    }
    assert!(differing.is_empty(), "{differing}");
}
