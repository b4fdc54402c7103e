//! Reports for machines have Forge's form, and what Forge has no place for stands where it disturbs nobody.

use crate::harness::{Project, Run};
use insta::assert_snapshot;
use quick_junit::{Report, TestCaseStatus};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, sync::OnceLock};

const TESTS: &str = r#"
contract Bank {
    uint256 public total;

    function pay(uint256 amount) external {
        total += amount % 9 + 1;
    }

    function pick(uint256 number) external {
        vm.assume(number % 2 == 0);
    }
}

contract Verdicts {
    event log(string text);

    Bank bank = new Bank();

    function setUp() external {
        vm.label(address(bank), "Treasury");
        emit log("set up");
    }

    function invariant_best() external view returns (int256) {
        return bank.total() < 3 ? int256(bank.total()) : int256(3);
    }

    function invariant_brokenAtOnce() external pure {
        require(false, "never held");
    }

    function invariant_holds() external {
        emit log("asked");
    }

    function invariant_poor() external view {
        require(bank.total() < 4, "rich");
    }

    function invariant_skipped() external {
        vm.skip(true, "later");
    }

    function invariant_skippedInSilence() external {
        vm.skip(true, "");
    }
}

contract SetUpFails {
    function setUp() external pure {
        revert("cannot set up");
    }

    function invariant_unreached() external {}
}

contract SetUpSkips {
    function setUp() external {
        vm.skip(true, "not here");
    }

    function invariant_unreached() external {}
}

contract ConstructorFails {
    constructor() {
        revert("cannot deploy");
    }

    function invariant_unreached() external {}
}

contract Misspelt {
    Bank bank = new Bank();

    function setup() external {}

    function invariant_holds() external {}
}

contract Till {
    uint256 taken;

    function take(uint256 amount) external {
        taken += amount % 5;
        assert(taken < 4);
    }
}

/// The only suite of which we say something else than Forge.
contract Asserts {
    Till till = new Till();

    function invariant_holds() external {}
}
"#;

/// The contracts above, compiled once, in a directory of the caller's own.
fn project() -> Project {
    static PROJECT: OnceLock<Project> = OnceLock::new();
    let project = PROJECT.get_or_init(|| {
        let project = Project::with_tests("[profile.default.invariant]\nruns = 4\ndepth = 8", TESTS);
        project.ours("--list").run().exits_with(0);
        project
    });
    project.copy()
}

const LINE: &str = "--fuzz-seed 1 -vv --no-match-contract Asserts";

/// What a value is made of, in order: names of fields, and types instead of what they hold.
fn shape(value: &Value) -> Value {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "number",
        Value::String(text) if text.starts_with("0x") => "hex",
        Value::String(_) => "text",
        Value::Array(items) => {
            let mut shapes: Vec<_> = items.iter().map(shape).collect();
            shapes.dedup();
            return shapes.into();
        }
        Value::Object(fields) => {
            return fields
                .iter()
                .map(|(name, value)| (name.clone(), shape(value)))
                .collect::<Map<_, _>>()
                .into();
        }
    };
    name.into()
}

/// A report of either program without what only one of them has, and without the order of what is not ordered.
fn comparable(run: &Run) -> Value {
    let mut report = run.json();
    for suite in report.as_object_mut().unwrap().values_mut() {
        suite.as_object_mut().unwrap().shift_remove("harvey");
        for test in suite["test_results"].as_object_mut().unwrap().values_mut() {
            let test = test.as_object_mut().unwrap();
            test.shift_remove("traces");
            // We keep no raw logs.
            test["logs"] = Vec::<Value>::new().into();
            if let Some(metrics) = test["kind"].pointer_mut("/Invariant/metrics") {
                // What was called before the failure depends on the search.
                metrics.as_object_mut().unwrap().retain(|function, _| function.ends_with("Bank.pay"));
            }
        }
    }
    report
}

#[test]
fn json_has_the_fields_of_forge_in_the_order_of_forge() {
    let project = project();
    let [ours, forge] = [project.copy().ours(LINE), project.forge(LINE)]
        .map(|running| comparable(&running.args("--json").run().exits_with(1)));
    let text = |report: &Value| serde_json::to_string_pretty(&shape(report)).unwrap();
    assert_eq!(text(&ours), text(&forge));
    for (id, suite) in forge.as_object().unwrap() {
        assert_eq!(ours[id]["warnings"], suite["warnings"], "{id}");
        for (signature, test) in suite["test_results"].as_object().unwrap() {
            let [ours, forge] = [&ours[id]["test_results"][signature], test].map(|test| {
                ["status", "reason", "decoded_logs", "labeled_addresses"].map(|field| test[field].clone())
            });
            assert_eq!(ours, forge, "{id} {signature}");
        }
    }
    assert_eq!(forge.as_object().unwrap().len(), 5);
}

