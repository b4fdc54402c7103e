//! What users of Forge's symbolic mode have: counterexamples and corpora that it wrote, and tests named `check*` and
//! `prove*`. The numbers in the tests here cannot be guessed.

use crate::harness::{Project, Run};
use serde_json::{Value, json};

/// Only one number has this hash, and nothing in the code tells it.
const SECRET: &str = "00000000000000005eed00000000000000000000000000000000000000c0ffee";

const TESTS: &str = r"
contract Vault {
    bool public open;

    function unlock(uint256 key) external {
        if (keccak256(abi.encode(key)) == HASH) open = true;
    }
}

contract VaultTest {
    Vault vault = new Vault();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(vault);
    }

    function invariant_closed() external view {
        require(!vault.open(), 'open');
    }
}

contract KeyTest {
    function test_key(uint256 key) external pure {
        require(keccak256(abi.encode(key)) != HASH, 'found');
    }

    function check_key(uint256 key) external pure {
        require(keccak256(abi.encode(key)) != HASH, 'checked');
    }

    function prove_one() external pure {
        assert(false);
    }
}";

const FLAGS: &str = "--forge-version 1.8 --fuzz-seed 1 --runs 4 --depth 5 --fuzz-runs 64 --threads 1";
/// Address at which a test contract is deployed, and of the first contract that it creates.
const TEST: &str = "0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496";
const VAULT: &str = "0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f";
const SENDER: &str = "0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38";

fn project(settings: &str) -> Project {
    let key = alloy_primitives::hex::decode(SECRET).unwrap();
    let hash = format!("0x{}", alloy_primitives::hex::encode(alloy_primitives::keccak256(key)));
    Project::with_tests(settings, &TESTS.replace("HASH", &hash))
}

fn ours(project: &Project, flags: &str) -> Run {
    project.ours(&format!("{FLAGS} {flags}")).run()
}

/// Returns a call as Forge writes it in its corpus: of a function with one number, the secret one.
fn call(signature: &str, target: &str) -> Value {
    let hash = alloy_primitives::keccak256(signature);
    let calldata = format!("0x{}{SECRET}", alloy_primitives::hex::encode(&hash[..4]));
    json!({"sender": SENDER, "target": target, "calldata": calldata})
}

/// Returns a counterexample as Forge writes it.
fn artifact(kind: &str, contract: &str, test: &str, calls: &[Value]) -> Value {
    let whole = |call: &Value| {
        let mut whole = json!({
            "warp": null, "roll": null, "value": null, "contract_name": null, "function_name": null,
            "signature": null, "args": null, "raw_args": null,
        });
        whole.as_object_mut().unwrap().extend(call.as_object().unwrap().clone());
        whole
    };
    json!({
        "schema_version": 1,
        "schema": "foundry:symbolic.counterexample@v1",
        "kind": kind,
        "test": {"contract": format!("test/Test.t.sol:{contract}"), "test": test},
        "replay": {"required": true, "status": "confirmed", "reason": null},
        "replay_semantics": {"fail_on_revert": false},
        "bounds": {"timeout_seconds": 30, "loop_bound": null, "max_depth": 10000},
        "solver": {"name": "z3", "command": null, "portfolio": [], "stats": {"paths": 2}},
        "assumptions": [],
        "call_trace": {"kind": "none"},
        "calls": calls.iter().map(whole).collect::<Vec<_>>(),
    })
}

/// Writes the counterexamples of the invariant and of the fuzz test.
fn write_artifacts(project: &Project) {
    let sequence = artifact("sequence", "VaultTest", "invariant_closed()", &[call("unlock(uint256)", VAULT)]);
    let of_test = artifact("single_call", "KeyTest", "test_key(uint256)", &[call("test_key(uint256)", TEST)]);
    let of_check =
        artifact("single_call", "KeyTest", "check_key(uint256)", &[call("check_key(uint256)", TEST)]);
    for (path, artifact) in [
        ("test_Test_t_sol_VaultTest/invariant_closed-00.json", sequence),
        ("test_Test_t_sol_KeyTest/test_key-00.json", of_test),
        ("test_Test_t_sol_KeyTest/check_key-00.json", of_check),
    ] {
        project.write(&format!("cache/symbolic/{path}"), &artifact.to_string());
    }
}

