//! Fuzz, table and unit tests are printed and kept as by Forge.

use crate::harness::{Project, Run, fixtures};
use insta::assert_snapshot;
use regex::Regex;
use std::{collections::BTreeMap, fs};

/// Name and text of each result, in the order of printing, by suite. Figures of inputs are left out: the gas of other
/// inputs is another.
fn results(run: &Run) -> BTreeMap<String, Vec<(String, String)>> {
    let name = Regex::new(r"(?m)^(?:\[.*\])? (\w+\(\S*\)) \((?:runs|gas): ").unwrap();
    let figures = Regex::new(r"\(runs: \d+, (μ|calls): [^)]*\)").unwrap();
    let text = run.tests_alone();
    let suites = text.split("\nRan ").skip(1).filter_map(|suite| suite.split_once("\nSuite result"));
    let suites = suites.map(|(suite, _)| {
        let (header, results) = suite.split_once('\n').unwrap();
        let results = format!("\n{results}");
        let results = results.split("\n[").skip(1).map(|result| {
            let result = format!("[{}", result.trim_end());
            let name = name.captures(&result).unwrap_or_else(|| panic!("no name in {result}"))[1].to_owned();
            (name, figures.replace_all(&result, "").into_owned())
        });
        (header.rsplit(' ').next().unwrap().to_owned(), results.collect())
    });
    suites.collect()
}

#[test]
fn results_stand_in_forges_order_and_are_those_that_forge_prints_for_the_same_inputs() {
    let project = fixtures().copy();
    let line = "--match-path testdata/fixtures/tests/** -vvv";
    let ours = results(&project.ours(&format!("{line} --unit --fuzz-seed 1")).run().exits_with(1));
    // Forge replays the inputs that were kept.
    let forge = results(&project.forge(line).run().exits_with(1));
    let names = |results: &BTreeMap<String, Vec<(String, String)>>| -> Vec<String> {
        results
            .iter()
            .flat_map(|(suite, tests)| tests.iter().map(move |test| format!("{suite} {}", test.0)))
            .collect()
    };
    assert_eq!(names(&ours), names(&forge));
    let (mut shown, mut equal) = (String::new(), 0);
    for ((name, ours), (_, forge)) in ours.values().flatten().zip(forge.values().flatten()) {
        if name.starts_with("invariant") {
            continue;
        }
        if ours == forge {
            equal += 1;
        } else {
            shown += &format!("--- forge\n{forge}\n--- ours\n{ours}\n\n");
        }
    }
    assert!(shown.is_empty(), "{shown}");
    assert!(equal > 60, "{equal}");
}

const NARROW: &str = "
contract Narrow {
    function testFuzz_narrow(uint256 n) external pure {
        unchecked {
            require((n + 1234) % 2 ** 80 != 0, \"found\");
        }
    }
}
";

const OURS: &str = "cache/harvey/failures/test+Test.t.sol/Narrow";

/// Executions until the test failed.
fn found(run: &Run) -> u64 {
    let report = run.json();
    report["test/Test.t.sol:Narrow"]["harvey"]["stats"]["found"]["testFuzz_narrow(uint256)"]["executions"]
        .as_u64()
        .unwrap()
}

fn headline(run: &Run) -> String {
    let line = run.stdout.lines().find(|line| line.starts_with(['[']));
    line.unwrap_or_else(|| panic!("{}", run.shown())).split(" (runs: ").next().unwrap().to_owned()
}

#[test]
fn an_input_is_predicted_kept_replayed_by_both_and_forgotten_once_it_passes() {
    let project = Project::with_tests("[profile.default.fuzz]\nruns = 100", NARROW);
    let first = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    assert!((2..100).contains(&found(&first)), "{}", first.shown());
    let again = project.ours("--json --fuzz-seed 2").run().exits_with(1);
    assert_eq!(found(&again), 1);
    assert_snapshot!(again.warnings(), @"Warning: replayed a failure of an earlier run; remove [ROOT]/cache/harvey/failures/test+Test.t.sol/Narrow/testFuzz_narrow-3dd8e203259e13d7.json to forget it");

    let ours = project.ours("").run().exits_with(1);
    let forge = project.forge("").run().exits_with(1);
    assert_eq!(headline(&ours), headline(&forge));

    // What Forge keeps is as good.
    fs::remove_dir_all(project.root().join(OURS)).unwrap();
    let again = project.ours("--json --fuzz-seed 2").run().exits_with(1);
    assert_eq!(found(&again), 1);
    assert_snapshot!(again.warnings(), @"Warning: replayed a failure of an earlier run; remove [ROOT]/cache/fuzz/failures/Narrow/testFuzz_narrow to forget it");

    let mended = fs::read_to_string(project.root().join("test/Test.t.sol")).unwrap().replace("!= 0", ">= 0");
    project.write("test/Test.t.sol", &mended);
    let run = project.ours("").run().exits_with(0);
    assert!(headline(&run).starts_with("[PASS] testFuzz_narrow(uint256)"), "{}", run.shown());
    assert_eq!(fs::read_dir(project.root().join(OURS)).unwrap().count(), 0);
}

#[test]
fn shrinking_gives_up_on_calls_that_use_all_their_gas() {
    let tests = "
contract Narrow {
    function testFuzz_narrow(uint256 a, uint256 b, uint256 c) external pure {
        while (a > 10 && b > 10 && c > 10) {}
    }
}
";
    let project = Project::with_tests("gas_limit = 1000000", tests);
    let run = project.ours("--json --fuzz-seed 1").run().exits_with(1);
    let stats = &run.json()["test/Test.t.sol:Narrow"]["harvey"]["stats"];
    let found = &stats["found"]["testFuzz_narrow(uint256,uint256,uint256)"]["executions"];
    let after = stats["executions"].as_u64().unwrap() - found.as_u64().unwrap();
    assert!((2..100).contains(&after), "{}", run.shown());
}
