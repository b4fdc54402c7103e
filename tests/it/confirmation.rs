//! The real forge confirms what we report: by replay of the files that we leave for it, and by Solidity tests.

use crate::harness::{Project, any_of, fixtures};
use regex::Regex;
use serde_json::Value;
use std::{collections::BTreeSet, fs, sync::OnceLock};

/// Where reproducers go: they compile with the project's tests.
const REPRODUCERS: &str = "testdata/suites/reproducers";

/// A failure with a counterexample.
#[derive(Clone, Debug)]
struct Found {
    /// `path:Contract` of the suite.
    suite: String,
    /// The invariant under which Forge replays it, if it can be replayed.
    replayed_by: Option<String>,
    reason: String,
    sequence: Vec<String>,
}

impl Found {
    fn contract(&self) -> &str {
        self.suite.split_once(':').unwrap().1
    }
}

/// One search over everything, with a budget that breaks the suites' bugs, and all that it left.
struct Campaign {
    project: Project,
    found: Vec<Found>,
}

fn campaign() -> &'static Campaign {
    static CAMPAIGN: OnceLock<Campaign> = OnceLock::new();
    CAMPAIGN.get_or_init(|| {
        let project = fixtures().copy();
        let mut found = Vec::new();
        for part in ["testdata/suites/** --runs 500", "testdata/fixtures/**"] {
            let line = format!("--json --fuzz-seed 1 --emit-repro {REPRODUCERS} --match-path {part}");
            found.extend(failures(&project.ours(&line).run().exits_with(1).json(), &project));
        }
        Campaign { project, found }
    })
}