/// Removes the failures of earlier runs.
fn forget(project: &Project) {
    project.forget_failures();
    std::fs::remove_dir_all(project.root().join("cache/fuzz")).unwrap();
}

/// Returns the statuses of a suite's tests by signature.
fn statuses(run: &Run, contract: &str) -> Vec<(String, String)> {
    let json = run.json();
    let tests = json[format!("test/Test.t.sol:{contract}")]["test_results"].as_object().cloned();
    let status = |test: &Value| test["status"].as_str().unwrap().to_owned();
    tests.unwrap_or_default().into_iter().map(|(name, test)| (name, status(&test))).collect()
}

fn pair(name: &str, status: &str) -> (String, String) {
    (name.to_owned(), status.to_owned())
}

#[test]
fn counterexamples_of_the_symbolic_mode_are_run_first() {
    let project = project("");
    ours(&project, "").exits_with(0);
    write_artifacts(&project);
    let run = ours(&project, "--json").exits_with(1);
    assert_eq!(statuses(&run, "VaultTest"), [pair("invariant_closed()", "Failure")]);
    assert_eq!(statuses(&run, "KeyTest"), [pair("test_key(uint256)", "Failure")]);
    let warnings = run.json()["test/Test.t.sol:VaultTest"]["warnings"].to_string();
    assert!(warnings.contains("replayed a failure of an earlier run"), "{warnings}");
    assert!(warnings.contains("invariant_closed-00.json"), "{warnings}");
    forget(&project);
    std::fs::remove_dir_all(project.root().join("cache/symbolic")).unwrap();
    ours(&project, "").exits_with(0);
}

#[test]
fn a_counterexample_that_cannot_be_used_is_named() {
    let project = project("");
    let usable = artifact("sequence", "VaultTest", "invariant_closed()", &[call("unlock(uint256)", VAULT)]);
    let with = |key: &str, value: Value| {
        let mut changed = usable.clone();
        changed[key] = value;
        changed.to_string()
    };
    for (text, expected) in [
        (with("schema_version", json!(7)), "in version 7"),
        (with("schema", json!("foundry:symbolic.result@v1")), "\"foundry:symbolic.result@v1\""),
        (with("storage", json!([{"address": VAULT, "slot": "0x0", "value": "0x1"}])), "assumes storage"),
        ("[".repeat(10_000), "line 1 column"),
    ] {
        let path = "cache/symbolic/test_Test_t_sol_VaultTest/a-00.json";
        project.write(path, &text);
        let warnings = ours(&project, "--match-contract Vault").exits_with(0).warnings();
        assert!(warnings.contains("skipped the symbolic counterexample"), "{warnings}");
        assert!(warnings.contains("a-00.json") && warnings.contains(expected), "{warnings}");
        let said = project.command("replay", path).run().shown();
        assert!(said.contains("a-00.json"), "{said}");
    }
}

#[test]
fn a_named_counterexample_is_replayed_or_imported() {
    let project = project("");
    write_artifacts(&project);
    let path = "elsewhere.json";
    std::fs::rename(
        project.root().join("cache/symbolic/test_Test_t_sol_VaultTest/invariant_closed-00.json"),
        project.root().join(path),
    )
    .unwrap();
    let shown = project.command("replay", path).run().exits_with(1).shown();
    assert!(shown.contains("[FAIL: open]") && !shown.contains("test_key"), "{shown}");
    ours(&project, "--match-contract Vault").exits_with(0);
    project.command("corpus", &format!("import {path}")).run().exits_with(0);
    ours(&project, "--match-contract Vault").exits_with(1);
}

