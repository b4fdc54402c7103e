//! Reports for machines have Forge's form, and what Forge has no place for stands where it disturbs nobody.

use crate::harness::{Project, REPOSITORY, Run};
use insta::assert_snapshot;
use quick_junit::{Report, TestCaseStatus};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path, process::Command, sync::OnceLock};

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
    // Whatever each technique did.
    let techniques = harvey["stats"]["techniques"].as_object_mut().unwrap();
    assert!(techniques["seeds"]["operators"]["zero"]["sequences"].as_u64() > Some(0));
    techniques.retain(|name, _| name == "seeds");
    techniques["seeds"]["operators"].as_object_mut().unwrap().retain(|name, _| name == "zero");
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
          "iterated": "number",
          "unreached": "number",
          "no_nearer": "number"
        },
        "property_predictions": {
          "tried": "number",
          "one_shot": "number",
          "iterated": "number",
          "unreached": "number",
          "no_nearer": "number"
        },
        "solver": {
          "conditions": "number",
          "solved": "number",
          "asked": "number",
          "answered": "number",
          "left": "number"
        },
        "suite": [
          "number"
        ],
        "techniques": {
          "seeds": {
            "sequences": "number",
            "executions": "number",
            "cost": "number",
            "cpu_seconds": "float",
            "edges": "number",
            "values": "number",
            "nearer": "number",
            "paths": "number",
            "findings": "number",
            "operators": {
              "zero": {
                "sequences": "number",
                "executions": "number",
                "cost": "number",
                "cpu_seconds": "float",
                "edges": "number",
                "values": "number",
                "nearer": "number",
                "paths": "number",
                "findings": "number"
              }
            }
          }
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
            "cpu_seconds": "float",
            "operator": "text"
          }
        }
      },
      "functions": {
        "test/Test.t.sol:Till.take": {
          "calls": "number",
          "reverts": "number",
          "discards": "number",
          "reasons": [
            [
              "text",
              "number"
            ]
          ]
        }
      },
      "vacuous": [],
      "sources": {
        "test/Test.t.sol": {
          "functions": [
            "number"
          ],
          "statements": [
            "number"
          ],
          "branches": [
            "number"
          ],
          "other_branches": [
            "number"
          ]
        }
      },
      "contracts": {},
      "looked": "text",
      "stuck": []
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

#[test]
fn json_fits_the_schema_that_is_published() {
    let schema = serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let report = project().ours("--json --fuzz-seed 1 -vv --unit").run().exits_with(1).json();
    let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Runs with a report in this format, and gives that.
fn reported(format: &str) -> String {
    let project = project();
    let line = format!("--fuzz-seed 1 --match-contract Asserts|SetUpFails|Verdicts --report {format}=report");
    project.ours(&line).run().exits_with(1);
    project.read("report")
}

#[test]
fn sarif_is_valid_for_the_validator_of_its_authors() {
    let project = project();
    project.write("report.sarif", &reported("sarif"));
    let tool =
        Path::new(REPOSITORY).join("testdata/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool");
    // npm unpacks it without the right to run it.
    let mut loader = Command::new("sh");
    loader.arg("-c").arg("cp \"$0\" tool -r 2> /dev/null; chmod u+x tool/Sarif.Multitool; exec tool/Sarif.Multitool validate report.sarif");
    let validated = loader
        .arg(tool.parent().unwrap())
        .current_dir(project.root())
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output()
        .unwrap();
    let said = String::from_utf8(validated.stdout).unwrap();
    let problems: Vec<_> = said.lines().filter(|line| line.contains("): ")).collect();
    // There is no home page to name yet.
    let [only] = problems[..] else { panic!("{said}") };
    assert!(only.contains("SARIF2005") && only.contains("informationUri"), "{said}");
}

#[test]
fn sarif_has_the_calls_as_steps() {
    let report: Value = serde_json::from_str(&reported("sarif")).unwrap();
    let results = report["runs"][0]["results"].as_array().unwrap();
    let shown = results.iter().map(|result| {
        let step = |step: &Value| {
            let place = &step["location"]["physicalLocation"];
            let text = step["location"]["message"]["text"].as_str().unwrap().replace(char::is_numeric, "N");
            format!(
                "  {}:{} {text}",
                text_of(&place["artifactLocation"]["uri"]),
                place["region"]["startLine"]
            )
        };
        let steps = result.pointer("/codeFlows/0/threadFlows/0/locations").and_then(Value::as_array);
        let mut steps: Vec<_> = steps.into_iter().flatten().map(step).collect();
        steps.dedup();
        let place = &result["locations"][0]["physicalLocation"];
        format!("{} line {}\n{}", text_of(&result["ruleId"]), place["region"]["startLine"], steps.join("\n"))
    });
    assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @"
    assertion line 100
      test/Test.t.sol:98 Till.take(N) from NxNNNN…bNNf
      test/Test.t.sol:100 panic: assertion failed (NxNN)
    test line 64

    invariant line 42

    invariant line 50
      test/Test.t.sol:19 Bank.pay(N) from Treasury
      test/Test.t.sol:50 rich
    ");
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn annotations_and_summaries_name_what_failed_and_where() {
    let annotations = reported("github");
    let heads: Vec<_> = annotations.lines().map(|line| line.split("%0A").next().unwrap()).collect();
    assert_snapshot!(heads.join("\n"), @r"
    ::error file=test/Test.t.sol,line=100,col=9,title=Till.take(uint256) of Asserts::panic: assertion failed (0x01)
    ::error file=test/Test.t.sol,line=64,col=5,title=setUp() of SetUpFails::cannot set up
    ::error file=test/Test.t.sol,line=42,col=5,title=invariant_brokenAtOnce() of Verdicts::failed to set up invariant testing environment: never held
    ::error file=test/Test.t.sol,line=50,col=5,title=invariant_poor() of Verdicts::rich
    ");
    let summary = reported("markdown");
    let heads: Vec<_> =
        summary.lines().filter(|line| line.starts_with('#') || line.starts_with("Seed")).collect();
    assert_snapshot!(heads.join("\n"), @r"
    ## forge-harvey: 4 failures, 3 tests held
    ### `Till.take(uint256)` at `test/Test.t.sol:100:9`
    ### `setUp()` at `test/Test.t.sol:64:5`
    ### `invariant_brokenAtOnce()` at `test/Test.t.sol:42:5`
    ### `invariant_poor()` at `test/Test.t.sol:50:5`
    Seed `0x1`: `--fuzz-seed` reproduces a run on as many threads that no time ends.
    ");
}

#[test]
fn two_reports_cannot_both_go_to_stdout() {
    let run = project().ours("--report sarif --report junit").run();
    assert_snapshot!(run.exits_with(1).stderr, @"Error: --report: only one report can go to stdout; give the others files, as in --report sarif=results.sarif");
}