/// Everything with a counterexample in one of our reports.
fn failures(report: &Value, project: &Project) -> Vec<Found> {
    let mut found = Vec::new();
    for (id, suite) in report.as_object().unwrap() {
        for (signature, test) in suite["test_results"].as_object().unwrap() {
            let counterexample = &test["counterexample"];
            let sequence = match counterexample.get("Single") {
                Some(call) => Value::Array(vec![call.clone()]),
                None if counterexample.is_object() => counterexample["Sequence"][1].clone(),
                None => continue,
            };
            // The best sequence of an optimization is no failure.
            if test["status"] != "Failure" {
                continue;
            }
            let name = signature.trim_end_matches("()").to_owned();
            let mut failure = Found {
                suite: id.clone(),
                replayed_by: None,
                // A test need not give a reason.
                reason: test["reason"].as_str().unwrap_or_default().to_owned(),
                sequence: calls(&sequence),
            };
            let file = format!("testdata/cache/invariant/failures/{}/{name}", failure.contract());
            failure.replayed_by = project.root().join(file).is_file().then_some(name);
            found.push(failure);
        }
        for finding in suite["harvey"]["findings"].as_array().unwrap() {
            let file = finding["forge_file"].as_str();
            found.push(Found {
                suite: id.clone(),
                replayed_by: file.map(|file| file.rsplit('/').next().unwrap().to_owned()),
                reason: text(&finding["reason"]),
                sequence: calls(&finding["sequence"]),
            });
        }
    }
    found
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// What each call of a sequence is, in one line.
fn calls(sequence: &Value) -> Vec<String> {
    let call = |call: &Value| {
        ["warp", "roll", "value", "sender", "addr", "calldata"]
            .map(|field| call[field].as_str().unwrap_or("-").to_lowercase())
            .join(" ")
    };
    sequence.as_array().unwrap().iter().map(call).collect()
}

#[test]
fn forge_replays_every_file_that_we_leave_with_the_same_sequence_and_reason() {
    let Campaign { project, found } = campaign();
    let project = project.copy();
    fs::remove_dir_all(project.root().join(REPRODUCERS)).unwrap();
    let replayed: Vec<_> = found.iter().filter(|failure| failure.replayed_by.is_some()).collect();
    let contracts = any_of(replayed.iter().map(|failure| failure.contract()), "$");
    let names = any_of(replayed.iter().map(|failure| failure.replayed_by.as_deref().unwrap()), r"\(");
    let run = project.forge(&format!("--json --match-contract {contracts} --match-test {names}")).run();
    let (report, run) = (run.json(), run.exits_with(1));

    let mut wrong = Vec::new();
    for failure in &replayed {
        let invariant = failure.replayed_by.as_deref().unwrap();
        let file = format!("failures/{}/{invariant}\" file.", failure.contract());
        let result = &report[&failure.suite]["test_results"][format!("{invariant}()")];
        let said = run.stderr.lines().any(|line| {
            line.starts_with("Warning: Replayed invariant failure from ") && line.trim_end().ends_with(&file)
        });
        let sequence = result["counterexample"].get("Sequence").map(|sequence| calls(&sequence[1]));
        if !said || result["status"] != "Failure" || !same_reason(failure, &result["reason"]) {
            wrong.push(format!("{failure:?}\n  replayed {said}, {}: {}", result["status"], result["reason"]));
        } else if sequence.as_ref() != Some(&failure.sequence) && !is_shrunk_otherwise(failure) {
            wrong.push(format!("{failure:?}\n  replayed with {sequence:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), replayed.len(), wrong.join("\n"));
    assert!(replayed.len() > 150, "only {} of {} were written", replayed.len(), found.len());
}

/// When nothing reverted and only the global flag was set, Forge's search says `assertion failed` and its replay
/// finds no reason.
fn same_reason(failure: &Found, replayed: &Value) -> bool {
    failure.reason == *replayed || failure.reason == "assertion failed" && *replayed == "<empty revert data>"
}

/// Forge shrinks again whatever it replays, and takes a failing afterInvariant for the failure that it shrinks.
fn is_shrunk_otherwise(failure: &Found) -> bool {
    failure.contract() == "AfterNotForBroken"
}

#[test]
fn every_reproducer_fails_under_forge_with_the_same_reason() {
    let Campaign { project, found } = campaign();
    let project = project.copy();
    let run =
        project.forge(&format!("--json --match-path {REPRODUCERS}/** --match-test ^test_regression")).run();
    let report = run.exits_with(1).json();

    // A test's head names the suite that it extends.
    let suite_of = Regex::new(r"after setUp\(\) of (?<suite>\S+:\w+)").unwrap();
    let mut failed = Vec::new();
    for (id, suite) in report.as_object().unwrap() {
        let source = project.read(id.split_once(':').unwrap().0);
        let origin = suite_of.captures(&source).unwrap()["suite"].to_owned();
        for result in suite["test_results"].as_object().unwrap().values() {
            assert_eq!(result["status"], "Failure", "{id}: {result}");
            failed.push((origin.clone(), text(&result["reason"])));
        }
    }
    let mut wanted: Vec<_> =
        found.iter().map(|failure| (failure.suite.clone(), failure.reason.clone())).collect();
    for reasons in [&mut failed, &mut wanted] {
        reasons.sort();
    }
    let missing = wanted.iter().filter(|reason| !failed.contains(reason)).collect::<Vec<_>>();
    let others = failed.iter().filter(|reason| !wanted.contains(reason)).collect::<Vec<_>>();
    assert!(wanted == failed, "{} of {}: wanted {missing:#?} got {others:#?}", failed.len(), wanted.len());
}

#[test]
fn most_bugs_of_the_suites_are_found_within_ten_thousand_calls() {
    let broken: BTreeSet<_> = campaign().found.iter().map(|failure| failure.suite.as_str()).collect();
    let (mut found, mut missed) = (Vec::new(), Vec::new());
    for directory in fs::read_dir(fixtures().root().join("testdata/suites")).unwrap() {
        for file in fs::read_dir(directory.unwrap().path()).unwrap().map(|file| file.unwrap().path()) {
            let path = file.strip_prefix(fixtures().root()).unwrap().display().to_string();
            for twin in bug_twins(&fs::read_to_string(&file).unwrap()) {
                let id = format!("{path}:{twin}");
                if broken.contains(id.as_str()) { found.push(id) } else { missed.push(id) }
            }
        }
    }
    assert!(found.len() > missed.len(), "found {found:#?}, missed {missed:#?}");
}

/// Contracts that state a bug of their own.
fn bug_twins(source: &str) -> Vec<String> {
    let twin = Regex::new(r"/// @custom:bug .*\n(?:///.*\n)*contract (?<name>\w+)").unwrap();
    twin.captures_iter(source).map(|found| found["name"].to_owned()).collect()
}

/// Arguments of all types, some of which have no literals, in functions that fail at once; and names that could clash with
/// those of a reproducer.
const TYPES: &str = r#"
type Price is uint128;
enum Side { Buy, Sell }
struct Order { Price price; Side side; bytes20 by; string note; }

contract Types {
    function words(bool a, int8 b, address c, bytes1 d, bytes20 e, bytes32 f) external {
        bool found = e == bytes20(hex"1234567890abcdefabcdef1234567890abcdefab") && c == 0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa;
        assert(!found || a && b == 0 && d == 0 && f == 0);
    }

    function texts(string calldata text, bytes calldata data, Price price, Side side) external {
        assert(bytes(text).length > 1 << 20 || data.length > 1 << 20 || Price.unwrap(price) > 0 || side == Side.Sell);
    }

    function structs(Order calldata order, Order[] calldata orders, uint8[3] calldata numbers) external {
        assert(order.by != 0 && orders.length > 99 && numbers[2] > 254);
    }

    function many(uint8 a, uint8 b, uint8 c, uint8 d, uint8 e, uint8 f, uint8 g, uint8 h) external {
        assert(a + b + c + d + e + f + g + h > 1000);
    }

    fallback() external payable {}
}

contract TypesTest {
    Types types = new Types();

    function send(address sender) external pure returns (address) {
        return sender;
    }

    function check() external pure {}

    function invariant_holds() external view {}
}
"#;

#[test]
fn reproducers_of_all_types_compile_and_fail_alike() {
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 100, depth = 20 }", TYPES);
    let found = project.ours("--fuzz-seed 1 --emit-repro test/repro").run().exits_with(1);
    assert_eq!(found.stdout.matches("Reproducer: ").count(), 4, "{}", found.shown());
    let run = project.forge("--match-path test/repro/* --json").run();
    let suites = run.json();
    let results = suites.as_object().unwrap().values().flat_map(|suite| {
        suite["test_results"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(test, _)| test.starts_with("test_regression"))
    });
    let reasons: Vec<_> = results.map(|(_, result)| result["reason"].as_str().unwrap().to_owned()).collect();
    assert_eq!(reasons, ["panic: assertion failed (0x01)"; 4].map(str::to_owned), "{}", run.shown());
}