#[test]
fn corpora_of_forge_1_8_are_run_first() {
    let name = "f90a5d22-603f-4a92-8916-0cdfba84e370-1787000000.json";
    let settings =
        "[profile.default.invariant]\ncorpus_dir = 'corpus'\n[profile.default.fuzz]\ncorpus_dir = 'solved'";
    let project = project(settings);
    let entry = |call| Value::from(vec![call]).to_string();
    let unlock = entry(call("unlock(uint256)", VAULT));
    let key = entry(call("test_key(uint256)", TEST));
    project.write(&format!("corpus/VaultTest/worker3/corpus/{}", name.to_uppercase()), &unlock);
    project.write(&format!("solved/KeyTest/test_key/worker0/corpus/{name}"), &key);
    for version in ["1.7", "1.8"] {
        let flags = format!(
            "--forge-version {version} --fuzz-seed 1 --runs 4 --depth 5 --fuzz-runs 64 --no-corpus --json"
        );
        let run = project.ours(&flags).run().exits_with(1);
        assert_eq!(statuses(&run, "VaultTest"), [pair("invariant_closed()", "Failure")], "{version}");
        assert_eq!(statuses(&run, "KeyTest"), [pair("test_key(uint256)", "Failure")], "{version}");
        forget(&project);
    }
}

#[test]
fn checks_are_tests_only_if_they_are_asked_for() {
    let project = project("");
    write_artifacts(&project);
    std::fs::remove_file(project.root().join("cache/symbolic/test_Test_t_sol_KeyTest/test_key-00.json"))
        .unwrap();
    let without = ours(&project, "--json --match-contract Key").exits_with(0);
    assert_eq!(statuses(&without, "KeyTest"), [pair("test_key(uint256)", "Success")]);
    let run = ours(&project, "--check --json --match-contract Key").exits_with(1);
    let expected = [
        pair("check_key(uint256)", "Failure"),
        pair("prove_one()", "Failure"),
        pair("test_key(uint256)", "Success"),
    ];
    assert_eq!(statuses(&run, "KeyTest"), expected);
    let warnings = run.json()["test/Test.t.sol:KeyTest"]["warnings"].to_string();
    assert_eq!(warnings.matches("not proved").count(), 1, "{warnings}");
    let text = ours(&project, "--check --match-test prove").exits_with(1).shown();
    assert!(text.contains("[FAIL: panic: assertion failed (0x01)] prove_one()"), "{text}");
    assert_eq!(text.matches("not proved").count(), 1, "{text}");
    assert!(!text.contains("check_key"), "{text}");
    let listed = ours(&project, "--check --list --match-contract Key").exits_with(0).stdout;
    assert!(listed.contains("check_key") && listed.contains("prove_one"), "{listed}");
    let junit = ours(&project, "--check --junit --match-contract Key").exits_with(1).stdout;
    assert!(junit.contains("name=\"check_key(uint256)\""), "{junit}");
}

#[test]
fn settings_and_comments_ask_for_checks() {
    let tests = r"
    /// forge-config: default.symbolic.enabled = true
    contract AskedTest {
        function check_one() external pure {}
    }
    contract OtherTest {
        function check_one() external pure {}
        /// forge-config: default.symbolic.enabled = true
        function check_two(uint256) external pure {}
    }
    /// @custom:halmos --loop 4 --solver-timeout-assertion 0
    contract HalmosTest {
        /// @custom:halmos --width 9 --array-lengths a=2
        function check_one(uint256[] calldata) external pure {}
        function test_fuzz(uint256) external pure {}
    }
    contract BaseTest_SymbolicRegression is HalmosTest {
        function __foundry_symbolic_regression_marker() external pure {}
        function test_regression_one() external pure {}
    }";
    let run = |settings: &str| {
        let project = Project::with_tests(settings, tests);
        project.ours("--forge-version 1.8 --fuzz-seed 1 --fuzz-runs 8 --unit --json").run().exits_with(0)
    };
    let (silent, enabled) = (run(""), run("[symbolic]\nenabled = true"));
    for run in [&silent, &enabled] {
        assert_eq!(statuses(run, "AskedTest"), [pair("check_one()", "Success")]);
        let regressions = statuses(run, "BaseTest_SymbolicRegression");
        assert_eq!(regressions, [pair("test_regression_one()", "Success")]);
        assert!(!run.warnings().contains("almos"), "{}", run.warnings());
    }
    assert!(statuses(&silent, "OtherTest").is_empty());
    assert_eq!(statuses(&silent, "HalmosTest"), [pair("test_fuzz(uint256)", "Success")]);
    let both = [pair("check_one()", "Success"), pair("check_two(uint256)", "Success")];
    assert_eq!(statuses(&enabled, "OtherTest"), both);
    assert_eq!(statuses(&enabled, "HalmosTest").len(), 2);
}