#[test]
fn findings_and_figures_stand_in_an_object_of_our_own() {
    let report = project().ours("--json --fuzz-seed 1 --match-contract Asserts").run().exits_with(1).json();
    let suite = &report["test/Test.t.sol:Asserts"];
    let mut harvey = suite["harvey"].clone();
    let found = harvey["stats"]["found"].as_object_mut().unwrap();
    let ids: Vec<_> = found.keys().cloned().collect();
    let known: Vec<_> =
        suite["harvey"]["findings"].as_array().unwrap().iter().map(|finding| &finding["id"]).collect();
    assert!(ids.len() == 1 && known == [&ids[0]], "{ids:?} {known:?}");
    assert_snapshot!(serde_json::to_string_pretty(&shape(&harvey)).unwrap().replace(&ids[0], "ID"), @r#"
    {
      "version": "number",
      "seed": "hex",
      "interrupted": "bool",
      "findings": [
        {
          "id": "text",
          "oracle": "text",
          "kind": "text",
          "contract": "text",
          "address": "hex",
          "function": "text",
          "location": "text",
          "reason": "text",
          "original_len": "number",
          "sequence": [
            {
              "warp": "null",
              "roll": "null",
              "sender": "hex",
              "addr": "hex",
              "calldata": "hex",
              "contract_name": "text",
              "func_name": "text",
              "signature": "text",
              "args": "text",
              "raw_args": "text"
            }
          ],
          "forge_file": "text",
          "unforgeable": "null"
        }
      ],
      "stats": {
        "seconds": "float",
        "calls": "number",
        "calls_per_second": "float",
        "executions": "number",
        "paths": "number",
        "branches": "number",
        "predictions": {
          "tried": "number",
          "one_shot": "number",
          "iterated": "number"
        },
        "coverage": [
          [
            "number",
            "float",
            "number"
          ]
        ],
        "found": {
          "ID": {
            "calls": "number",
            "executions": "number",
            "seconds": "float",
            "operator": "text"
          }
        }
      }
    }
    "#);
    // Forge, which has no such object, fails the invariant instead.
    assert_eq!(suite["test_results"]["invariant_holds()"]["status"], "Success");
    let forge = project().forge("--json --match-contract Asserts").run().exits_with(1).json();
    assert_eq!(forge["test/Test.t.sol:Asserts"]["test_results"]["invariant_holds()"]["status"], "Failure");
}

/// Status and message of each test case, by suite and name.
fn cases(run: &Run) -> BTreeMap<(String, String), String> {
    let report =
        Report::deserialize_from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{}", run.shown()));
    let mut cases = BTreeMap::new();
    for suite in report.test_suites {
        for case in suite.test_cases {
            let status = match &case.status {
                TestCaseStatus::Success { .. } => "Success".to_owned(),
                TestCaseStatus::NonSuccess { kind, message, .. } => {
                    format!("{kind:?}: {}", message.as_ref().map_or("", |message| message.as_str()))
                }
                TestCaseStatus::Skipped { message, .. } => {
                    format!("Skipped: {}", message.as_ref().map_or("-", |message| message.as_str()))
                }
            };
            cases.insert((suite.name.to_string(), case.name.to_string()), status);
        }
    }
    cases
}

#[test]
fn junit_names_the_cases_that_forge_names_and_findings_behind_them() {
    let project = project();
    let [ours, forge] = [project.copy().ours(LINE), project.forge(LINE)]
        .map(|running| cases(&running.args("--junit").run().exits_with(1)));
    assert_eq!(ours, forge);
    assert!(forge.len() > 8, "{forge:?}");
    let run = project.ours("--junit --fuzz-seed 1 --match-contract Asserts").run().exits_with(1);
    assert_snapshot!(format!("{:#?}", cases(&run)), @r#"
    {
        (
            "test/Test.t.sol:Asserts",
            "Till.take(uint256) at test/Test.t.sol:100:9",
        ): "Failure: panic: assertion failed (0x01)",
        (
            "test/Test.t.sol:Asserts",
            "invariant_holds()",
        ): "Success",
    }
    "#);
}
